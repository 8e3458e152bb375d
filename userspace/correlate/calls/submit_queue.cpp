// SPDX-License-Identifier: MIT
//
// See submit_queue.hpp.
#include "submit_queue.hpp"

#include <algorithm>

namespace lttng_gpu::model {
namespace {

/// A call this long before a job may be its call, to find out whose calls a stream's are.
constexpr Duration usual_delay{1'000'000};
constexpr std::uint64_t least_votes = 4;
/// Without better evidence: a thread that has work is not silent for so long, as a rule, after a
/// job that followed the last call; and hardly ever for the longer time.
constexpr Duration silence{10'000'000};
constexpr Duration long_silence{50'000'000};

/// It costs something to find out whose a stream's jobs are, and new calls change little.
constexpr Duration between_questions{20'000'000};
/// Jobs are not held back for longer.
constexpr Duration longest_undecided{10'000'000'000};

constexpr Timestamp end_of_time{INT64_MAX};

} // namespace

SubmitQueue::StreamKey SubmitQueue::key_of(const Job& job)
{
    return {job.actor.tid->value(), job.fence.context.value_or(FenceContext{}).value()};
}

void SubmitQueue::add_call(SubmitCall call)
{
    m_lanes.add(call);
    // For which of several queues it waited is not told.
    call.detail.is_sync =
        call.detail.is_sync && (call.detail.queue != 0 || m_lanes.has_one_queue(call.tid));
    m_calls.add(call);
}

void SubmitQueue::announce(const Job& job, std::uint64_t serial)
{
    const StreamKey key = key_of(job);
    if (m_streams.size() >= most_streams && !m_streams.contains(key)) {
        return;
    }
    Stream& stream = m_streams[key];
    if (stream.jobs.size() == most_jobs) {
        stream.jobs.pop_front();
        stream.voted -= stream.voted > 0 ? 1 : 0;
    }
    if (stream.evidence_jobs.size() == most_jobs) {
        stream.evidence_jobs.pop_front();
    }
    // Rows come in order, but for those that were queued before an earlier stage was seen.
    const Timestamp queued = stream.evidence_jobs.empty()
                                 ? *job.queued
                                 : std::max(*job.queued, stream.evidence_jobs.back().queued);
    stream.jobs.push_back({serial, queued, job.completed});
    stream.evidence_jobs.push_back(stream.jobs.back());
    m_helpers.add_job(key.first, key.second, queued);
}

/// Each job is a vote for the thread that alone was in a call just before it.
void SubmitQueue::vote(Stream& stream, Timestamp horizon) const
{
    for (; stream.voted < stream.jobs.size() && stream.jobs[stream.voted].queued < horizon;
         ++stream.voted) {
        const Timestamp queued = stream.jobs[stream.voted].queued;
        auto call = std::ranges::upper_bound(m_calls.by_begin(), queued, {}, &SubmitCall::begin);
        std::optional<std::int64_t> only;
        bool is_one = true;
        for (unsigned looked = 0; call != m_calls.by_begin().begin() && looked < 16; ++looked) {
            --call;
            if (call->end + usual_delay < queued) {
                continue;
            }
            is_one = is_one && (!only || *only == call->tid);
            only = call->tid;
        }
        if (only && is_one) {
            ++stream.votes[*only];
            ++stream.all_votes;
        }
    }
}

/// Whose calls the stream's jobs are of; nothing: it is not known. Votes count only where no call
/// waits until its jobs are complete.
std::optional<SubmitLane> SubmitQueue::lane_of(std::int64_t helper, Stream& stream,
                                               Timestamp horizon) const
{
    stream.evidence.judge(m_calls, stream.evidence_jobs, m_lanes, horizon);
    if (const auto* const idle = m_idle.of(helper)) {
        stream.evidence.judge_idle(m_calls, stream.evidence_jobs, m_lanes, *idle, horizon);
    }
    if (const auto owner = stream.evidence.owner(m_lanes)) {
        return owner;
    }
    if (stream.evidence.has_checks()) {
        return {};
    }
    vote(stream, horizon);
    for (const auto& [tid, votes] : stream.votes) {
        if (votes >= least_votes && 10 * votes >= 9 * stream.all_votes) {
            return SubmitLane{tid, 0};
        }
    }
    // Jobs of several threads, or not known yet.
    return stream.all_votes >= least_votes ? std::optional{SubmitLane{}} : std::nullopt;
}

std::optional<Timestamp> SubmitQueue::next_silence(const Stream& stream, SubmitLane lane,
                                                   Timestamp begin, Timestamp horizon) const
{
    const auto& calls = m_calls.by_begin();
    const auto& jobs = stream.evidence_jobs;
    auto call = std::ranges::upper_bound(calls, begin, {}, &SubmitCall::begin);
    auto job = std::ranges::upper_bound(jobs, begin, {}, &SubmitJob::queued);
    std::optional<Timestamp> last; // event
    bool has_job_after = false;    // the last call
    bool has_call = false;
    while (true) {
        while (call != calls.end() && !lane.has(*call)) {
            ++call;
        }
        const Timestamp next_call =
            call != calls.end() && call->begin < horizon ? call->begin : horizon;
        const Timestamp next_job =
            job != jobs.end() && job->queued < horizon ? job->queued : horizon;
        const Timestamp next = std::min(next_call, next_job);
        const bool is_job = next_job < next_call;
        if (last && (next == end_of_time || next - *last >= long_silence ||
                     (!is_job && has_job_after && has_call && next - *last >= silence))) {
            return last;
        }
        if (next == horizon) {
            return {};
        }
        last = std::max(last.value_or(next), is_job ? next : call->end);
        // A call that usually makes no job waits for none.
        has_job_after = is_job || (has_job_after && call->role == SubmitRole::May);
        has_call = has_call || !is_job;
        is_job ? static_cast<void>(++job) : static_cast<void>(++call);
    }
}

std::optional<Timestamp> SubmitQueue::next_cut(std::int64_t helper, const Stream& stream,
                                               SubmitLane lane, Timestamp begin,
                                               Timestamp horizon) const
{
    std::optional<Timestamp> cut;
    const auto earliest = [&cut](Timestamp time) { cut = std::min(cut.value_or(time), time); };
    const auto pause =
        lane == SubmitLane{} ? std::nullopt : next_pause(m_calls, lane, begin, horizon);
    if (pause) {
        earliest(pause->begin);
    }
    const auto* const idle = m_idle.of(helper);
    if (idle != nullptr) {
        for (auto each = std::ranges::upper_bound(*idle, begin, {}, &SubmitIdle::end);
             each != idle->end() && each->begin < cut.value_or(horizon); ++each) {
            const auto found = m_calls.cut_of(lane, *each);
            if (found && *found > begin) {
                earliest(*found);
                break;
            }
        }
    }
    if (!cut && !stream.evidence.has_checks() && idle == nullptr) {
        cut = next_silence(stream, lane, begin, horizon);
    }
    return cut || horizon != end_of_time ? cut : std::optional{horizon};
}

SubmitSegment SubmitQueue::segment_of(const StreamKey& key, const std::deque<SubmitJob>& jobs,
                                      SubmitLane lane, Timestamp begin,
                                      std::optional<Timestamp> cut, Timestamp horizon) const
{
    SubmitSegment segment;
    segment.is_closed = cut.has_value();
    const Timestamp end = cut.value_or(horizon - Duration{1});
    const auto& calls = m_calls.by_begin();
    for (auto call = std::ranges::upper_bound(calls, begin, {}, &SubmitCall::begin);
         call != calls.end() && call->begin <= end; ++call) {
        if (lane.has(*call)) {
            segment.calls.push_back(*call);
        }
    }
    segment.others = m_calls.others_between(lane, begin, end);
    for (auto job = std::ranges::upper_bound(jobs, begin, {}, &SubmitJob::queued);
         job != jobs.end() && job->queued <= end; ++job) {
        segment.jobs.push_back(*job);
        m_helpers.describe(segment.jobs.back(), key.first, key.second, horizon);
    }
    return segment;
}

/// From whole segments, also those of jobs that are not asked for yet.
void SubmitQueue::learn(const StreamKey& key, Stream& stream, SubmitLane lane,
                        Timestamp horizon) const
{
    if (stream.lane != lane) {
        stream.habit = {};
        stream.lane = lane;
        stream.learned_until = stream.done_until;
    }
    while (const auto cut = next_cut(key.first, stream, lane, stream.learned_until, horizon)) {
        if (*cut == end_of_time) {
            break; // it may have been cut short
        }
        const SubmitSegment segment =
            segment_of(key, stream.evidence_jobs, lane, stream.learned_until, cut, horizon);
        // What came before the trace is not known.
        const bool is_whole = stream.learned_until != Timestamp{INT64_MIN};
        stream.habit.learn(segment.calls, segment.jobs.size(), is_whole);
        if (is_whole) {
            stream.habit.note_taking(segment.taking(stream.habit));
        }
        stream.learned_until = *cut;
    }
    // Jobs before the last cut are of no pause to come.
    const Timestamp needed = std::min(stream.learned_until, stream.done_until);
    while (stream.evidence_jobs.size() > 1 && stream.evidence_jobs[1].queued <= needed) {
        stream.evidence_jobs.pop_front();
    }
}

/// Which of two calls that overlap came first to the driver, their times do not tell.
bool SubmitQueue::is_contested(const SubmitCall& call, const SubmitJob& job, SubmitLane lane) const
{
    constexpr int most_looked_at = 64;
    const auto& calls = m_calls.by_begin();
    auto other = std::ranges::lower_bound(calls, call.end, {}, &SubmitCall::begin);
    for (int looked = 0; other != calls.begin() && looked < most_looked_at; ++looked) {
        --other;
        const bool overlaps = other->end > call.begin && other->begin <= job.queued;
        if (overlaps && other->name != call.name && lane.has(*other)) {
            return true;
        }
    }
    return false;
}

/// Names the jobs of the segment, of one that is open those that are known and the first. Returns
/// how many.
std::size_t SubmitQueue::answer(Stream& stream, const SubmitSegment& segment, SubmitLane lane) const
{
    const auto names = segment.name_jobs(stream.habit);
    std::size_t index = 0;
    for (; index < segment.jobs.size(); ++index) {
        const SubmitJob& job = segment.jobs[index];
        Match match;
        if (names[index].call) {
            const SubmitCall& call = segment.calls[*names[index].call];
            if (!is_contested(call, job, lane)) {
                match.call = call;
                match.merged = static_cast<std::uint16_t>(
                    std::min<std::size_t>(names[index].merged, UINT16_MAX));
            }
        }
        match.is_doubtful =
            !match.call && !segment.calls.empty() && segment.calls.front().begin <= job.queued;
        stream.results.emplace_back(job.serial, match);
        if (!segment.is_closed && !names[index].call) {
            return 1; // the others are not asked for yet
        }
    }
    return index;
}

std::size_t SubmitQueue::work_in_lane(const StreamKey& key, Stream& stream, SubmitLane lane,
                                      Timestamp horizon) const
{
    learn(key, stream, lane, horizon);
    const Timestamp first = stream.jobs.front().queued;
    if (first <= stream.done_until) { // its row is late
        stream.results.emplace_back(stream.jobs.front().serial, Match{{}, 1, true});
        return 1;
    }
    auto cut = next_cut(key.first, stream, lane, stream.done_until, horizon);
    while (cut && *cut < first) {
        stream.done_until = *cut;
        stream.given = 0;
        // Else the segment that begins there has jobs that were answered before its lane was known.
        stream.is_lost = stream.lost_until > *cut;
        cut = next_cut(key.first, stream, lane, stream.done_until, horizon);
    }
    SubmitSegment segment = segment_of(key, stream.jobs, lane, stream.done_until, cut, horizon);
    segment.given = stream.given;
    const bool is_known = cut || stream.habit.is_regular();
    if (stream.is_lost || !is_known) {
        stream.is_lost = true;
        stream.lost_until = first;
        stream.results.emplace_back(stream.jobs.front().serial, Match{{}, 1, true});
        return 1;
    }
    const auto names = segment.name_jobs(stream.habit);
    const std::size_t answered = answer(stream, segment, lane);
    if (cut) {
        stream.done_until = *cut;
        stream.given = 0;
        return answered;
    }
    // The next segment begins with the call of the last job, which may have more.
    const auto last = names[answered - 1].call;
    if (!last) {
        stream.is_lost = true;
        stream.lost_until = segment.jobs[answered - 1].queued;
        return answered;
    }
    const auto of_last = static_cast<unsigned>(std::ranges::count_if(
        names.begin(), names.begin() + static_cast<std::ptrdiff_t>(answered),
        [&](const SubmitSegment::Named& named) { return named.call == last; }));
    stream.given = of_last + (*last == 0 ? stream.given : 0);
    stream.done_until = *last == 0 ? stream.done_until : segment.calls[*last].begin - Duration{1};
    return answered;
}

/// One segment more, or the part of it that is known.
void SubmitQueue::work(const StreamKey& key, Stream& stream, Timestamp horizon)
{
    m_idle.judge(m_calls, horizon);
    std::size_t worked = 1;
    if (const auto lane = lane_of(key.first, stream, horizon)) {
        worked = work_in_lane(key, stream, *lane, horizon);
    } else {
        stream.results.emplace_back(stream.jobs.front().serial, Match{{}, 1, true});
        stream.is_lost = true;
        stream.lost_until = stream.jobs.front().queued;
    }
    stream.voted -= std::min(stream.voted, worked);
    stream.jobs.erase(stream.jobs.begin(),
                      stream.jobs.begin() + static_cast<std::ptrdiff_t>(worked));
}

SubmitQueue::Match SubmitQueue::match(const Job& job, std::uint64_t serial, Timestamp horizon)
{
    const auto found = m_streams.find(key_of(job));
    if (found == m_streams.end()) {
        return {};
    }
    Stream& stream = found->second;
    const auto is_answered = [&] {
        return std::ranges::find(stream.results, serial, &std::pair<std::uint64_t, Match>::first) !=
               stream.results.end();
    };
    while (!is_answered() && !stream.jobs.empty() && stream.jobs.front().serial <= serial) {
        // Rows come in order of time, but for few.
        work(found->first, stream, std::max(horizon, stream.jobs.front().queued + Duration{1}));
    }
    while (!stream.results.empty() && stream.results.front().first <= serial) {
        const auto [of, match] = stream.results.front();
        stream.results.pop_front();
        if (of == serial) {
            return match;
        }
    }
    return {};
}

std::optional<Timestamp> SubmitQueue::undecided_since(Timestamp horizon)
{
    const bool is_first = m_asked_until == Timestamp{INT64_MIN};
    if (horizon == Timestamp{INT64_MIN} ||
        (!is_first && horizon - m_asked_until < between_questions)) {
        return m_undecided_since;
    }
    m_asked_until = horizon;
    m_undecided_since.reset();
    for (auto& [key, stream] : m_streams) {
        if (stream.is_decided || stream.jobs.empty() || m_calls.is_empty()) {
            continue;
        }
        const Timestamp first = stream.jobs.front().queued;
        m_idle.judge(m_calls, horizon);
        stream.is_decided = stream.jobs.size() > most_undecided ||
                            horizon - first > longest_undecided ||
                            lane_of(key.first, stream, horizon).has_value();
        if (!stream.is_decided) {
            m_undecided_since = std::min(m_undecided_since.value_or(first), first);
        }
    }
    return m_undecided_since;
}

void SubmitQueue::forget_before(Timestamp time)
{
    m_calls.forget_before(time);
    m_idle.forget_before(time);
    m_helpers.forget_before(time);
    std::erase_if(m_streams, [&](const auto& entry) {
        const Stream& stream = entry.second;
        return m_calls.is_empty() && stream.jobs.empty() && stream.results.empty();
    });
}

} // namespace lttng_gpu::model
