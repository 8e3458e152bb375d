// SPDX-License-Identifier: MIT
//
// What the events of an API's layer tell of one command: that it was enqueued, and later when the
// device executed it.
#pragma once

#include "../base/gpu_event.hpp"

#include <array>
#include <vector>

namespace lttng_gpu::model {

/// How the layer judged the times that the driver reported.
enum class TimesValidity : std::uint8_t { Valid, Unavailable, Disordered, Implausible };

struct CommandEnqueued {
    std::uint64_t command = 0;
    std::uint64_t queue = 0;
    std::optional<Timestamp> begin; // of the call
    Timestamp returned;
    bool is_blocking = false;
    Actor actor;
    StringId api_call;
    std::uint64_t bytes = 0; // that it moves
    std::vector<std::uint64_t> waits_for;
    /// Where the host itself puts it into the queue, and the device tells only of its execution:
    /// these are the job's times. Else empty.
    std::optional<Timestamp> queued;
    std::optional<Timestamp> submitted;
    bool is_timed = true; // times can come
    /// Else it was not queued before `queued`; when it was, nothing tells.
    bool is_queued_known = true;
};

struct CommandReported {
    std::uint64_t command = 0;
    std::uint64_t queue = 0;
    bool has_failed = false;
    TimesValidity validity = TimesValidity::Unavailable;
    std::array<std::uint64_t, 4> device{}; // queued, submit, start, end
    std::optional<Timestamp> observed;
    Timestamp seen;
    Actor actor; // who learned of it, not who enqueued it
};

} // namespace lttng_gpu::model
