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

RingFifo::Place RingFifo::submit(Timestamp submitted, bool is_late, std::uint32_t owner)
{
    x_in_flight.push_back({x_next, submitted, owner, false, is_late, false});
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
    x_ended_unseen.clear();
    const auto at = find(place);
    if (!at) {
        return complete_overtaken(place, completed, is_exact);
    }
    const Timestamp submitted = x_in_flight[*at].submitted;
    const bool are_all_known = x_in_flight[*at].are_all_known;
    if (*at != 0 && is_overtaking(*at)) {
        overtake(*at, completed, doubt);
        return {};
    }
    // of two submitted at once the other may have been the first, and its end be among what is
    // missing
    const bool is_second = *at != 0 && x_in_flight.front().submitted == submitted &&
                           lacks_events(submitted, completed);
    remove(*at);
    if (before.latest && *before.latest > submitted) {
        x_order.agree(completed); // both were on the device
    }
    const auto started = place < x_sure_from || is_second
                             ? std::nullopt
                             : start_of(submitted, are_all_known, before, doubt);
    x_previous_submission = std::max(x_previous_submission.value_or(submitted), submitted);
    return {.started = started, .is_violation = false};
}

/// Not the first. One whose submission is known only by a later event, because its own is lost, has
/// a late place and an early time.
bool RingFifo::is_overtaking(std::size_t at) const
{
    const InFlight& job = x_in_flight[at];
    const Timestamp oldest = x_in_flight.front().submitted;
    const bool is_tie_ordered = x_are_ties_ordered && !job.is_late;
    return (oldest < job.submitted || (oldest == job.submitted && is_tie_ordered));
}

/// It leaves, and so do those submitted before it, for the ring goes on without them: their
/// completions are lost, or they hang, or the ring is not in order. Of one in a late place not
/// all that stand before it are earlier.
void RingFifo::overtake(std::size_t last, Timestamp completed, const Doubt& doubt)
{
    const InFlight through = x_in_flight[last];
    const bool is_order_known =
        x_knowledge != nullptr && x_promises_order && is_in_order(x_in_flight.front().submitted);
    const bool is_end_lost = is_since(doubt.lost_until, x_in_flight.front().submitted);
    for (std::size_t at = 0; at <= last; ++at) {
        InFlight& job = x_in_flight[at];
        const bool is_later = through.is_late && at != last && job.submitted >= through.submitted;
        if (job.is_gone || is_later) {
            continue;
        }
        job.is_gone = true;
        --x_depth;
        if (at != last) {
            if (x_overtaken.size() == most_overtaken) {
                x_overtaken.erase(x_overtaken.begin());
            }
            x_overtaken.push_back({job.place, job.submitted, completed, is_end_lost});
            if (is_order_known && job.submitted < through.submitted) {
                x_ended_unseen.push_back(job.owner);
            }
        }
    }
    x_previous_submission =
        std::max(x_previous_submission.value_or(through.submitted), through.submitted);
    doubt_after(last); // in a count that agreed these may have stood for others
    pop_gone();
}

/// Both jobs of a pair completed, the later one first. Equal times are no order; and where an
/// end is only known to have been then or before, it may have been before the other's.
RingFifo::Completion RingFifo::complete_overtaken(Place place, Timestamp completed, bool is_exact)
{
    const auto found = std::find_if(x_overtaken.begin(), x_overtaken.end(),
                                    [place](const Overtaken& job) { return job.place == place; });
    if (found == x_overtaken.end()) {
        return {};
    }
    const Overtaken job = *found;
    x_overtaken.erase(found);
    if (completed == job.at || (!is_exact && x_ends.exact)) {
        return {};
    }
    x_order.contradict({job.submitted, completed});
    return {.started = {}, .is_violation = true};
}

RingFifo::Completion RingFifo::preempt(Place place, Timestamp time, const Doubt& doubt)
{
    const auto at = find(place);
    if (!at) {
        return {};
    }
    const InFlight job = x_in_flight[*at];
    const bool was_executing = *at == 0;
    doubt_after(*at);
    remove(*at);
    if (!was_executing) {
        return {};
    }
    const auto started = start_of(job.submitted, job.are_all_known, add_end(time, true), doubt);
    const bool has_run = started && *started < time; // else it was its turn just then
    return {.started = has_run ? started : std::nullopt, .is_violation = false};
}

