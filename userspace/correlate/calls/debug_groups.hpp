// SPDX-License-Identifier: MIT
//
// The names that a program gives to parts of its work: debug groups of OpenGL's contexts, labels of
// Vulkan's queues. A job whose call is known has the innermost group that was open then.
#pragma once

#include "../base/string_pool.hpp"
#include "thread_of_space.hpp"

#include <deque>
#include <map>
#include <unordered_set>
#include <vector>

namespace lttng_gpu::model {

class DebugGroups {
public:
    explicit DebugGroups(StringPool& strings) : m_strings{strings} {}

    /// A context is current in the thread now; groups belong to contexts. 0: it is not known.
    void on_current(const Actor& actor, const ThreadOfSpace& thread, Timestamp time,
                    std::uint64_t context);
    void push(const Actor& actor, const ThreadOfSpace& thread, Timestamp time,
              std::string_view name);
    void pop(const Actor& actor, const ThreadOfSpace& thread, Timestamp time);
    /// Groups of a queue, whichever thread submits to it.
    void push_on_queue(const Actor& actor, const ThreadOfSpace& thread, std::uint64_t queue,
                       std::string_view name);
    void pop_on_queue(const Actor& actor, const ThreadOfSpace& thread, std::uint64_t queue);
    /// The thread submits to it.
    void on_submit(const Actor& actor, const ThreadOfSpace& thread, std::uint64_t queue,
                   Timestamp begin, Timestamp end);

    /// The innermost group that was open in the thread when a call of it began; empty: none.
    StringId find(const CallPlace& call) const;

private:
    static constexpr std::size_t most_names = 16384;
    static constexpr std::size_t most_depth = 64; // GL_MAX_DEBUG_GROUP_STACK_DEPTH is 64 as a rule
    static constexpr std::size_t most_stacks = 16384;
    static constexpr std::size_t most_changes = 16384; // of a thread
    static constexpr std::size_t most_threads = 4096;

    struct Stack {
        std::vector<StringId> names;
        std::size_t deeper = 0; // groups that were too deep to be kept

        StringId innermost() const { return names.empty() ? StringId{} : names.back(); }
        void push(StringId name);
        void pop();
    };
    struct Change {
        Timestamp since;
        StringId innermost;
    };
    struct Thread {
        std::uint64_t context = 0;
        std::deque<Change> changes;
    };
    /// Trace, namespace and number of the process; a context or queue by its handle.
    using StackKey = std::tuple<TraceId, std::uint32_t, std::int64_t, std::uint64_t>;

    Thread& thread_of(const ThreadOfSpace& id);
    Stack& stack_of(const Actor& actor, const ThreadOfSpace& thread, std::uint64_t handle);
    StringId name_of(std::string_view name);
    static void note(Thread& thread, Timestamp time, StringId innermost);

    StringPool& m_strings;
    std::unordered_set<StringId> m_names;
    std::map<ThreadOfSpace, Thread> m_threads;
    std::map<StackKey, Stack> m_stacks;
};

} // namespace lttng_gpu::model
