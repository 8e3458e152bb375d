// SPDX-License-Identifier: MIT
//
// Events of GPUs that were seen and that no job is made of: fences of displays, fences of drivers
// of which nothing is known, events that nobody reads, and commands without a fence. The report
// names them, so that nothing that was recorded is passed over in silence.
#pragma once

#include "../base/time.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lttng_gpu::model {

/// Out-fences of a CRTC, or of a connector that writes back.
struct DisplayFences {
    std::string driver;
    std::string timeline;
    std::uint64_t made = 0;
    std::uint64_t signaled = 0;
};

struct EventNotUnderstood {
    std::string driver; // of the fence; empty: the event is of none
    std::string event;
    std::uint64_t count = 0;
};

/// Of a queue to a device, whose commands need no fence.
struct UnfencedCommands {
    std::string device;
    std::string queue;
    std::uint64_t queued = 0;
    std::uint64_t answered = 0;   // of which it was seen when they were queued, too
    std::uint64_t unmatched = 0;  // answers that do not say to which command
    std::uint64_t depth_most = 0; // on the queue at once
    std::int64_t time_sum = 0;    // until answered, of those
    std::int64_t time_most = 0;

    void add_answer(Duration time)
    {
        ++answered;
        time_sum += time.value();
        time_most = std::max(time_most, time.value());
    }
};

struct OtherEventAccount {
    std::vector<DisplayFences> display;
    std::vector<EventNotUnderstood> not_understood;
    std::vector<UnfencedCommands> unfenced;
    std::uint64_t left_out = 0; // events of more names than are kept
};

class OtherEvents {
public:
    void count_display(std::string_view driver, std::string_view timeline, bool is_signal);
    void count(std::string_view driver, std::string_view event);
    UnfencedCommands& unfenced(std::string_view device, std::string_view queue);

    /// By the frequency of the events. Fences that drivers give to the hardware beside what
    /// drm_sched tells are none where drm_sched does tell.
    OtherEventAccount account(bool has_scheduler) const;

private:
    static constexpr std::size_t most_names = 256;

    OtherEventAccount m_account;
};

} // namespace lttng_gpu::model
