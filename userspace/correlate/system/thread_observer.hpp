// SPDX-License-Identifier: MIT
//
// The scheduler's events, for those who remember what threads did: the reading that makes jobs
// hands them on. The rows of jobs come later than the events that they are made of.
#pragma once

#include "../base/ids.hpp"
#include "../trace/raw_event.hpp"

#include <array>
#include <string_view>

namespace lttng_gpu::model {

/// The fields of RawEvent.
namespace switch_field {
enum : std::size_t { NextTid, NextComm, PrevState, PrevTid };
inline constexpr std::array<std::string_view, 4> names{"next_tid", "next_comm", "prev_state",
                                                       "prev_tid"};
} // namespace switch_field
namespace wakeup_field {
enum : std::size_t { WokenTid, TargetCpu };
inline constexpr std::array<std::string_view, 2> names{"tid", "target_cpu"};
} // namespace wakeup_field

class ThreadObserver {
public:
    ThreadObserver() = default;
    ThreadObserver(const ThreadObserver&) = delete;
    ThreadObserver& operator=(const ThreadObserver&) = delete;
    virtual ~ThreadObserver() = default;

    /// sched_switch
    virtual void on_switch(const trace::RawEvent& event) = 0;
    /// sched_waking, sched_wakeup, sched_wakeup_new
    virtual void on_wakeup(const trace::RawEvent& event) = 0;
    virtual void on_loss(const trace::Loss& loss) = 0;
};

} // namespace lttng_gpu::model
