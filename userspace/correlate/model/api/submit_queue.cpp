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
/// After all calls had their jobs, one that comes so late is of something that is not told.
constexpr Duration longest_split{50'000'000};

bool is_of_later(const SubmitStretch& stretch, const SubmitJob& job)
{
    return !stretch.jobs().empty() && stretch.calls().size() <= stretch.jobs().size() &&
           job.queued - stretch.jobs().back().queued >= longest_split &&
           (stretch.calls().empty() || job.queued - stretch.calls().back().end >= longest_split);
}

} // namespace

SubmitQueue::StreamKey SubmitQueue::key_of(const Job& job)
{
    return {job.actor.tid->value(), job.fence.context.value_or(FenceContext{}).value()};
}

void SubmitQueue::add_call(const SubmitCall& call)
{
    if (x_calls.size() == most_calls) {
        x_calls.pop_front();
    }
    const auto place = std::ranges::upper_bound(x_calls, call.begin, {}, &SubmitCall::begin);
    x_calls.insert(place, call)->from = call.begin;
    if (x_threads.size() < most_streams) {
        x_threads.insert(call.tid);
    }
}

void SubmitQueue::add_wake(Timestamp time, std::int64_t waker, std::int64_t helper)
{
    if (x_wakes.size() == most_wakes) {
        x_wakes.pop_front();
    }
    x_wakes.push_back({time, waker, helper});
    if (x_woken.size() < most_streams) {
        x_woken.insert(helper);
    }
}

const SubmitQueue::Wake* SubmitQueue::find_wake(std::int64_t helper, Timestamp begin, Timestamp end,
                                                std::optional<std::int64_t> waker) const
{
    for (auto wake = std::ranges::lower_bound(x_wakes, begin, {}, &Wake::time);
         wake != x_wakes.end() && wake->time <= end; ++wake) {
        if (wake->helper == helper && (!waker || wake->waker == *waker)) {
            return &*wake;
        }
    }
    return nullptr;
}

void SubmitQueue::announce(const Job& job, std::uint64_t serial)
{
    const StreamKey key = key_of(job);
    if (x_streams.size() >= most_streams && !x_streams.contains(key)) {
        return;
    }
    Stream& stream = x_streams[key];
    if (stream.jobs.size() == most_jobs) {
        stream.jobs.pop_front();
        stream.voted -= stream.voted > 0 ? 1 : 0;
    }
    // Rows come in order, but for those that were queued before an earlier stage was seen.
    stream.jobs.push_back({serial, *job.queued});
}

