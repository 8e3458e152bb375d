// SPDX-License-Identifier: MIT
//
// See thread_table.hpp.
#include "thread_table.hpp"

#include <algorithm>

namespace lttng_gpu::model {

void ThreadTable::on_switch(const trace::RawEvent& event, Tid tid, StringId comm)
{
    const Place place{event.trace, event.cpu};
    const auto gap = x_lost_until.find(place);
    if (gap == x_lost_until.end() || gap->second < event.time) {
        x_running[place] = {tid, comm};
    }
}

void ThreadTable::on_process(TraceId trace, Tid tid, Pid pid, StringId comm)
{
    x_threads[{trace, tid}] = {pid, comm};
}

void ThreadTable::on_loss(const trace::Loss& loss)
{
    const Place place{loss.trace, loss.cpu};
    x_running.erase(place);
    const auto gap = x_lost_until.try_emplace(place, loss.end).first;
    gap->second = std::max(gap->second, loss.end);
}

Actor ThreadTable::actor_of(const trace::RawEvent& event, StringPool& strings) const
{
    Actor actor;
    if (const auto pid = event.context.pid.as_signed()) {
        actor.pid = Pid{*pid};
    }
    if (const auto tid = event.context.tid.as_signed()) {
        actor.tid = Tid{*tid};
    }
    actor.comm = strings.intern(event.context.procname.as_text());
    const auto running = x_running.find({event.trace, event.cpu});
    const bool is_running_known =
        running != x_running.end() && (!actor.tid || *actor.tid == running->second.tid);
    if (is_running_known) {
        actor.tid = running->second.tid;
        if (actor.comm == StringId{}) {
            actor.comm = running->second.comm;
        }
    }
    if (!actor.tid) {
        return actor;
    }
    const auto thread = x_threads.find({event.trace, *actor.tid});
    if (thread == x_threads.end()) {
        return actor;
    }
    if (!actor.pid) {
        actor.pid = thread->second.pid;
    }
    if (actor.comm == StringId{}) {
        actor.comm = thread->second.comm;
    }
    return actor;
}

} // namespace lttng_gpu::model
