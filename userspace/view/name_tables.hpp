// SPDX-License-Identifier: MIT
//
// The tables that the page's jobs point into: threads and their processes, fence contexts, API
// calls. Texts are looked up at the end only, because another thread may be adding some.
#pragma once

#include "../correlate/jobs/job.hpp"
#include "../correlate/system/process_identity.hpp"

#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace lttng_gpu::view {

struct ProcessEntry {
    Known<Pid> pid;
    Known<Tid> tid; // of its thread, only where the process is unknown
    StringId comm;  // of its first thread, else of the one that was seen first
    std::uint64_t jobs = 0;
};

struct ActorEntry {
    std::uint32_t process = 0;
    Known<Tid> tid;
    StringId comm;
};

class NameTables {
public:
    std::uint32_t actor(const model::Actor& actor);
    /// 0 is the unknown one.
    std::uint32_t context(Known<FenceContext> context);
    /// 0 is none.
    std::uint32_t text(StringId text);

    ProcessEntry& process_of(std::uint32_t actor) { return m_processes[m_actors[actor].process]; }
    std::uint32_t process_number(std::uint32_t actor) const { return m_actors[actor].process; }
    /// Processes with the most jobs have a class, and so a colour, of their own. One that is in two
    /// traces, of the kernel and of user space, has the same in both.
    std::vector<std::uint8_t> classes(std::size_t count) const;

    const std::vector<ProcessEntry>& processes() const { return m_processes; }
    const std::vector<ActorEntry>& actors() const { return m_actors; }
    const std::vector<std::uint64_t>& contexts() const { return m_contexts; }
    const std::vector<StringId>& texts() const { return m_texts; }

private:
    using ActorKey = std::tuple<OriginId, Known<Pid>, Known<Tid>, StringId>;
    std::map<ActorKey, std::uint32_t> m_actor_numbers;
    std::map<model::ProcessIdentity, std::uint32_t> m_process_numbers;
    std::unordered_map<std::uint64_t, std::uint32_t> m_context_numbers;
    std::unordered_map<StringId, std::uint32_t> m_text_numbers;
    std::vector<ProcessEntry> m_processes;
    std::vector<ActorEntry> m_actors;
    std::vector<std::uint64_t> m_contexts{0};
    std::vector<StringId> m_texts{StringId{}};
    ActorKey m_last_key;
    std::uint32_t m_last_actor = UINT32_MAX;
};

} // namespace lttng_gpu::view