/// Each job is a vote for the thread that alone was in a call just before it.
void SubmitQueue::vote(Stream& stream, Timestamp horizon) const
{
    for (; stream.voted < stream.jobs.size() && stream.jobs[stream.voted].queued < horizon;
         ++stream.voted) {
        const Timestamp queued = stream.jobs[stream.voted].queued;
        auto call = std::ranges::upper_bound(x_calls, queued, {}, &SubmitCall::begin);
        std::optional<std::int64_t> only;
        bool is_one = true;
        for (unsigned looked = 0; call != x_calls.begin() && looked < 16; ++looked) {
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

/// The thread whose calls the stream's jobs are of; nothing: it is not known.
std::optional<std::int64_t> SubmitQueue::caller_of(const Stream& stream) const
{
    if (x_threads.size() == 1) {
        return *x_threads.begin();
    }
    for (const auto& [tid, votes] : stream.votes) {
        if (votes >= least_votes && 10 * votes >= 9 * stream.all_votes) {
            return tid;
        }
    }
    return {};
}

/// Which of two calls that overlap came first to the driver, their times do not tell.
bool SubmitQueue::is_contested(const SubmitCall& call, const SubmitJob& job,
                               std::optional<std::int64_t> caller) const
{
    constexpr int most_looked_at = 64;
    auto other = std::ranges::lower_bound(x_calls, call.end, {}, &SubmitCall::begin);
    for (int looked = 0; other != x_calls.begin() && looked < most_looked_at; ++looked) {
        --other;
        const bool overlaps = other->end > call.begin && other->begin <= job.queued;
        if (overlaps && other->name != call.name && (!caller || other->tid == *caller)) {
            return true;
        }
    }
    return false;
}

/// One stretch more.
void SubmitQueue::work(std::int64_t helper, Stream& stream, Timestamp horizon)
{
    vote(stream, horizon);
    const auto caller = caller_of(stream);
    SubmitStretch stretch{stream.habit, x_woken.contains(helper)};
    auto call = std::ranges::upper_bound(x_calls, stream.done_until, {}, &SubmitCall::begin);
    auto job = stream.jobs.begin();
    bool is_closed = false;
    while (!stretch.is_full()) {
        while (call != x_calls.end() && caller && call->tid != *caller) {
            ++call;
        }
        const bool has_call = call != x_calls.end() && call->begin < horizon;
        const bool has_job = job != stream.jobs.end() && job->queued < horizon;
        const Wake* const wake =
            has_call ? find_wake(helper, call->begin, call->end, call->tid) : nullptr;
        const Timestamp from = wake != nullptr ? wake->time : has_call ? call->begin : Timestamp{};
        if (has_call && (!has_job || from <= job->queued)) {
            const bool is_fresh = wake != nullptr || (!stretch.calls().empty() &&
                                                      find_wake(helper, stretch.calls().back().end,
                                                                call->begin, {}) != nullptr);
            call->from = from;
            if (!stretch.add_call(*call, is_fresh)) {
                is_closed = true;
                break;
            }
            ++call;
        } else if (has_job && is_of_later(stretch, *job)) {
            is_closed = true;
            break;
        } else if (has_job) {
            stretch.add_job(*job++);
        } else {
            is_closed = stretch.is_over(horizon);
            break;
        }
    }
    const auto solution = stretch.solve(is_closed, stream.habit);
    if (solution.done > 0) {
        stream.done_until = stretch.calls()[solution.done - 1].begin;
    }
    std::optional<std::size_t> before;
    for (std::size_t index = 0; index < stretch.jobs().size(); ++index) {
        Match match;
        auto number = solution.calls[index];
        if (number && is_contested(stretch.calls()[*number], stretch.jobs()[index], caller)) {
            number.reset();
        }
        match.is_doubtful = !number && index >= solution.orphans;
        if (number) {
            match.call = stretch.calls()[*number];
            const std::size_t first = index == solution.orphans ? 0 : before.value_or(*number) + 1;
            const std::size_t merged = first <= *number ? *number - first + 1 : 1;
            match.merged = static_cast<std::uint16_t>(std::min<std::size_t>(merged, UINT16_MAX));
        }
        before = number;
        stream.results.emplace_back(stretch.jobs()[index].serial, match);
    }
    const auto worked = static_cast<std::size_t>(job - stream.jobs.begin());
    stream.voted -= std::min(stream.voted, worked);
    stream.jobs.erase(stream.jobs.begin(), job);
}

SubmitQueue::Match SubmitQueue::match(const Job& job, std::uint64_t serial, Timestamp horizon)
{
    const auto found = x_streams.find(key_of(job));
    if (found == x_streams.end()) {
        return {};
    }
    Stream& stream = found->second;
    const auto is_answered = [&] {
        return std::ranges::find(stream.results, serial, &std::pair<std::uint64_t, Match>::first) !=
               stream.results.end();
    };
    while (!is_answered() && !stream.jobs.empty() && stream.jobs.front().serial <= serial) {
        // Rows come in order of time, but for few.
        work(found->first.first, stream,
             std::max(horizon, stream.jobs.front().queued + Duration{1}));
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

/// A call may wait for its job for a while.
void SubmitQueue::forget_before(Timestamp time)
{
    constexpr Duration longest{1'000'000'000};
    while (!x_calls.empty() && x_calls.front().end + longest < time) {
        x_calls.pop_front();
    }
    while (!x_wakes.empty() && x_wakes.front().time + longest < time) {
        x_wakes.pop_front();
    }
    std::erase_if(x_streams, [&](const auto& entry) {
        const Stream& stream = entry.second;
        return x_calls.empty() && stream.jobs.empty() && stream.results.empty();
    });
}

} // namespace lttng_gpu::model
