// SPDX-License-Identifier: MIT
//
// See submit_lanes.hpp.
#include "submit_lanes.hpp"

#include <algorithm>

namespace lttng_gpu::model {
namespace {

/// Calls that begin later do not go on at the time; of those before, that many are looked at. Only
/// those of other threads can overlap.
constexpr std::size_t most_overlapping = 256;

bool is_queued_in(const std::deque<SubmitJob>& jobs, const SubmitPause& pause)
{
    const auto after = std::ranges::upper_bound(jobs, pause.begin, {}, &SubmitJob::queued);
    return after != jobs.end() && after->queued < pause.end;
}

/// Jobs of a context complete in order.
bool is_under_way(const std::deque<SubmitJob>& jobs, const SubmitPause& pause)
{
    const auto after = std::ranges::upper_bound(jobs, pause.begin, {}, &SubmitJob::queued);
    return after != jobs.begin() && std::prev(after)->completed &&
           *std::prev(after)->completed > pause.begin;
}

/// A check says something if there were jobs since the one before.
bool has_jobs(const std::deque<SubmitJob>& jobs, Timestamp after, Timestamp until)
{
    const auto first = std::ranges::upper_bound(jobs, after, {}, &SubmitJob::queued);
    return first != jobs.end() && first->queued <= until;
}

} // namespace

void SubmitCalls::add(const SubmitCall& call)
{
    if (m_by_begin.size() == most) {
        m_by_begin.pop_front();
    }
    m_by_begin.insert(std::ranges::upper_bound(m_by_begin, call.begin, {}, &SubmitCall::begin),
                      call);
    if (call.detail.is_sync) {
        if (m_syncs.size() == most) {
            m_syncs.pop_front();
        }
        m_syncs.push_back(call);
    }
}

/// A call may wait for its job for a while.
void SubmitCalls::forget_before(Timestamp time)
{
    constexpr Duration longest{1'000'000'000};
    for (auto* calls : {&m_by_begin, &m_syncs}) {
        while (!calls->empty() && calls->front().end + longest < time) {
            calls->pop_front();
        }
    }
}

bool SubmitCalls::is_any_at(SubmitLane lane, Timestamp time) const
{
    auto call = std::ranges::upper_bound(m_by_begin, time, {}, &SubmitCall::begin);
    for (std::size_t looked = 0; call != m_by_begin.begin() && looked < most_overlapping;
         ++looked) {
        --call;
        if (lane.has(*call) && call->end > time) {
            return true;
        }
    }
    return false;
}

std::optional<Timestamp> SubmitCalls::next_begin(SubmitLane lane, Timestamp time) const
{
    auto next = std::ranges::lower_bound(m_by_begin, time, {}, &SubmitCall::begin);
    next = std::find_if(next, m_by_begin.end(),
                        [lane](const SubmitCall& call) { return lane.has(call); });
    return next == m_by_begin.end() ? std::nullopt : std::optional{next->begin};
}

std::optional<Timestamp> SubmitCalls::cut_of(SubmitLane lane, const SubmitIdle& idle) const
{
    Timestamp cut = idle.end;
    auto call = std::ranges::upper_bound(m_by_begin, idle.end, {}, &SubmitCall::begin);
    for (std::size_t looked = 0; call != m_by_begin.begin() && looked < most_overlapping;
         ++looked) {
        --call;
        if (!lane.has(*call) || call->end < idle.end) {
            continue;
        }
        if (call->begin <= idle.begin) {
            return {};
        }
        cut = std::min(cut, call->begin - Duration{1});
    }
    return cut;
}

std::vector<SubmitCall> SubmitCalls::others_between(SubmitLane lane, Timestamp begin,
                                                    Timestamp end) const
{
    std::vector<SubmitCall> others;
    if (lane == SubmitLane{}) {
        return others;
    }
    auto call = std::ranges::upper_bound(m_by_begin, begin, {}, &SubmitCall::begin);
    for (std::size_t looked = 0; call != m_by_begin.begin() && looked < most_overlapping;
         ++looked) {
        --call;
    }
    for (; call != m_by_begin.end() && call->begin <= end; ++call) {
        if (call->end > begin && call->role != SubmitRole::Other && !lane.has(*call)) {
            others.push_back(*call);
        }
    }
    return others;
}

const SubmitCall* SubmitCalls::last_of(std::int64_t tid, Timestamp time) const
{
    auto call = std::ranges::upper_bound(m_by_begin, time, {}, &SubmitCall::begin);
    for (std::size_t looked = 0; call != m_by_begin.begin() && looked < most_overlapping;
         ++looked) {
        --call;
        if (call->tid == tid) {
            return &*call;
        }
    }
    return nullptr;
}

std::optional<SubmitPause> next_pause(const SubmitCalls& calls, SubmitLane lane, Timestamp time,
                                      Timestamp horizon)
{
    for (auto sync = std::ranges::upper_bound(calls.syncs(), time, {}, &SubmitCall::end);
         sync != calls.syncs().end() && sync->end < horizon; ++sync) {
        if (!lane.has(*sync) || calls.is_any_at(lane, sync->end)) {
            continue;
        }
        const Timestamp next = calls.next_begin(lane, sync->end).value_or(horizon);
        return SubmitPause{sync->end, std::min(next, horizon)};
    }
    return {};
}

void SubmitLanes::add(const SubmitCall& call)
{
    if (call.detail.queue == 0) {
        const bool has_queues = std::ranges::any_of(
            m_narrow, [&](SubmitLane lane) { return lane.tid == call.tid && lane.queue != 0; });
        if (has_queues || m_narrow.size() >= most_lanes) {
            return; // to one of them
        }
        m_narrow.insert({call.tid, 0});
        return;
    }
    if (m_narrow.size() < most_lanes) {
        m_narrow.erase({call.tid, 0});
        m_narrow.insert({call.tid, call.detail.queue});
    }
}

std::set<SubmitLane> SubmitLanes::wide() const
{
    std::map<SubmitLane, unsigned> counts;
    for (const SubmitLane lane : m_narrow) {
        ++counts[{lane.tid, 0}];
        if (lane.queue != 0) {
            ++counts[{0, lane.queue}];
        }
    }
    std::set<SubmitLane> wide;
    for (const auto& [lane, count] : counts) {
        if (count > 1) {
            wide.insert(lane);
        }
    }
    return wide;
}

bool SubmitLanes::has_one_queue(std::int64_t tid) const
{
    return std::ranges::count(m_narrow, tid, &SubmitLane::tid) <= 1;
}

void LaneEvidence::judge(const SubmitCalls& calls, const std::deque<SubmitJob>& jobs,
                         const SubmitLanes& lanes, Timestamp horizon)
{
    std::set<SubmitLane> all = lanes.wide();
    all.insert(lanes.narrow().begin(), lanes.narrow().end());
    for (const SubmitLane lane : all) {
        Score& score = m_scores[lane];
        while (const auto pause = next_pause(calls, lane, score.judged_until, horizon)) {
            if (has_jobs(jobs, score.judged_until, pause->end)) {
                ++score.checks;
                score.strangers += is_queued_in(jobs, *pause) || is_under_way(jobs, *pause) ? 1 : 0;
                m_has_checks = true;
            }
            score.judged_until = pause->begin;
        }
    }
}

void LaneEvidence::judge_idle(const SubmitCalls& calls, const std::deque<SubmitJob>& jobs,
                              const SubmitLanes& lanes, const std::deque<SubmitIdle>& idle,
                              Timestamp horizon)
{
    for (const SubmitLane lane : lanes.narrow()) {
        Score& score = m_scores[lane];
        for (auto each = std::ranges::upper_bound(idle, score.idle_until, {}, &SubmitIdle::begin);
             each != idle.end(); ++each) {
            const auto cut = calls.cut_of(lane, *each);
            if (!cut) {
                continue;
            }
            const Timestamp next = calls.next_begin(lane, *cut).value_or(horizon);
            const SubmitPause pause{*cut, std::min(next, horizon)};
            if (has_jobs(jobs, score.idle_until, pause.end)) {
                ++score.checks;
                score.strangers += is_queued_in(jobs, pause) ? 1 : 0;
                m_has_checks = true;
            }
            score.idle_until = each->begin;
        }
    }
}

std::optional<SubmitLane> LaneEvidence::only_of(const std::set<SubmitLane>& lanes) const
{
    std::optional<SubmitLane> only;
    std::optional<SubmitLane> confirmed;
    unsigned possible = 0;
    unsigned count = 0;
    for (const SubmitLane lane : lanes) {
        const auto found = m_scores.find(lane);
        const Score score = found == m_scores.end() ? Score{} : found->second;
        if (score.is_excluded()) {
            continue;
        }
        ++possible;
        only = lane;
        if (score.is_confirmed()) {
            ++count;
            confirmed =
                score.checks >= many_checks || lanes.size() == 1 ? std::optional{lane} : confirmed;
        }
    }
    if (possible == 1) {
        return only;
    }
    return count == 1 ? confirmed : std::nullopt;
}

std::optional<SubmitLane> LaneEvidence::owner(const SubmitLanes& lanes) const
{
    if (const auto only = only_of(lanes.narrow())) {
        return only;
    }
    const bool is_any_possible = std::ranges::any_of(lanes.narrow(), [this](SubmitLane lane) {
        const auto found = m_scores.find(lane);
        return found == m_scores.end() || !found->second.is_excluded();
    });
    return is_any_possible ? std::nullopt : only_of(lanes.wide());
}

} // namespace lttng_gpu::model