/// A completion before this job's start may be among what was not seen, unless the driver's count
/// shows that nothing unseen was there.
std::optional<Timestamp> RingFifo::start_of(Timestamp submitted, bool are_all_known,
                                            const Ends& before, const Doubt& doubt)
{
    const Timestamp started = std::max(submitted, before.latest.value_or(submitted));
    const bool is_plain = x_knowledge == nullptr && x_overtaken.empty() && x_order.is_calm();
    if (!x_promises_order || (!is_plain && !is_in_order(submitted))) {
        return {};
    }
    if (are_all_known) {
        return started;
    }
    const Timestamp settled = std::max(submitted, before.exact.value_or(submitted));
    if (is_since(doubt.lost_until, submitted) || is_after(doubt.stranger_until, settled) ||
        is_after(x_stranger_until, settled) ||
        (x_knowledge != nullptr && has_unseen_run(submitted, started))) {
        return {};
    }
    return started;
}

void RingFifo::set_all_known(Place place)
{
    if (const auto at = find(place)) {
        x_in_flight[*at].are_all_known = true;
        x_confirmed = x_in_flight[*at].submitted;
    }
}

void RingFifo::doubt_counts()
{
    for (std::size_t at = 0; at < x_in_flight.size(); ++at) {
        x_in_flight[at].are_all_known = false;
    }
}

/// One before these left the list without a known end.
void RingFifo::doubt_after(std::size_t at)
{
    for (std::size_t later = at + 1; later < x_in_flight.size(); ++later) {
        x_in_flight[later].are_all_known = false;
    }
    x_confirmed.reset();
}

/// Without knowledge of what comes: not while an overtaken job may still complete, which
/// drivers do not wait for longer than this.
bool RingFifo::is_in_order(Timestamp submitted)
{
    static constexpr Duration longest_wait{10'000'000'000};
    if (x_knowledge != nullptr) {
        const auto& disorder = x_knowledge->disorder;
        while (x_next_disorder < disorder.size() && disorder[x_next_disorder].end < submitted) {
            ++x_next_disorder;
        }
        const Timestamp now = *x_ends.latest;
        return x_next_disorder == disorder.size() || disorder[x_next_disorder].begin > now;
    }
    const Timestamp now = *x_ends.latest;
    return x_order.is_calm() &&
           std::none_of(x_overtaken.begin(), x_overtaken.end(), [now](const Overtaken& job) {
               return !job.is_end_lost && now - job.at <= longest_wait;
           });
}

/// Between this job and the one that completed before it another may have been submitted.
bool RingFifo::has_unseen_run(Timestamp submitted, Timestamp started)
{
    const auto& unseen = x_knowledge->unseen;
    for (; x_next_unseen < unseen.size() && unseen[x_next_unseen].submitted.begin <= submitted;
         ++x_next_unseen) {
        x_unseen.push_back(unseen[x_next_unseen]);
    }
    std::erase_if(x_unseen, [&](const UnseenRun& run) {
        return run.ended_by <= started ||
               (x_previous_submission && run.submitted.end < *x_previous_submission);
    });
    return !x_unseen.empty();
}

bool RingFifo::lacks_events(Timestamp since, Timestamp now)
{
    if (x_knowledge == nullptr) {
        return false;
    }
    const auto& missing = x_knowledge->missing;
    for (; x_next_missing < missing.size() && missing[x_next_missing].begin <= now;
         ++x_next_missing) {
        const Timestamp end = missing[x_next_missing].end;
        x_missing_until = std::max(x_missing_until.value_or(end), end);
    }
    return x_missing_until && *x_missing_until >= since;
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
        doubt_after(*at);
        remove(*at);
        return;
    }
    std::erase_if(x_overtaken, [place](const Overtaken& job) { return job.place == place; });
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
    pop_gone();
    if (x_in_flight.size() > 64 && x_depth * 2 < x_in_flight.size()) {
        drop_gone();
    }
}

void RingFifo::pop_gone()
{
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
