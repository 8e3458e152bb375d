// SPDX-License-Identifier: MIT
//
// Whether the thread or process that a kernel's event names is the one that made an API call: the
// numbers of both are equal, but may be of two machines or pid namespaces. It is the same
//   * where both traces have the context pid_ns and it is equal;
//   * where the caller is in the initial namespace, of which the kernel's numbers are;
//   * of a thread also where neither is told, and pid and name agree, too: an older recording.
#pragma once

#include "../system/actor_origins.hpp"
#include "../system/machines.hpp"

namespace lttng_gpu::model {

/// Who made API calls: by his numbers in his own namespace.
struct Caller {
    TraceId trace;
    std::uint32_t pid_ns = 0; // 0: unknown
    Known<Pid> pid;
    StringId comm;

    /// Events that cannot be told apart by more.
    bool is_alike(const Caller& other) const
    {
        return trace == other.trace && pid_ns == other.pid_ns;
    }
};

/// In order of what is worth saying when there is no better.
enum class CallerMatch : std::uint8_t { Elsewhere, MachineUnknown, NamespaceUnknown, Same };

class CallerMatcher {
public:
    CallerMatcher(const ActorOrigins& origins, Machines& machines)
        : m_origins{origins}, m_machines{machines}
    {
    }

    Caller caller_of(const Actor& actor) const;
    /// The numbers by which a caller would be known, of an actor in an event of the kernel's.
    std::optional<Tid> own_tid(const Actor& actor) const;
    std::optional<Pid> own_pid(const Actor& actor) const;

    /// The number of the thread is the same.
    CallerMatch match_thread(const Actor& actor, const Caller& caller) const;
    /// The number of the process is.
    CallerMatch match_process(const Actor& actor, const Caller& caller) const;

private:
    CallerMatch match_spaces(const ActorOrigin& origin, const Caller& caller) const;

    const ActorOrigins& m_origins;
    Machines& m_machines;
};

} // namespace lttng_gpu::model
