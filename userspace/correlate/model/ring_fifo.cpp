// SPDX-License-Identifier: MIT
//
// See ring_fifo.hpp. Order of submission is the order of arrival, so that equal
// timestamps do no harm.
#include "ring_fifo.hpp"

#include <algorithm>

namespace lttng_gpu::model {

RingFifo::Place RingFifo::submit(Timestamp submitted)
{
    x_in_flight.emplace_hint(x_in_flight.end(), x_next, submitted);
    return x_next++;
}

RingFifo::Completion RingFifo::complete(Place place, Timestamp completed, const Doubt& doubt)
{
    const auto previous = x_previous;
    x_previous = std::max(previous.value_or(completed), completed);

    if (is_passed(place)) {
        // A later job completed first; the gap was not the reason after all.
        x_is_fifo = false;
        return {.started = {}, .is_violation = true};
    }
    const Timestamp submitted = x_in_flight.at(place);
    const Timestamp oldest = x_in_flight.begin()->second;
    const bool is_overtaking = overtakes(place);
    const auto lost_since = [&](Timestamp time) {
        return doubt.lost_until && *doubt.lost_until >= time;
    };
    const bool is_unseen_since = doubt.unseen_until && *doubt.unseen_until > submitted;

    if (is_overtaking && lost_since(oldest)) {
        // The earlier jobs may only have lost their completion events.
        x_in_flight.erase(x_in_flight.begin(), std::next(x_in_flight.find(place)));
        return {};
    }
    x_in_flight.erase(place);
    if (is_overtaking) {
        x_is_fifo = false;
        return {.started = {}, .is_violation = true};
    }
    if (!x_is_fifo || lost_since(submitted) || is_unseen_since) {
        return {}; // a completion before this job's start may be among the lost
    }
    return {.started = std::max(submitted, previous.value_or(submitted)), .is_violation = false};
}

void RingFifo::complete_unseen(Timestamp completed)
{
    x_previous = std::max(x_previous.value_or(completed), completed);
}

} // namespace lttng_gpu::model
