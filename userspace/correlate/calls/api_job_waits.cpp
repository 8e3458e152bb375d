// SPDX-License-Identifier: MIT
//
// The part of api_jobs.hpp about calls that wait: for which commands they did, and what the program
// learned when they returned.
#include "api_jobs.hpp"

#include <algorithm>

namespace lttng_gpu::model {

/// Waits ask for the commands of their queue.
void ApiJobs::note_done(Process& process, const Command& command)
{
    if (command.queue == 0) {
        return;
    }
    const std::uint64_t number = command.job.fence.seqno->value();
    QueueEnds& ends = process.ends_of(command.queue);
    --ends.open;
    ends.last.take(command.job, number);
    m_named_waits.on_done(process.objects, command.queue, number, command.job);
}

/// Nothing: none of what it waited for is known.
std::optional<NamedWait> ApiJobs::find_awaited(Process& process, const Wait& wait,
                                               const AwaitedCommands& awaited)
{
    NamedWait named{wait, &process.objects, 0, awaited.newest, {}, 0, {}};
    if (awaited.queue != 0) {
        const ApiQueue* const queue = process.objects.find_queue(awaited.queue);
        if (queue == nullptr) {
            return {};
        }
        named.queue = queue->number;
        named.wait.ring = queue->ring;
        const QueueEnds& ends = process.ends_of(queue->number);
        named.last = ends.last.number <= awaited.newest ? ends.last : LastEnded{};
        // Few: what other threads enqueued during the call.
        const auto later = process.commands.upper_bound(awaited.newest);
        const auto is_open = [&](const auto& entry) {
            return !entry.second.is_done && entry.second.queue == queue->number;
        };
        named.left = ends.open - static_cast<std::uint64_t>(
                                     std::count_if(later, process.commands.end(), is_open));
        return named;
    }
    for (const std::uint64_t number : awaited.listed) {
        const auto found = process.commands.find(number);
        if (found == process.commands.end()) {
            continue;
        }
        if (found->second.is_done) {
            named.last.take(found->second.job, number);
        } else if (std::ranges::find(named.listed, number) == named.listed.end()) {
            named.listed.push_back(number);
        }
    }
    named.left = named.listed.size();
    return named.left > 0 || named.last.number != 0 ? std::optional{named} : std::nullopt;
}

/// A call that blocks tells of its own command.
void ApiJobs::learn_of(const Process& process, const Command& command)
{
    if (command.queue == 0) {
        return;
    }
    const std::uint64_t number = command.job.fence.seqno->value();
    const CommandEnqueued& enqueued = command.enqueued;
    const ProgramKey program = program_of(process);
    if (enqueued.is_blocking && enqueued.begin) {
        m_learned.on_wait(program, {*enqueued.begin, enqueued.returned}, WaitKind::Blocking);
        m_learned.on_command_wait(program, command.queue, number, enqueued.returned);
    }
    m_learned.on_command(program, command.queue, number, command.job);
}

/// In an in-order queue all that was enqueued before a command has ended when it has.
void ApiJobs::learn_from(Process& process, const CallReturned& call)
{
    const ProgramKey program = program_of(process);
    const bool is_named = call.awaited != nullptr;
    m_learned.on_wait(program, {call.begin, call.end},
                      is_named ? WaitKind::Named : WaitKind::Unnamed);
    if (!is_named) {
        return;
    }
    const AwaitedCommands& awaited = *call.awaited;
    if (const ApiQueue* const queue = process.objects.find_queue(awaited.queue)) {
        m_learned.on_queue_wait(program, queue->number, awaited.newest, call.end);
    }
    for (const std::uint64_t number : awaited.listed) {
        const auto found = process.commands.find(number);
        if (found == process.commands.end() || found->second.queue == 0) {
            continue;
        }
        const ApiQueue* const queue = process.objects.find_queue(found->second.enqueued.queue);
        if (queue != nullptr && queue->number == found->second.queue && queue->is_in_order()) {
            m_learned.on_queue_wait(program, queue->number, number, call.end);
        } else {
            m_learned.on_command_wait(program, found->second.queue, number, call.end);
        }
    }
}

void ApiJobs::tell_wait(Process& process, const ThreadOfSpace& thread, const Wait& wait,
                        const AwaitedCommands* awaited)
{
    const auto named =
        awaited != nullptr ? find_awaited(process, wait, *awaited) : std::optional<NamedWait>{};
    if (!named) {
        m_waits.add(thread, wait, process.objects);
    } else if (m_clocks.use() != DeviceClocks::Use::Learning) {
        m_named_waits.add(*named);
    }
}

} // namespace lttng_gpu::model
