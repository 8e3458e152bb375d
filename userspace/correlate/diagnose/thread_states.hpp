// SPDX-License-Identifier: MIT
//
// What threads did, from sched_switch and sched_wakeup: ran, could have run (and who ran
// instead), or slept (and who woke them). Fed in order of time by the reading that makes jobs,
// whose rows come a little later. Bounded: of threads that submit jobs the last states are
// remembered, of others few.
#pragma once

#include "../system/thread_observer.hpp"
#include "reason.hpp"

#include <deque>
#include <map>
#include <unordered_map>

namespace lttng_gpu::diagnose {

struct ThreadId {
    TraceId trace;
    Tid tid;

    friend bool operator==(const ThreadId&, const ThreadId&) = default;
    struct Hash {
        std::size_t operator()(const ThreadId& thread) const
        {
            return mix_hash(thread.trace.value(), static_cast<std::uint64_t>(thread.tid.value()));
        }
    };
};

/// Waking: it could run, and the CPU that then ran it was idle. Nobody kept it from running.
enum class ThreadState : std::uint8_t { Unknown, Running, Ready, Waking, Blocked };

/// From `since` on.
struct StateChange {
    Timestamp since;
    std::int32_t by = 0;    // Ready: the thread that runs there instead; 0: unknown
    std::int32_t waker = 0; // Blocked: who ran where it was woken; 0: unknown
    ThreadName by_name;     // of either; of what runs its own
    ThreadState state = ThreadState::Unknown;
    bool is_preempted = false; // Ready, because the one that runs instead took its CPU
    bool is_woken = false;     // Running or Blocked: a wakeup of it came
    bool is_deep = false;      // Blocked, and no signal ends it: for a disk, not for work
    bool is_of_others = false; // Blocked, and the waker is of another process
};

struct LostTime {
    TraceId trace;
    Timestamp begin;
    Timestamp end;
};

class ThreadStates final : public model::ThreadObserver {
public:
    void on_switch(const trace::RawEvent& event) override;
    void on_wakeup(const trace::RawEvent& event) override;
    void on_loss(const trace::Loss& loss) override;

    /// This thread submits jobs: its states are remembered for longer.
    void follow(const ThreadId& thread);

    bool has_events(TraceId trace) const { return m_machines.contains(trace); }
    bool has_any_events() const { return !m_machines.empty(); }
    /// The trace whose scheduler ran a thread of `trace`: itself, or the only one that has
    /// scheduler events; there the thread must have that name.
    std::optional<ThreadId> find(const ThreadId& thread, std::string_view name) const;
    /// It was seen running under this name.
    bool is_named(const ThreadId& thread, std::string_view name) const;

    /// Calls visit(const StateChange&, begin, end) for stretches of [begin, end) in order; parts
    /// of which nothing is known have the state Unknown.
    template <typename Visit>
    void visit(const ThreadId& thread, Timestamp begin, Timestamp end, const Visit& visitor) const
    {
        Timestamp at = begin;
        const auto found = m_threads.find(thread);
        if (found != m_threads.end()) {
            const History& history = found->second;
            for (std::size_t place = history.place_before(begin);
                 place < history.changes.size() && history.changes[place].since < end; ++place) {
                const StateChange& change = history.changes[place];
                const Timestamp until = place + 1 < history.changes.size()
                                            ? std::min(end, history.changes[place + 1].since)
                                            : end;
                const Timestamp from = std::max(begin, change.since);
                if (from > at) {
                    visitor(StateChange{}, at, from);
                    at = from;
                }
                if (until > at) {
                    visitor(change, at, until);
                    at = until;
                }
            }
        }
        if (end > at) {
            visitor(StateChange{}, at, end);
        }
    }

    const std::deque<LostTime>& lost() const { return m_lost; }
    /// For tests of bounds.
    std::size_t remembered() const { return m_total; }

private:
    struct History {
        std::vector<StateChange> changes;
        std::int64_t pid = 0; // 0: unknown
        bool is_followed = false;

        std::size_t place_before(Timestamp time) const;
    };
    struct Running {
        std::int32_t tid = 0;
        ThreadName name;
        Timestamp since; // that is known
    };
    struct Machine {
        std::vector<Running> cpus;
        std::vector<std::deque<Running>> earlier; // the last ones of each, oldest first
    };

    Running* running_on(TraceId trace, Cpu cpu);
    static bool is_overtaken(const History& history);
    void settle_ready(const ThreadId& next, const Running& before,
                      const std::deque<Running>& earlier, Timestamp now);
    void change_by_runs(const ThreadId& thread, const std::vector<Running>& runs, Timestamp now);
    History& change(const ThreadId& thread, const StateChange& change);
    void forget_some();

    std::unordered_map<ThreadId, History, ThreadId::Hash> m_threads;
    std::map<TraceId, Machine> m_machines;
    std::deque<LostTime> m_lost;
    std::size_t m_total = 0;
};

} // namespace lttng_gpu::diagnose
