// SPDX-License-Identifier: MIT
//
// See completion_notices.hpp.
#include "completion_notices.hpp"

#include <algorithm>

namespace lttng_gpu::model {

/// A wait that returned before by more than the clock may be wrong did not tell it.
void CompletionNotices::tell(const Ended& ended, Timestamp learned)
{
    if (learned.value() < ended.end.completed.value() - ended.error.value()) {
        return;
    }
    CompletionNotice end = ended.end;
    end.learned = std::max(learned, end.completed);
    m_sink.on_completion_notice(end);
}

void CompletionNotices::on_wait(const ProgramKey& key, const TimeSpan& wait, WaitKind kind)
{
    Program& program = m_programs[key];
    if (kind == WaitKind::Named && !program.names_commands) {
        begin_names(program);
    }
    program.waits.add(wait);
    if (kind == WaitKind::Unnamed) {
        program.unnamed_waits.add(wait);
    }
    auto& all = program.ended;
    const auto completed = [](const Ended& each) { return each.end.completed; };
    const auto first = std::ranges::lower_bound(all, wait.begin, {}, completed);
    const auto last = std::find_if(first, all.end(), [&](const Ended& ended) {
        return wait.end.value() < ended.end.completed.value() - ended.error.value();
    });
    const auto kept = std::remove_if(first, last, [&](const Ended& ended) {
        const bool is_learned = ended.command == 0 || kind == WaitKind::Unnamed;
        if (is_learned) {
            tell(ended, wait.end);
        }
        return is_learned;
    });
    all.erase(kept, last);
}

/// From now on commands are learned of by their queues.
void CompletionNotices::begin_names(Program& program)
{
    program.names_commands = true;
    std::erase_if(program.ended, [&](const Ended& ended) {
        if (ended.command != 0) {
            add_to_queue(program.queues[ended.queue], ended);
        }
        return ended.command != 0;
    });
}

void CompletionNotices::on_queue_wait(const ProgramKey& key, unsigned number, std::uint64_t newest,
                                      Timestamp end)
{
    Queue& queue = m_programs[key].queues[number];
    if (queue.waits.empty() || queue.waits.back().newest < newest) {
        if (queue.waits.size() == most_waits) {
            queue.waits.pop_front();
        }
        queue.waits.push_back({newest, end});
    }
    while (!queue.ended.empty() && queue.ended.front().command <= newest) {
        tell(queue.ended.front(), end);
        queue.ended.pop_front();
    }
}

void CompletionNotices::on_command_wait(const ProgramKey& key, unsigned number,
                                        std::uint64_t command, Timestamp end)
{
    Queue& queue = m_programs[key].queues[number];
    const auto found = std::ranges::lower_bound(queue.ended, command, {}, &Ended::command);
    if (found != queue.ended.end() && found->command == command) {
        tell(*found, end);
        queue.ended.erase(found);
        return;
    }
    if (queue.commands.size() == most_waits) {
        queue.commands.erase(queue.commands.begin());
    }
    queue.commands.try_emplace(command, end);
}

bool CompletionNotices::tell_single(Queue& queue, const Ended& ended)
{
    const auto found = queue.commands.find(ended.command);
    if (found == queue.commands.end()) {
        return false;
    }
    tell(ended, found->second);
    queue.commands.erase(found);
    return true;
}

void CompletionNotices::add_to_queue(Queue& queue, const Ended& ended)
{
    const auto wait = std::ranges::lower_bound(queue.waits, ended.command, {}, &QueueWait::newest);
    const auto single = queue.commands.find(ended.command);
    const bool is_single_first =
        wait == queue.waits.end() || (single != queue.commands.end() && single->second < wait->end);
    if (is_single_first && tell_single(queue, ended)) {
        return;
    }
    if (wait != queue.waits.end()) {
        tell(ended, wait->end);
        return;
    }
    if (queue.ended.size() == most_ended) {
        queue.ended.pop_front();
    }
    queue.ended.insert(std::ranges::upper_bound(queue.ended, ended.command, {}, &Ended::command),
                       ended);
}

void CompletionNotices::add(Program& program, const Ended& ended)
{
    if (ended.command != 0 && program.names_commands) {
        add_to_queue(program.queues[ended.queue], ended);
        return;
    }
    if (ended.command != 0) {
        const auto queue = program.queues.find(ended.queue);
        if (queue != program.queues.end() && tell_single(queue->second, ended)) {
            return;
        }
    }
    const ProgramWaits& waits = ended.command != 0 ? program.unnamed_waits : program.waits;
    if (const auto learned = waits.learned(ended.end.completed, ended.error)) {
        tell(ended, *learned);
        return;
    }
    if (program.ended.size() == most_ended) {
        program.ended.pop_front();
    }
    const auto completed = [](const Ended& each) { return each.end.completed; };
    program.ended.insert(
        std::ranges::upper_bound(program.ended, ended.end.completed, {}, completed), ended);
}

void CompletionNotices::on_command(const ProgramKey& program, unsigned queue, std::uint64_t command,
                                   const Job& job)
{
    if (job.completed && job.api_call != StringId{}) {
        add(m_programs[program],
            {command,
             queue,
             {job.api_call, true, job.submitted.value_or(first_time(job)), *job.completed, {}},
             job.clock_error.value_or(Duration{0})});
    }
}

void CompletionNotices::on_job(const Caller& caller, const Job& job)
{
    if (job.completed && job.is_last && job.api_call != StringId{} && caller.pid) {
        add(m_programs[{caller.trace, caller.pid_ns, caller.pid->value()}],
            {0,
             0,
             {job.api_call, false, job.submitted.value_or(first_time(job)), *job.completed, {}},
             Duration{0}});
    }
}

} // namespace lttng_gpu::model
