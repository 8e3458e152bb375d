// SPDX-License-Identifier: MIT
//
// Infers when the hardware began a job, for one ring. A FIFO ring executes one
// job after the other, so started = max(submitted, previous completion on the
// ring). That is only said when nothing unseen can lie between, and where the ring is known
// to be in order (order_evidence.hpp). What an earlier reading of the same capture found out
// about the ring may be given; without it the start of a job is not said while one that it
// overtook may still turn out to complete later.
// Does not know queues, keys or events.
#pragma once

#include "../base/bounded_deque.hpp"
#include "order_evidence.hpp"

#include <cstdint>
#include <optional>

namespace lttng_gpu::model {

/// A job of which no event shows when it was on the device, but others show that it existed:
/// submitted in this span, and ended by then.
struct UnseenRun {
    TimeSpan submitted;
    Timestamp ended_by;
};

/// What an earlier reading of the capture found out about a ring.
struct RingKnowledge {
    std::vector<TimeSpan> disorder; // in order of begin
    std::vector<UnseenRun> unseen;  // in order of the begin of `submitted`
    std::vector<TimeSpan> missing;  // events of its jobs, in order of begin
    bool is_shared_name = false;    // jobs of several rings have this name
};

class RingFifo {
public:
    /// A job's place in the order of submission.
    using Place = std::uint64_t;

    struct Completion {
        std::optional<Timestamp> started; // empty: cannot be told
        bool is_violation = false;        // it was submitted before one that completed earlier
    };

    /// Until when something may have happened on the ring that we cannot see.
    struct Doubt {
        std::optional<Timestamp> lost_until; // events of the trace are missing
        /// A job ended, then or before, of which the ring is unknown: it may have
        /// been this one. If so it came before what ends on the ring later.
        std::optional<Timestamp> unmatched_until;
    };

    /// Late: an event after the submission told of it, so that its place says nothing.
    /// `owner` comes back when later jobs prove that this one has ended.
    Place submit(Timestamp submitted, bool is_late = false, std::uint32_t owner = 0);
    /// The driver's own count of jobs on the hardware, at the submission of this one, shows that
    /// all of them are known: gaps in the trace do not matter for when it started.
    void set_all_known(Place place);
    /// One has ended before that was seen: until then it was counted among the known ones, where
    /// one that was submitted unseen may have been in its place.
    void doubt_counts();
    /// That was shown last at this time, so the jobs that are still here were on the device then.
    std::optional<Timestamp> confirmed() const { return m_confirmed; }
    /// Exact: that is when it left the hardware; else it did so then or before.
    Completion complete(Place place, Timestamp completed, bool is_exact, const Doubt& doubt);
    /// The job was taken off the hardware before it completed. Only the one that
    /// was executing leaves the hardware free.
    Completion preempt(Place place, Timestamp time, const Doubt& doubt);

    /// A job whose submission was not seen ended on this ring.
    void complete_unseen(Timestamp completed, bool is_exact);

    /// One did so at this time or before.
    void note_unmatched(Timestamp ended);

    /// The job will never complete as far as we can see (its end was lost).
    void forget(Place place);

    /// Of those on the device now it is not known whether they are on this ring.
    void doubt_all() { m_sure_from = m_next; }

    /// From now on nothing can be inferred on this ring.
    void set_unordered() { m_promises_order = false; }

    /// A job of it was given to the hardware a second time.
    void set_preemptive() { m_is_preemptive = true; }
    bool is_preemptive() const { return m_is_preemptive; }

    /// Jobs submitted at the same time are in the order in which that was told.
    void set_ties_ordered() { m_are_ties_ordered = true; }

    /// The whole capture was read before. `knowledge` must outlive this.
    void set_knowledge(const RingKnowledge& knowledge)
    {
        m_knowledge = &knowledge;
        m_promises_order = m_promises_order && !knowledge.is_shared_name;
    }

    /// An earlier reading met no sign that several rings have this name.
    bool is_known_single() const { return m_knowledge != nullptr && !m_knowledge->is_shared_name; }

    const OrderEvidence& order() const { return m_order; }

    /// The owners of jobs that must have ended unseen before the latest completion, because the
    /// ring is known to be in order there.
    const std::vector<std::uint32_t>& ended_unseen() const { return m_ended_unseen; }

    /// An earlier reading found that events of its jobs are missing between these two times. `now`
    /// never goes back.
    bool lacks_events(Timestamp since, Timestamp now);

    bool has_completed() const { return m_ends.latest.has_value(); }
    /// Jobs on the device, and since when the oldest of them.
    std::size_t depth() const { return m_depth; }
    std::optional<Timestamp> oldest() const;
    bool is_executing(Place place) const;

private:
    struct InFlight {
        Place place = 0;
        Timestamp submitted;
        std::uint32_t owner = 0;
        bool is_gone = false;
        bool is_late = false;
        bool are_all_known = false; // those before it
    };

    /// Later ones completed first; its own completion may still come.
    struct Overtaken {
        Place place = 0;
        Timestamp submitted;
        Timestamp at;             // the first completion that passed it
        bool is_end_lost = false; // its own may lie in a gap
    };

    /// Until when jobs were seen to leave the hardware.
    struct Ends {
        std::optional<Timestamp> latest;
        std::optional<Timestamp> exact;
    };

    static constexpr std::size_t most_overtaken = 64;

    std::optional<std::size_t> find(Place place) const;
    /// Gives those before.
    Ends add_end(Timestamp time, bool is_exact);
    void remove(std::size_t at);
    bool is_overtaking(std::size_t at) const;
    void overtake(std::size_t last, Timestamp completed, const Doubt& doubt);
    Completion complete_overtaken(Place place, Timestamp completed, bool is_exact);
    void drop_gone();
    void pop_gone();
    std::optional<Timestamp> start_of(Timestamp submitted, bool are_all_known, const Ends& before,
                                      const Doubt& doubt);
    void doubt_after(std::size_t at);
    bool is_in_order(Timestamp submitted);
    bool has_unseen_run(Timestamp submitted, Timestamp started);

    BoundedDeque<InFlight> m_in_flight; // in order of place; the first is never gone
    Ends m_ends;
    std::optional<Timestamp> m_unmatched_until; // see Doubt
    std::size_t m_depth = 0;
    Place m_next = 0;
    Place m_sure_from = 0;
    std::optional<Timestamp> m_confirmed;
    bool m_promises_order = true;
    bool m_are_ties_ordered = false;
    bool m_is_preemptive = false;
    OrderEvidence m_order;
    std::vector<Overtaken> m_overtaken;
    std::vector<std::uint32_t> m_ended_unseen;
    const RingKnowledge* m_knowledge = nullptr;
    std::size_t m_next_disorder = 0; // the first that may overlap what comes
    std::size_t m_next_unseen = 0;   // the first that begins later
    std::size_t m_next_missing = 0;
    std::optional<Timestamp> m_missing_until;
    std::vector<UnseenRun> m_unseen;                // those that may be on the device
    std::optional<Timestamp> m_previous_submission; // the latest of those completed
};

} // namespace lttng_gpu::model
