// SPDX-License-Identifier: MIT
//
// Who runs where: the thread on each CPU and the process of each thread, from
// sched_switch, fork and the state dump. Used only where an event does not
// carry the contexts pid, tid and procname itself.
#pragma once

#include "../base/string_pool.hpp"
#include "../trace/raw_event.hpp"
#include "gpu_event.hpp"

#include <map>

namespace lttng_gpu::model {

class ThreadTable {
public:
    void on_switch(const trace::RawEvent& event, Tid tid, StringId comm);
    void on_process(TraceId trace, Tid tid, Pid pid, StringId comm);
    /// A switch may be among the lost events: who runs on that CPU is unknown
    /// until the first switch after the gap.
    void on_loss(const trace::Loss& loss);

    /// Contexts of the event first, then what was learned before.
    Actor actor_of(const trace::RawEvent& event, StringPool& strings) const;

private:
    struct Thread {
        Pid pid;
        StringId comm;
    };
    struct Running {
        Tid tid;
        StringId comm;
    };

    using Place = std::pair<TraceId, Cpu>;

    std::map<Place, Running> x_running;
    std::map<Place, Timestamp> x_lost_until;
    std::map<std::pair<TraceId, Tid>, Thread> x_threads;
};

} // namespace lttng_gpu::model
