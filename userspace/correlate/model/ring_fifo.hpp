// SPDX-License-Identifier: MIT
//
// Infers when the hardware began a job, for one ring. A FIFO ring executes one
// job after the other, so started = max(submitted, previous completion on the
// ring). That is only said when nothing unseen can lie between: a completion
// that overtakes an earlier submission, or a gap in the trace, gives no start.
// Does not know queues, keys or events.
#pragma once

#include "../base/time.hpp"
#include "ring_buffer.hpp"

#include <cstdint>
#include <optional>

namespace lttng_gpu::model {

class RingFifo {
public:
    /// A job's place in the order of submission.
    using Place = std::uint64_t;

    struct Completion {
        std::optional<Timestamp> started; // empty: cannot be told
        bool is_violation = false;
    };

    /// Until when something may have happened on the ring that we cannot see.
    struct Doubt {
        std::optional<Timestamp> lost_until; // events of the trace are missing
        /// A job ended, then or before, of which the ring is unknown: it may have
        /// been this one. If so it came before what ends on the ring later.
        std::optional<Timestamp> stranger_until;
    };

    /// Late: an event after the submission told of it, so that its place says nothing.
    Place submit(Timestamp submitted, bool is_late = false);
    /// Exact: that is when it left the hardware; else it did so then or before.
    Completion complete(Place place, Timestamp completed, bool is_exact, const Doubt& doubt);
    /// The job was taken off the hardware before it completed. Only the one that
    /// was executing leaves the hardware free.
    Completion preempt(Place place, Timestamp time, const Doubt& doubt);

    /// A job whose submission was not seen ended on this ring.
    void complete_unseen(Timestamp completed, bool is_exact);

    /// One did so at this time or before.
    void note_stranger(Timestamp ended);

    /// The job will never complete as far as we can see (its end was lost).
    void forget(Place place);

    /// Of those on the device now it is not known whether they are on this ring.
    void doubt_all() { x_sure_from = x_next; }

    /// From now on nothing can be inferred on this ring.
    void set_unordered() { x_is_fifo = false; }

    /// Jobs submitted at the same time are in the order in which that was told.
    void set_ties_ordered() { x_are_ties_ordered = true; }

    bool has_completed() const { return x_ends.latest.has_value(); }
    /// Jobs on the device, and since when the oldest of them.
    std::size_t depth() const { return x_depth; }
    std::optional<Timestamp> oldest() const;
    bool is_executing(Place place) const;

private:
    struct InFlight {
        Place place = 0;
        Timestamp submitted;
        bool is_gone = false;
        bool is_late = false;
    };

    /// Until when jobs were seen to leave the hardware.
    struct Ends {
        std::optional<Timestamp> latest;
        std::optional<Timestamp> exact;
    };

    std::optional<std::size_t> find(Place place) const;
    /// Gives those before.
    Ends add_end(Timestamp time, bool is_exact);
    void remove(std::size_t at);
    void remove_through(std::size_t last);
    void drop_gone();
    std::optional<Timestamp> start_of(Timestamp submitted, const Ends& before,
                                      const Doubt& doubt) const;

    RingBuffer<InFlight> x_in_flight; // in order of place; the first is never gone
    Ends x_ends;
    std::optional<Timestamp> x_stranger_until; // see Doubt
    std::size_t x_depth = 0;
    Place x_next = 0;
    Place x_sure_from = 0;
    bool x_is_fifo = true;
    bool x_are_ties_ordered = false;
};

} // namespace lttng_gpu::model
