// SPDX-License-Identifier: MIT
//
// Infers when the hardware began a job, for one ring. A FIFO ring executes one
// job after the other, so started = max(submitted, previous completion on the
// ring). That is only said when nothing unseen can lie between: a completion
// that overtakes an earlier submission, or a gap in the trace, gives no start.
// Does not know queues, keys or events.
#pragma once

#include "../base/time.hpp"

#include <map>
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
        /// A job completed whose submission was not seen and whose ring is
        /// therefore unknown: it may have been this one.
        std::optional<Timestamp> unseen_until;
    };

    Place submit(Timestamp submitted);
    Completion complete(Place place, Timestamp completed, const Doubt& doubt);

    /// A job whose submission was not seen ended on this ring.
    void complete_unseen(Timestamp completed);

    /// The job will never complete as far as we can see (its end was lost).
    void forget(Place place) { x_in_flight.erase(place); }

    /// From now on nothing can be inferred on this ring.
    void set_unordered() { x_is_fifo = false; }

    bool has_completed() const { return x_previous.has_value(); }

private:
    bool is_passed(Place place) const { return !x_in_flight.contains(place); }
    /// Whether a job submitted before `place` is still in flight.
    bool overtakes(Place place) const { return x_in_flight.begin()->first < place; }

    std::map<Place, Timestamp> x_in_flight; // submitted, and not passed by a later job
    std::optional<Timestamp> x_previous;    // latest completion
    Place x_next = 0;
    bool x_is_fifo = true;
};

} // namespace lttng_gpu::model
