// SPDX-License-Identifier: MIT
//
// Instances: a program that keeps the GPU busy without a hitch, and one job of it, the victim, that
// is late for one or two causes whose times are known.
#pragma once

#include "scene.hpp"

#include "diagnose/reason.hpp"

#include <map>
#include <set>

namespace lttng_gpu::planted {

enum class Cause : std::uint8_t {
    CpuPreemption,
    Sleep,
    CpuBound,
    OwnWait,
    Dependency,
    BackPressure,
    SlowWorker,
    Sharing,
    Hang,
    Loss,
    Count,
};
inline constexpr auto cause_count = static_cast<std::size_t>(Cause::Count);

std::string_view name_of(Cause cause);
diagnose::Reason reason_of(Cause cause);
/// Some hide others: what a lost event would have told is not known.
bool fit_together(Cause first, Cause second);

struct Instance {
    std::uint64_t context = 0;     // of the victim
    std::uint64_t first_seqno = 0; // of the first job that must be without a hitch
    std::uint64_t seqno = 0;
    /// How long for which reason, of the victim.
    std::map<diagnose::Reason, Time> expected;
    /// Whose jobs are at the end of the chain of dependencies.
    std::map<std::int64_t, Time> roots; // time by process
};

Instance plant(Scene& scene, const std::set<Cause>& causes);

} // namespace lttng_gpu::planted
