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
    m_in_flight.push_back({m_next, submitted, owner, false, is_late, false});
    ++m_depth;
    return m_next++;
}

RingFifo::Ends RingFifo::add_end(Timestamp time, bool is_exact)
{
    const Ends before = m_ends;
    m_ends.latest = std::max(before.latest.value_or(time), time);
    if (is_exact) {
        m_ends.exact = std::max(before.exact.value_or(time), time);
    }
    return before;
}

RingFifo::Completion RingFifo::complete(Place place, Timestamp completed, bool is_exact,
                                        const Doubt& doubt)
{
    const Ends before = add_end(completed, is_exact);
    m_ended_unseen.clear();
    const auto at = find(place);
    if (!at) {
        return complete_overtaken(place, completed, is_exact);
    }
    const Timestamp submitted = m_in_flight[*at].submitted;
    const bool are_all_known = m_in_flight[*at].are_all_known;
    if (*at != 0 && is_overtaking(*at)) {
        overtake(*at, completed, doubt);
        return {};
    }
    // of two submitted at once the other may have been the first, and its end be among what is
    // missing
    const bool is_second = *at != 0 && m_in_flight.front().submitted == submitted &&
                           lacks_events(submitted, completed);
    remove(*at);
    if (before.latest && *before.latest > submitted) {
        m_order.agree(completed); // both were on the device
    }
    const auto started = place < m_sure_from || is_second
                             ? std::nullopt
                             : start_of(submitted, are_all_known, before, doubt);
    m_previous_submission = std::max(m_previous_submission.value_or(submitted), submitted);
    return {.started = started, .is_violation = false};
}

/// Not the first. One whose submission is known only by a later event, because its own is lost, has
/// a late place and an early time.
bool RingFifo::is_overtaking(std::size_t at) const
{
    const InFlight& job = m_in_flight[at];
    const Timestamp oldest = m_in_flight.front().submitted;
    const bool is_tie_ordered = m_are_ties_ordered && !job.is_late;
    return (oldest < job.submitted || (oldest == job.submitted && is_tie_ordered));
}

/// It leaves, and so do those submitted before it, for the ring goes on without them: their
/// completions are lost, or they hang, or the ring is not in order. Of one in a late place not
/// all that stand before it are earlier.
void RingFifo::overtake(std::size_t last, Timestamp completed, const Doubt& doubt)
{
    const InFlight through = m_in_flight[last];
    const bool is_order_known =
        m_knowledge != nullptr && m_promises_order && is_in_order(m_in_flight.front().submitted);
    const bool is_end_lost = is_since(doubt.lost_until, m_in_flight.front().submitted);
    for (std::size_t at = 0; at <= last; ++at) {
        InFlight& job = m_in_flight[at];
        const bool is_later = through.is_late && at != last && job.submitted >= through.submitted;
        if (job.is_gone || is_later) {
            continue;
        }
        job.is_gone = true;
        --m_depth;
        if (at != last) {
            if (m_overtaken.size() == most_overtaken) {
                m_overtaken.erase(m_overtaken.begin());
            }
            m_overtaken.push_back({job.place, job.submitted, completed, is_end_lost});
            if (is_order_known && job.submitted < through.submitted) {
                m_ended_unseen.push_back(job.owner);
            }
        }
    }
    m_previous_submission =
        std::max(m_previous_submission.value_or(through.submitted), through.submitted);
    doubt_after(last); // in a count that agreed these may have stood for others
    pop_gone();
}

/// Both jobs of a pair completed, the later one first. Equal times are no order; and where an
/// end is only known to have been then or before, it may have been before the other's.
RingFifo::Completion RingFifo::complete_overtaken(Place place, Timestamp completed, bool is_exact)
{
    const auto found = std::find_if(m_overtaken.begin(), m_overtaken.end(),
                                    [place](const Overtaken& job) { return job.place == place; });
    if (found == m_overtaken.end()) {
        return {};
    }
    const Overtaken job = *found;
    m_overtaken.erase(found);
    if (completed == job.at || (!is_exact && m_ends.exact)) {
        return {};
    }
    m_order.contradict({job.submitted, completed});
    return {.started = {}, .is_violation = true};
}

RingFifo::Completion RingFifo::preempt(Place place, Timestamp time, const Doubt& doubt)
{
    const auto at = find(place);
    if (!at) {
        return {};
    }
    const InFlight job = m_in_flight[*at];
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
    const bool is_plain = m_knowledge == nullptr && m_overtaken.empty() && m_order.is_calm();
    if (!m_promises_order || (!is_plain && !is_in_order(submitted))) {
        return {};
    }
    if (are_all_known) {
        return started;
    }
    const Timestamp settled = std::max(submitted, before.exact.value_or(submitted));
    if (is_since(doubt.lost_until, submitted) || is_after(doubt.unmatched_until, settled) ||
        is_after(m_unmatched_until, settled) ||
        (m_knowledge != nullptr && has_unseen_run(submitted, started))) {
        return {};
    }
    return started;
}

