// SPDX-License-Identifier: MIT
//
// Jobs whose time in the host queue was longer than a limit, in a trace that is on disk.
#pragma once

#include "../correlate/base/expected.hpp"
#include "../correlate/base/time.hpp"

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lttng_gpu::record {

/// The same job in several traces of one session. Not its times: those of foreign clocks
/// move a little as more is known of the clock.
struct JobIdentity {
    std::string ring; // device, ring and driver
    std::int64_t pid = 0;
    std::uint64_t context = 0;
    std::uint64_t seqno = 0;

    auto operator<=>(const JobIdentity&) const = default;
};

struct LateJob {
    JobIdentity identity;
    std::string comm;
    Timestamp queued;
    std::optional<Timestamp> submitted; // empty: it still waited at the end of the trace
    Duration waited;
};

struct LateJobs {
    std::vector<LateJob> jobs; // those that still wait are the last
    /// From this time on the events of every CPU are in the trace: an idle CPU keeps old events for
    /// long.
    std::optional<Timestamp> begin;
    std::optional<Timestamp> end;
};

/// A folder without a trace has no late job; LTTng makes one before there are events.
Expected<LateJobs> find_late_jobs(const std::filesystem::path& trace, Duration limit);

} // namespace lttng_gpu::record
