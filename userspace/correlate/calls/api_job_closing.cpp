// SPDX-License-Identifier: MIT
//
// How a command's job ends, see api_jobs.hpp: its times have come, or never will, and all that
// waited for it is told.
#include "api_jobs.hpp"

namespace lttng_gpu::model {

void ApiJobs::erase_open(Process& process, const Command& command)
{
    m_open.erase({begin_of(command), command.place, &process, 0});
}

/// Its times will never be known.
void ApiJobs::give_up(Open open, Anomaly reason)
{
    Process& process = *open.process;
    const auto found = process.commands.find(open.command);
    if (found == process.commands.end()) { // cannot be, but would be met again and again
        m_open.erase(open);
        return;
    }
    Command& command = found->second;
    m_anomalies.count(reason);
    if (reason == Anomaly::CommandNeverReported && m_has_losses[process.id.trace]) {
        command.job.ending = Ending::Lost;
    }
    erase_open(process, command);
    close(process, command);
}

/// Times that the device told, which bound the job of the kernel's driver.
void ApiJobs::tell_execution(const Command& command)
{
    const CommandEnqueued& enqueued = command.enqueued;
    const Job& job = command.job;
    if (!enqueued.actor.tid) {
        return;
    }
    const SubmitCall call{enqueued.actor.tid->value(), *enqueued.begin,
                          enqueued.returned,           enqueued.api_call,
                          SubmitRole::Command,         {enqueued.queue, false}};
    const CommandClock clock = command.clock.value_or(CommandClock{});
    const Timestamp none{};
    m_calls.on_execution(enqueued.actor,
                         {call, job.started.value_or(none), job.completed.value_or(none),
                          job.clock_error.value_or(Duration{0}), clock.account, clock.offset},
                         command.clock && job.started && job.completed && job.clock_error);
}

/// It was over then, whatever its clock's error.
KnownTime ApiJobs::latest_end(const Job& job)
{
    return job.observed || !job.completed
               ? job.observed
               : KnownTime{*job.completed + job.clock_error.value_or(Duration{})};
}

/// All that will be known of the command is known.
void ApiJobs::close(Process& process, Command& command)
{
    command.is_done = true;
    note_done(process, command);
    if (m_clocks.use() != DeviceClocks::Use::Learning) {
        const CommandEnqueued& enqueued = command.enqueued;
        if (enqueued.begin) {
            m_calls.on_command(enqueued.actor, *enqueued.begin, latest_end(command.job),
                               enqueued.api_call);
            tell_execution(command);
        }
        if (enqueued.is_blocking && enqueued.begin) {
            m_rows.on_wait({command.job.actor, command.job.fence, command.job.ring, *enqueued.begin,
                            enqueued.returned, command.job.completed});
        }
        if (enqueued.begin) {
            m_frames.on_command(enqueued.actor, enqueued.returned, command.job);
        }
        m_rows.add(command.job);
        learn_of(process, command);
        tell_waits(process, command);
    }
    remember_done(process, command.job.fence.seqno->value());
}

void ApiJobs::remember_done(Process& process, std::uint64_t command)
{
    m_done.push_back({&process, command});
    if (m_done.size() <= most_done) {
        return;
    }
    const Done oldest = m_done.front();
    m_done.pop_front();
    const auto found = oldest.process->commands.find(oldest.command);
    if (found != oldest.process->commands.end() && found->second.is_done) {
        oldest.process->commands.erase(found);
    }
}

void ApiJobs::tell_waits(Process& process, const Command& command)
{
    const Job& job = command.job;
    for (const std::uint64_t number : command.enqueued.waits_for) {
        Dependency dependency;
        dependency.ring = job.ring;
        dependency.job = job.fence;
        dependency.actor = job.actor;
        dependency.waits_for = {job.fence.context, FenceSeqno{number}};
        dependency.since = job.queued.value_or(command.enqueued.returned);
        dependency.until = job.started;
        const auto producer = process.commands.find(number);
        if (producer == process.commands.end()) {
            m_dependencies.tell_unended(dependency);
        } else if (producer->second.is_done) {
            m_dependencies.tell(dependency, producer->second.job);
        } else {
            m_dependencies.await({process.id, number}, dependency);
        }
    }
    m_dependencies.on_done({process.id, job.fence.seqno->value()}, job);
}

} // namespace lttng_gpu::model
