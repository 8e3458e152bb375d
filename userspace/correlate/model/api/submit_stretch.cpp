// SPDX-License-Identifier: MIT
//
// See submit_stretch.hpp. Numbers of calls ascend with the jobs. One job of several calls is named
// by the last of them: that number is what is looked for.
#include "submit_stretch.hpp"

#include <algorithm>

namespace lttng_gpu::model {

bool SubmitStretch::is_over(Timestamp time) const
{
    if (x_calls.empty() && x_jobs.empty()) {
        return false;
    }
    const Duration gap = time - x_last;
    const bool has_job_after =
        !x_calls.empty() && !x_jobs.empty() && x_calls.back().from <= x_jobs.back().queued;
    return gap >= long_silence || (gap >= x_silence && has_job_after);
}

bool SubmitStretch::add_call(const SubmitCall& call, bool is_fresh)
{
    if (x_calls.empty() && !x_jobs.empty()) {
        return false; // jobs that no call came before
    }
    const bool is_even = !x_calls.empty() && x_calls.size() == x_jobs.size() && x_is_in_order;
    const bool is_even_habit = is_even && x_habit.is_one_each();
    if ((is_fresh && !x_calls.empty()) || is_even_habit || is_over(call.from)) {
        return false;
    }
    x_calls.push_back(call);
    x_last = std::max(x_last, call.end); // it may give work until it returns
    return true;
}

void SubmitStretch::add_job(const SubmitJob& job)
{
    x_jobs.push_back(job);
    x_last = std::max(x_last, job.queued);
    x_is_in_order = x_is_in_order && x_jobs.size() <= x_calls.size();
}

std::ptrdiff_t SubmitStretch::last_begun(Timestamp time) const
{
    return std::ranges::upper_bound(x_calls, time, {}, &SubmitCall::from) - x_calls.begin() - 1;
}

std::ptrdiff_t SubmitStretch::last_returned(Timestamp time) const
{
    return std::ranges::upper_bound(x_calls, time, {}, &SubmitCall::end) - x_calls.begin() - 1;
}

bool SubmitStretch::has_separate_calls() const
{
    return std::ranges::adjacent_find(x_calls, [](const SubmitCall& left, const SubmitCall& right) {
               return right.begin < left.end;
           }) == x_calls.end();
}

std::vector<SubmitStretch::Range> SubmitStretch::one_each(std::size_t calls,
                                                          std::size_t orphans) const
{
    std::vector<Range> ranges;
    const std::size_t jobs = x_jobs.size() - orphans;
    for (std::size_t job = 0; job < jobs; ++job) {
        const std::ptrdiff_t begun = last_begun(x_jobs[orphans + job].queued);
        const bool is_possible = job < calls && static_cast<std::ptrdiff_t>(job) <= begun;
        // A call with two jobs and a job of two calls look like two of one each.
        const bool is_bounded = x_habit.is_mixed() && is_possible;
        ranges.push_back({job, is_bounded ? static_cast<std::size_t>(begun) : job, is_possible});
    }
    return ranges;
}

/// Each job has a call of its own, and the last job all that are left. A thread that takes
/// everything there is takes what had returned when it was done with the job before.
std::vector<SubmitStretch::Range> SubmitStretch::merged(std::size_t calls,
                                                        std::size_t orphans) const
{
    const std::size_t jobs = x_jobs.size() - orphans;
    std::vector<Range> ranges(jobs);
    std::size_t low = 0;
    for (std::size_t job = 0; job < jobs; ++job) {
        if (x_habit.is_merging() && job > 0) {
            const std::ptrdiff_t returned = last_returned(x_jobs[orphans + job - 1].queued);
            low = std::max(low, static_cast<std::size_t>(std::max<std::ptrdiff_t>(returned, 0)));
        }
        ranges[job].low = low++;
    }
    std::size_t high = calls - 1;
    for (std::size_t job = jobs; job-- > 0;) {
        const std::ptrdiff_t begun = last_begun(x_jobs[orphans + job].queued);
        high = std::min(high, static_cast<std::size_t>(std::max<std::ptrdiff_t>(begun, 0)));
        ranges[job].high = high;
        ranges[job].low = job + 1 == jobs ? high : ranges[job].low;
        ranges[job].is_possible = begun >= 0 && ranges[job].low <= high;
        high -= high > 0 ? 1 : 0;
    }
    return ranges;
}

/// Each call has a job of its own.
std::vector<SubmitStretch::Range> SubmitStretch::split(std::size_t calls, std::size_t orphans) const
{
    const std::size_t jobs = x_jobs.size() - orphans;
    std::vector<Range> ranges(jobs);
    std::size_t high = 0;
    for (std::size_t job = 0; job < jobs; ++job) {
        const std::ptrdiff_t begun = last_begun(x_jobs[orphans + job].queued);
        ranges[job].is_possible = begun >= 0;
        high = std::min(
            {high, calls - 1, static_cast<std::size_t>(std::max<std::ptrdiff_t>(begun, 0))});
        ranges[job].high = high++;
    }
    for (std::size_t job = 0; job < jobs; ++job) {
        const std::size_t left = jobs - 1 - job;
        ranges[job].low = calls - 1 > left ? calls - 1 - left : 0;
        ranges[job].is_possible = ranges[job].is_possible && ranges[job].low <= ranges[job].high;
    }
    return ranges;
}

SubmitStretch::Solution SubmitStretch::solve(bool is_closed, SubmitHabit& habit) const
{
    const bool was_splitting = habit.is_splitting();
    Solution solution;
    solution.calls.resize(x_jobs.size());
    while (solution.orphans < x_jobs.size() && last_begun(x_jobs[solution.orphans].queued) < 0) {
        ++solution.orphans;
    }
    const std::size_t orphans = solution.orphans;
    const std::size_t jobs = x_jobs.size() - orphans;
    solution.done = is_closed || is_full() ? x_calls.size() : 0;
    if (jobs == 0) {
        return solution;
    }
    // What began after the last job has none here.
    const auto calls = static_cast<std::size_t>(last_begun(x_jobs.back().queued) + 1);
    std::vector<Range> ranges;
    if (!is_closed && !habit.is_one_each()) {
        solution.done = x_calls.size();
        return solution; // the others would tell
    }
    if (calls == jobs || !is_closed) {
        ranges = one_each(calls, orphans);
        const bool is_in_order = std::ranges::all_of(ranges, &Range::is_possible);
        habit.one_each += is_closed && is_in_order ? jobs : 0;
        solution.done = is_closed ? solution.done : std::min(jobs, x_calls.size());
    } else if (calls > jobs) {
        ranges = merged(calls, orphans);
        habit.merged += calls - jobs;
    } else {
        ranges = split(calls, orphans);
        habit.split += jobs - calls;
    }
    // A lock wakes up a thread as well as work does, which cuts a stretch where it was not idle:
    // many jobs are then of earlier calls.
    constexpr std::size_t most_of_one = 3;
    const bool is_alone = calls == 1 && (!x_has_wakes || (!was_splitting && jobs <= most_of_one));
    const bool is_sure = std::ranges::all_of(ranges, &Range::is_possible) &&
                         (is_alone || (has_separate_calls() && !habit.is_splitting()));
    for (std::size_t job = 0; job < jobs && is_sure; ++job) {
        if (ranges[job].low == ranges[job].high) {
            solution.calls[orphans + job] = ranges[job].low;
        }
    }
    return solution;
}

} // namespace lttng_gpu::model
