// SPDX-License-Identifier: MIT
//
// Who runs where: the thread on each CPU and the process of each thread, from
// sched_switch, fork and the state dump. Used only where an event does not
// carry the contexts pid, tid and procname itself. Bounded: of too many threads
// those that nobody asked for are forgotten and counted.
#pragma once

#include "../base/bounded_table.hpp"
#include "../base/gpu_event.hpp"
#include "../base/per_trace.hpp"
#include "../trace/raw_event.hpp"
#include "actor_origins.hpp"
#include "text_ids.hpp"

namespace lttng_gpu::model {

struct ThreadKey {
    TraceId trace;
    Tid tid;

    friend bool operator==(const ThreadKey&, const ThreadKey&) = default;
    std::uint64_t hash() const
    {
        return mix_hash(trace.value(), static_cast<std::uint64_t>(tid.value()));
    }
};

class ThreadTable {
public:
    void on_switch(const trace::RawEvent& event, Tid tid, std::string_view comm);
    void on_process(TraceId trace, Tid tid, Pid pid, StringId comm);
    /// A switch may be among the lost events: who runs on that CPU is unknown
    /// until the first switch after the gap.
    void on_loss(const trace::Loss& loss);

    /// Contexts of the event first, then what was learned before.
    Actor actor_of(const trace::RawEvent& event, TextIds& texts);
    /// The thread alone, which is all that joining events of one thread needs.
    std::optional<Tid> tid_of(const trace::RawEvent& event);

    const ActorOrigins& origins() const { return m_origins; }

    std::uint64_t take_forgotten() { return m_threads.take_forgotten(); }

private:
    struct Thread {
        Pid pid;
        StringId comm;
    };
    /// The name is kept as it is; most are never asked for.
    struct Running {
        Tid tid;
        std::array<char, 16> comm{};
        std::uint8_t comm_length = 0;
        bool is_known = false;
        bool has_gap = false;
        Timestamp lost_until;
    };
    static constexpr std::size_t most_cpus = 8192;

    Running* running_on(TraceId trace, Cpu cpu);

    ActorOrigins m_origins;
    PerTrace<std::vector<Running>> m_cpus;
    BoundedTable<ThreadKey, Thread, 32768> m_threads;
};

} // namespace lttng_gpu::model
