// SPDX-License-Identifier: MIT
//
// Where the numbers of processes and threads hold. LTTng's kernel tracer has the numbers of the
// initial pid namespace (contexts pid and tid) and, where asked to, the thread's namespace and its
// numbers in there (pid_ns, vpid, vtid); its user space tracer has the latter only. An actor
// carries the number of its origin, so that a job has no more to carry.
#pragma once

#include "../base/flat_table.hpp"
#include "../base/gpu_event.hpp"
#include "../base/per_trace.hpp"
#include "../trace/raw_event.hpp"

namespace lttng_gpu::model {

/// The inode of the initial pid namespace, in every kernel since 3.8 (PROC_PID_INIT_INO in
/// include/linux/proc_ns.h).
inline constexpr std::uint32_t initial_pid_namespace = 0xEFFFFFFC;

struct ActorOrigin {
    TraceId trace;
    std::uint32_t pid_ns = 0; // of the thread, by its inode; 0: unknown
    /// The actor's numbers are those in its own namespace, in the initial one, or in both; where
    /// they are not its own, these may be here.
    bool has_own_numbers = false;
    bool has_global_numbers = false;
    Known<Pid> own_pid;
    Known<Tid> own_tid;

    friend bool operator==(const ActorOrigin&, const ActorOrigin&) = default;
    std::uint64_t hash() const;
};

class ActorOrigins {
public:
    ActorOrigins() { m_origins.emplace_back(); } // OriginId{}: nothing is known

    OriginId of(const trace::RawEvent& event)
    {
        const trace::ContextValues& context = event.context;
        if (context.vtid.kind() == trace::FieldValue::Kind::None &&
            context.pid_ns.kind() == trace::FieldValue::Kind::None) [[likely]] {
            return plain(event.trace);
        }
        return find_or_add(origin_of(event));
    }
    const ActorOrigin& at(OriginId origin) const { return m_origins[origin.value()]; }

private:
    static constexpr std::size_t most_origins = 1U << 20U; // 100 MB; a container's threads

    static ActorOrigin origin_of(const trace::RawEvent& event);
    /// Of events without the contexts.
    OriginId plain(TraceId trace)
    {
        OriginId& known = m_plain[trace];
        return known != OriginId{} ? known : known = add({trace, 0, false, true, {}, {}});
    }
    OriginId find_or_add(const ActorOrigin& origin);
    OriginId add(const ActorOrigin& origin);

    std::vector<ActorOrigin> m_origins; // by number
    FlatTable<ActorOrigin, OriginId> m_ids;
    PerTrace<OriginId> m_plain;
    OriginId m_last;
};

} // namespace lttng_gpu::model
