// SPDX-License-Identifier: MIT
//
// Threads and processes met so far, numbered from 1. Numbers of the system tell them apart only
// within an origin (system/actor_origins.hpp), and a thread that took another name is another one
// here, so that each job shows the name that its thread had.
#pragma once

#include "../../correlate/base/gpu_event.hpp"

#include <unordered_map>
#include <vector>

namespace lttng_gpu::exporting {

class ActorNumbers {
public:
    struct Process {
        Known<Pid> pid;
        StringId comm;        // of the main thread, or else of the first that was seen
        bool is_main = false; // it is that of the main thread
    };
    struct Thread {
        std::size_t process = 0; // its number
        Known<Tid> tid;
        StringId comm;
    };

    std::size_t thread_of(const model::Actor& actor)
    {
        const Key key{actor.pid, actor.tid, actor.comm, actor.origin};
        if (key == m_last_key) [[likely]] {
            return m_last;
        }
        const auto [place, is_new] = m_thread_ids.try_emplace(key, m_threads.size() + 1);
        if (is_new) {
            m_threads.push_back({process_of(actor), actor.tid, actor.comm});
        }
        m_last_key = key;
        return m_last = place->second;
    }
    const Thread& thread(std::size_t number) const { return m_threads[number - 1]; }
    const Process& process(std::size_t number) const { return m_processes[number - 1]; }
    const std::vector<Thread>& threads() const { return m_threads; }
    const std::vector<Process>& processes() const { return m_processes; }

private:
    struct Key {
        Known<Pid> pid;
        Known<Tid> tid;
        StringId comm;
        OriginId origin;

        friend bool operator==(const Key&, const Key&) = default;
    };
    struct Hash {
        std::size_t operator()(const Key& key) const
        {
            std::uint64_t hash = mix_hash(static_cast<std::uint64_t>((*key.pid).value()),
                                          static_cast<std::uint64_t>((*key.tid).value()));
            hash = mix_hash(hash, key.comm.value());
            return mix_hash(hash, key.origin.value());
        }
    };

    std::size_t process_of(const model::Actor& actor)
    {
        // Threads of unknown processes have nothing in common: each has one of its own.
        const Key key{actor.pid, actor.pid ? Known<Tid>{} : actor.tid, {}, actor.origin};
        const auto [place, is_new] = m_process_ids.try_emplace(key, m_processes.size() + 1);
        const bool is_main = actor.pid && actor.tid && actor.pid->value() == actor.tid->value();
        if (is_new) {
            m_processes.push_back({actor.pid, actor.comm, is_main});
            return place->second;
        }
        Process& process = m_processes[place->second - 1];
        if (is_main && !process.is_main) {
            process.comm = actor.comm;
            process.is_main = true;
        }
        return place->second;
    }

    Key m_last_key{{}, {}, StringId{UINT32_MAX}, {}}; // like no actor's
    std::size_t m_last = 0;
    std::unordered_map<Key, std::size_t, Hash> m_thread_ids;
    std::unordered_map<Key, std::size_t, Hash> m_process_ids;
    std::vector<Thread> m_threads;
    std::vector<Process> m_processes;
};

} // namespace lttng_gpu::exporting