void RingFifo::set_all_known(Place place)
{
    if (const auto at = find(place)) {
        m_in_flight[*at].are_all_known = true;
        m_confirmed = m_in_flight[*at].submitted;
    }
}

void RingFifo::doubt_counts()
{
    for (std::size_t at = 0; at < m_in_flight.size(); ++at) {
        m_in_flight[at].are_all_known = false;
    }
}

/// One before these left the list without a known end.
void RingFifo::doubt_after(std::size_t at)
{
    for (std::size_t later = at + 1; later < m_in_flight.size(); ++later) {
        m_in_flight[later].are_all_known = false;
    }
    m_confirmed.reset();
}

/// Without knowledge of what comes: not while an overtaken job may still complete, which
/// drivers do not wait for longer than this.
bool RingFifo::is_in_order(Timestamp submitted)
{
    static constexpr Duration longest_wait{10'000'000'000};
    if (m_knowledge != nullptr) {
        const auto& disorder = m_knowledge->disorder;
        while (m_next_disorder < disorder.size() && disorder[m_next_disorder].end < submitted) {
            ++m_next_disorder;
        }
        const Timestamp now = *m_ends.latest;
        return m_next_disorder == disorder.size() || disorder[m_next_disorder].begin > now;
    }
    const Timestamp now = *m_ends.latest;
    return m_order.is_calm() &&
           std::none_of(m_overtaken.begin(), m_overtaken.end(), [now](const Overtaken& job) {
               return !job.is_end_lost && now - job.at <= longest_wait;
           });
}

/// Between this job and the one that completed before it another may have been submitted.
bool RingFifo::has_unseen_run(Timestamp submitted, Timestamp started)
{
    const auto& unseen = m_knowledge->unseen;
    for (; m_next_unseen < unseen.size() && unseen[m_next_unseen].submitted.begin <= submitted;
         ++m_next_unseen) {
        m_unseen.push_back(unseen[m_next_unseen]);
    }
    std::erase_if(m_unseen, [&](const UnseenRun& run) {
        return run.ended_by <= started ||
               (m_previous_submission && run.submitted.end < *m_previous_submission);
    });
    return !m_unseen.empty();
}

bool RingFifo::lacks_events(Timestamp since, Timestamp now)
{
    if (m_knowledge == nullptr) {
        return false;
    }
    const auto& missing = m_knowledge->missing;
    for (; m_next_missing < missing.size() && missing[m_next_missing].begin <= now;
         ++m_next_missing) {
        const Timestamp end = missing[m_next_missing].end;
        m_missing_until = std::max(m_missing_until.value_or(end), end);
    }
    return m_missing_until && *m_missing_until >= since;
}

void RingFifo::complete_unseen(Timestamp completed, bool is_exact)
{
    add_end(completed, is_exact);
}

void RingFifo::note_unmatched(Timestamp ended)
{
    m_unmatched_until = std::max(m_unmatched_until.value_or(ended), ended);
}

void RingFifo::forget(Place place)
{
    if (const auto at = find(place)) {
        doubt_after(*at);
        remove(*at);
        return;
    }
    std::erase_if(m_overtaken, [place](const Overtaken& job) { return job.place == place; });
}

std::optional<Timestamp> RingFifo::oldest() const
{
    return m_in_flight.is_empty() ? std::nullopt : std::optional{m_in_flight.front().submitted};
}

bool RingFifo::is_executing(Place place) const
{
    return !m_in_flight.is_empty() && m_in_flight.front().place == place;
}

std::optional<std::size_t> RingFifo::find(Place place) const
{
    if (m_in_flight.is_empty() || place < m_in_flight.front().place) {
        return {};
    }
    if (place == m_in_flight.front().place) {
        return 0; // the first is never gone
    }
    std::size_t low = 0;
    std::size_t high = m_in_flight.size();
    const std::size_t guess = place - m_in_flight.front().place; // right if none was dropped
    if (guess < high && m_in_flight[guess].place == place) {
        low = guess;
    } else {
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (m_in_flight[middle].place < place) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
    }
    const bool is_there =
        low < m_in_flight.size() && m_in_flight[low].place == place && !m_in_flight[low].is_gone;
    return is_there ? std::optional{low} : std::nullopt;
}

void RingFifo::remove(std::size_t at)
{
    m_in_flight[at].is_gone = true;
    --m_depth;
    pop_gone();
    if (m_in_flight.size() > 64 && m_depth * 2 < m_in_flight.size()) {
        drop_gone();
    }
}

void RingFifo::pop_gone()
{
    while (!m_in_flight.is_empty() && m_in_flight.front().is_gone) {
        m_in_flight.pop_front();
    }
}

/// One that never completes must not keep all that came after it in memory.
void RingFifo::drop_gone()
{
    std::size_t kept = 0;
    for (std::size_t at = 0; at < m_in_flight.size(); ++at) {
        if (!m_in_flight[at].is_gone) {
            m_in_flight[kept++] = m_in_flight[at];
        }
    }
    m_in_flight.resize_down(kept);
}

} // namespace lttng_gpu::model
