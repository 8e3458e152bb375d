// SPDX-License-Identifier: MIT
//
// See debug_groups.hpp.
#include "debug_groups.hpp"

#include <algorithm>

namespace lttng_gpu::model {

void DebugGroups::Stack::push(StringId name)
{
    if (names.size() < most_depth) {
        names.push_back(name);
    } else {
        ++deeper;
    }
}

/// A group that was opened before the trace began may be closed in it.
void DebugGroups::Stack::pop()
{
    if (deeper > 0) {
        --deeper;
    } else if (!names.empty()) {
        names.pop_back();
    }
}

/// A program may make new names for ever.
StringId DebugGroups::name_of(std::string_view name)
{
    if (m_names.size() >= most_names) {
        return m_strings.intern("one of more than 16384 debug groups");
    }
    const StringId id = m_strings.intern(name);
    m_names.insert(id);
    return id;
}

DebugGroups::Thread& DebugGroups::thread_of(const ThreadOfSpace& id)
{
    if (m_threads.size() >= most_threads && !m_threads.contains(id)) {
        m_threads.clear();
    }
    return m_threads[id];
}

DebugGroups::Stack& DebugGroups::stack_of(const Actor& actor, const ThreadOfSpace& thread,
                                          std::uint64_t handle)
{
    if (m_stacks.size() >= most_stacks) {
        m_stacks.clear();
    }
    const auto& [trace, pid_ns, tid] = thread;
    // Of a context that was made current unseen the thread stands for it.
    const std::int64_t owner =
        handle == 0 ? -tid.value() - 1 : (actor.pid ? actor.pid->value() : std::int64_t{0});
    return m_stacks[{trace, pid_ns, owner, handle}];
}

void DebugGroups::note(Thread& thread, Timestamp time, StringId innermost)
{
    if (!thread.changes.empty() && thread.changes.back().innermost == innermost) {
        return;
    }
    if (thread.changes.size() == most_changes) {
        thread.changes.pop_front();
    }
    thread.changes.push_back({time, innermost});
}

void DebugGroups::on_current(const Actor& actor, const ThreadOfSpace& id, Timestamp time,
                             std::uint64_t context)
{
    Thread& thread = thread_of(id);
    thread.context = context;
    if (!thread.changes.empty() || !m_stacks.empty()) {
        note(thread, time, stack_of(actor, id, context).innermost());
    }
}

void DebugGroups::push(const Actor& actor, const ThreadOfSpace& id, Timestamp time,
                       std::string_view name)
{
    Thread& thread = thread_of(id);
    Stack& stack = stack_of(actor, id, thread.context);
    stack.push(name_of(name));
    note(thread, time, stack.innermost());
}

void DebugGroups::pop(const Actor& actor, const ThreadOfSpace& id, Timestamp time)
{
    Thread& thread = thread_of(id);
    Stack& stack = stack_of(actor, id, thread.context);
    stack.pop();
    note(thread, time, stack.innermost());
}

void DebugGroups::push_on_queue(const Actor& actor, const ThreadOfSpace& thread,
                                std::uint64_t queue, std::string_view name)
{
    stack_of(actor, thread, queue).push(name_of(name));
}

void DebugGroups::pop_on_queue(const Actor& actor, const ThreadOfSpace& thread, std::uint64_t queue)
{
    stack_of(actor, thread, queue).pop();
}

void DebugGroups::on_submit(const Actor& actor, const ThreadOfSpace& id, std::uint64_t queue,
                            Timestamp begin, Timestamp end)
{
    if (m_stacks.empty()) {
        return;
    }
    Thread& thread = thread_of(id);
    note(thread, begin, stack_of(actor, id, queue).innermost());
    note(thread, Timestamp{end.value() + 1}, {});
}

StringId DebugGroups::find(const CallPlace& call) const
{
    const auto found = m_threads.find(call.thread);
    if (found == m_threads.end()) {
        return {};
    }
    const auto& changes = found->second.changes;
    const auto after = std::ranges::upper_bound(changes, call.begin, {}, &Change::since);
    return after == changes.begin() ? StringId{} : std::prev(after)->innermost;
}

} // namespace lttng_gpu::model
