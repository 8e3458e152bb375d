// SPDX-License-Identifier: MIT
//
// See ring_fifo.hpp. Order of submission is the order of arrival; between equal
// times of submission the order is open, unless ties are ordered, and the one that completes first
// was the first.
#include "ring_fifo.hpp"

#include <algorithm>

namespace lttng_gpu::model {
namespace {

bool is_after(const std::optional<Timestamp>& until, Timestamp time)
{
    return until && *until > time;
}

bool is_since(const std::optional<Timestamp>& until, Timestamp time)
{
    return until && *until >= time;
}

} // namespace

RingFifo::Place RingFifo::submit(Timestamp submitted, bool is_late)
{
    x_in_flight.push_back({x_next, submitted, false, is_late});
    ++x_depth;
    return x_next++;
}

RingFifo::Ends RingFifo::add_end(Timestamp time, bool is_exact)
{
    const Ends before = x_ends;
    x_ends.latest = std::max(before.latest.value_or(time), time);
    if (is_exact) {
        x_ends.exact = std::max(before.exact.value_or(time), time);
    }
    return before;
}

RingFifo::Completion RingFifo::complete(Place place, Timestamp completed, bool is_exact,
                                        const Doubt& doubt)
{
    const Ends before = add_end(completed, is_exact);

    const auto at = find(place);
    if (!at && !is_exact && x_ends.exact) {
        return {}; // it may have left the hardware before the later one; where none is exact, no
    }
    if (!at) {
        // A later job completed first; the gap was not the reason after all.
        x_is_fifo = false;
        return {.started = {}, .is_violation = true};
    }
    const Timestamp submitted = x_in_flight[*at].submitted;
    const Timestamp oldest = x_in_flight.front().submitted;
    // One whose submission is known only by a later event, because its own is lost, has a
    // late place and an early time.
    const bool is_tie_ordered = x_are_ties_ordered && !x_in_flight[*at].is_late;
    const bool is_overtaking =
        *at != 0 && (oldest < submitted || (oldest == submitted && is_tie_ordered));
    if (is_overtaking && is_since(doubt.lost_until, oldest)) {
        remove_through(*at); // the earlier jobs may only have lost their completions
        return {};
    }
    remove(*at);
    if (is_overtaking) {
        x_is_fifo = false;
        return {.started = {}, .is_violation = true};
    }
    if (place < x_sure_from) {
        return {};
    }
    return {.started = start_of(submitted, before, doubt), .is_violation = false};
}

RingFifo::Completion RingFifo::preempt(Place place, Timestamp time, const Doubt& doubt)
{
    const auto at = find(place);
    if (!at) {
        return {};
    }
    const Timestamp submitted = x_in_flight[*at].submitted;
    const bool was_executing = *at == 0;
    remove(*at);
    if (!was_executing) {
        return {};
    }
    const auto started = start_of(submitted, add_end(time, true), doubt);
    const bool has_run = started && *started < time; // else it was its turn just then
    return {.started = has_run ? started : std::nullopt, .is_violation = false};
}

/// A completion before this job's start may be among what was not seen.
std::optional<Timestamp> RingFifo::start_of(Timestamp submitted, const Ends& before,
                                            const Doubt& doubt) const
{
    const Timestamp settled = std::max(submitted, before.exact.value_or(submitted));
    if (!x_is_fifo || is_since(doubt.lost_until, submitted) ||
        is_after(doubt.stranger_until, settled) || is_after(x_stranger_until, settled)) {
        return {};
    }
    return std::max(submitted, before.latest.value_or(submitted));
}

void RingFifo::complete_unseen(Timestamp completed, bool is_exact)
{
    add_end(completed, is_exact);
}

void RingFifo::note_stranger(Timestamp ended)
{
    x_stranger_until = std::max(x_stranger_until.value_or(ended), ended);
}

void RingFifo::forget(Place place)
{
    if (const auto at = find(place)) {
        remove(*at);
    }
}

std::optional<Timestamp> RingFifo::oldest() const
{
    return x_in_flight.is_empty() ? std::nullopt : std::optional{x_in_flight.front().submitted};
}

bool RingFifo::is_executing(Place place) const
{
    return !x_in_flight.is_empty() && x_in_flight.front().place == place;
}

std::optional<std::size_t> RingFifo::find(Place place) const
{
    if (x_in_flight.is_empty() || place < x_in_flight.front().place) {
        return {};
    }
    if (place == x_in_flight.front().place) {
        return 0; // the first is never gone
    }
    std::size_t low = 0;
    std::size_t high = x_in_flight.size();
    const std::size_t guess = place - x_in_flight.front().place; // right if none was dropped
    if (guess < high && x_in_flight[guess].place == place) {
        low = guess;
    } else {
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (x_in_flight[middle].place < place) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
    }
    const bool is_there =
        low < x_in_flight.size() && x_in_flight[low].place == place && !x_in_flight[low].is_gone;
    return is_there ? std::optional{low} : std::nullopt;
}

void RingFifo::remove(std::size_t at)
{
    x_in_flight[at].is_gone = true;
    --x_depth;
    while (!x_in_flight.is_empty() && x_in_flight.front().is_gone) {
        x_in_flight.pop_front();
    }
    if (x_in_flight.size() > 64 && x_depth * 2 < x_in_flight.size()) {
        drop_gone();
    }
}

/// It, and what was submitted before: of one in a late place not all that stand before it.
void RingFifo::remove_through(std::size_t last)
{
    const InFlight through = x_in_flight[last];
    for (std::size_t at = 0; at <= last; ++at) {
        InFlight& job = x_in_flight[at];
        const bool is_later = through.is_late && at != last && job.submitted >= through.submitted;
        if (!job.is_gone && !is_later) {
            job.is_gone = true;
            --x_depth;
        }
    }
    while (!x_in_flight.is_empty() && x_in_flight.front().is_gone) {
        x_in_flight.pop_front();
    }
}

/// One that never completes must not keep all that came after it in memory.
void RingFifo::drop_gone()
{
    std::size_t kept = 0;
    for (std::size_t at = 0; at < x_in_flight.size(); ++at) {
        if (!x_in_flight[at].is_gone) {
            x_in_flight[kept++] = x_in_flight[at];
        }
    }
    x_in_flight.resize_down(kept);
}

} // namespace lttng_gpu::model
