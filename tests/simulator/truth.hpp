// SPDX-License-Identifier: MIT
//
// The oracle: what a stream tells of each job, found out from the stream and the
// true lives alone, slowly and without any of the correlator's code.
#pragma once

#include "scenario.hpp"

#include <optional>
#include <unordered_map>

namespace lttng_gpu::simulator {

/// One event that tells of a job; weak ones count only when no strong one came.
struct Told {
    Time time;
    Phase phase;
    std::uint8_t interval;
    bool is_weak;
    bool is_by_pointer;
    std::uint32_t event; // index into the stream
};

class Truth {
public:
    /// `whole` is the stream before anything was lost, `kept` what the reader sees.
    Truth(const World& world, const Scenario& scenario, const Stream& whole, const Stream& kept);

    const std::vector<Told>& told(std::uint32_t job) const { return m_told[job]; }

    /// Times that may be shown for a phase: those of strong events, else of weak.
    std::vector<Time> times(std::uint32_t job, Phase phase,
                            std::optional<std::uint8_t> interval = {}) const;
    bool is_allowed(std::uint32_t job, Phase phase, Time time,
                    std::optional<std::uint8_t> interval = {}) const;
    /// By any event, strong or weak.
    bool is_told(std::uint32_t job, Phase phase, Time time) const;
    /// Of any interval: each has its own events.
    bool is_submission(std::uint32_t job, Time time) const;
    bool has_strong(std::uint32_t job, Phase phase) const;
    /// Of xe's jobs; at the very beginning where there is no such thing.
    Time first_sched_event() const;
    /// When the stream says that the job ended, or would have said without losses.
    Time whole_end(std::uint32_t job) const { return m_whole_end[job]; }
    /// The interval that the engine ran before this one; none for the first.
    struct Previous {
        std::uint32_t job;
        std::uint8_t interval;
    };
    std::optional<Previous> previous(std::uint32_t job, std::uint8_t interval) const;

    /// Whether events may be missing between the two times.
    bool is_lossy(Time begin, Time end) const;
    bool has_real_loss_after(Time time) const;
    /// A completion in [begin, end] that does not tell its ring, of a job of which
    /// nothing was told before, or only that somebody waits for it on this ring.
    bool has_stranger(Time begin, Time end, std::uint32_t ring, std::uint32_t except) const;
    /// When an event told that the interval ended just then, on a ring of this device: a
    /// fence is signaled later.
    std::optional<Time> exact_end(const Previous& interval) const;
    /// One job was submitted to the ring just when another one ended there.
    bool has_tie(std::uint32_t ring, Time begin, Time end) const;
    /// The job, or one that carried it, came off the hardware unfinished, and events
    /// are lost or came before the trace began: those before may tell of another giving, which
    /// makes this nothing, those after of its return. Then nothing tells when it was last
    /// submitted, nor when what it carried was.
    bool is_return_in_doubt(std::uint32_t job) const;
    /// The thread that the reader can know for this event.
    bool is_thread_known(std::uint32_t event) const { return m_is_thread_known[event]; }
    /// Signals that come before what they end, at the same time, are not understood;
    /// then starts after them are no better.
    bool is_tied_start(std::uint32_t ring) const;
    bool has_device() const;
    /// Two rings have one name, and the events do not tell their devices apart.
    bool is_ambiguous(std::uint32_t ring) const;
    /// When the ring's events first showed that it keeps no order.
    Time first_violation(std::uint32_t ring) const { return m_violations[ring]; }

private:
    void collect(const Stream& whole, const Stream& kept);
    void weaken(std::uint32_t job, bool has_scheduled_init);
    void order_hardware();
    void follow_threads();
    void find_strangers();
    void find_violations();
    void find_given_back();

    const World& m_world;
    const Scenario& m_scenario;
    const Stream& m_kept;
    std::vector<std::vector<Told>> m_told;
    std::vector<Time> m_whole_end;
    std::vector<std::vector<std::optional<Previous>>> m_previous;
    std::vector<bool> m_is_thread_known;
    struct UnmatchedSignal {
        Time time;
        std::uint32_t job;
        bool is_ring_told;
    };
    std::vector<UnmatchedSignal> m_unmatched_signals; // in order of time
    std::vector<Time> m_violations;
    struct GivenBack {
        Time time;
        std::uint32_t job;
    };
    std::unordered_map<std::uint64_t, std::vector<GivenBack>> m_given_back; // by context
};

} // namespace lttng_gpu::simulator
