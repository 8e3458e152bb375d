// SPDX-License-Identifier: MIT
//
// See thread_table.hpp.
#include "thread_table.hpp"

#include <algorithm>

namespace lttng_gpu::model {

ThreadTable::Running* ThreadTable::running_on(TraceId trace, Cpu cpu)
{
    std::vector<Running>& cpus = m_cpus[trace];
    if (cpu.value() >= cpus.size()) {
        if (cpu.value() >= most_cpus) {
            return nullptr;
        }
        cpus.resize(cpu.value() + 1ULL);
    }
    return &cpus[cpu.value()];
}

void ThreadTable::on_switch(const trace::RawEvent& event, Tid tid, std::string_view comm)
{
    Running* running = running_on(event.trace, event.cpu);
    if (running == nullptr || (running->has_gap && running->lost_until >= event.time)) {
        return;
    }
    running->tid = tid;
    running->comm_length = static_cast<std::uint8_t>(std::min(comm.size(), running->comm.size()));
    std::memcpy(running->comm.data(), comm.data(), running->comm_length);
    running->is_known = true;
}

void ThreadTable::on_process(TraceId trace, Tid tid, Pid pid, StringId comm)
{
    const ThreadKey key{trace, tid};
    m_threads.at(key.hash(), key) = {pid, comm};
}

void ThreadTable::on_loss(const trace::Loss& loss)
{
    if (Running* running = running_on(loss.trace, loss.cpu)) {
        running->is_known = false;
        running->lost_until = running->has_gap ? std::max(running->lost_until, loss.end) : loss.end;
        running->has_gap = true;
    }
}

std::optional<Tid> ThreadTable::tid_of(const trace::RawEvent& event)
{
    if (const auto tid = event.context.tid.as_signed()) {
        return Tid{*tid};
    }
    const Running* running = running_on(event.trace, event.cpu);
    return running != nullptr && running->is_known ? std::optional{running->tid} : std::nullopt;
}

Actor ThreadTable::actor_of(const trace::RawEvent& event, TextIds& texts)
{
    Actor actor;
    if (const auto pid = event.context.pid.as_signed()) {
        actor.pid = Pid{*pid};
    }
    actor.tid = tid_of(event);
    actor.comm = texts.of(event.context.procname.as_text());
    actor.origin = m_origins.of(event);
    if (!actor.tid || (actor.pid && actor.comm != StringId{})) {
        return actor;
    }
    const Running* running = running_on(event.trace, event.cpu);
    const bool is_running = running != nullptr && running->is_known && running->tid == *actor.tid;
    if (is_running && actor.comm == StringId{}) {
        actor.comm = texts.of({running->comm.data(), running->comm_length});
    }
    const ThreadKey key{event.trace, *actor.tid};
    if (const Thread* thread = m_threads.find(key.hash(), key)) {
        actor.pid = actor.pid ? actor.pid : thread->pid;
        actor.comm = actor.comm != StringId{} ? actor.comm : thread->comm;
    }
    return actor;
}

} // namespace lttng_gpu::model
