// SPDX-License-Identifier: MIT
//
// See submit_segment.hpp.
#include "submit_segment.hpp"

#include <algorithm>

namespace lttng_gpu::model {

std::ptrdiff_t SubmitSegment::last_begun(std::span<const SubmitCall> made, Timestamp time)
{
    return std::ranges::upper_bound(made, time, {}, &SubmitCall::begin) - made.begin() - 1;
}

std::size_t SubmitSegment::orphans() const
{
    const auto first = std::ranges::find_if(jobs, [this](const SubmitJob& job) {
        return !calls.empty() && calls.front().begin <= job.queued;
    });
    return static_cast<std::size_t>(first - jobs.begin());
}

/// Each call has as many jobs as calls of its name always have. False: the numbers or the times do
/// not agree with that.
bool SubmitSegment::name_regular(const SubmitHabit& habit, Names& names) const
{
    std::size_t call = 0;
    unsigned left = calls.empty() ? 0 : habit.jobs_of(calls.front());
    left -= std::min(left, given);
    for (std::size_t job = 0; job < jobs.size(); ++job) {
        while (call < calls.size() && left == 0) {
            ++call;
            left = call < calls.size() ? habit.jobs_of(calls[call]) : 0;
        }
        if (call == calls.size() || jobs[job].queued < calls[call].begin) {
            return false;
        }
        names[job].call = call;
        --left;
    }
    if (!is_closed) {
        return true;
    }
    while (left == 0 && ++call < calls.size()) {
        left = habit.jobs_of(calls[call]);
    }
    return left == 0;
}

/// What holds in every execution. A job of several calls and a call of several jobs are never both
/// taken for possible where only one of them was ever seen.
void SubmitSegment::name_certain(const SubmitHabit& habit, std::size_t orphans, Names& names) const
{
    std::vector<SubmitCall> made;
    std::vector<std::size_t> numbers; // of these calls in the segment
    bool ends_open = false;           // the last of them may not have made the last job
    for (std::size_t number = 0; number < calls.size(); ++number) {
        if (calls[number].role == SubmitRole::Other) {
            const bool is_flush = !calls[number].detail.is_sync;
            ends_open = ends_open || !(is_flush || habit.jobs_of(calls[number].name) == 0);
        } else {
            made.push_back(calls[number]);
            numbers.push_back(number);
        }
    }
    const std::size_t count = jobs.size() - orphans;
    if (made.empty() || count == 0) {
        return;
    }
    // What was drawn after the last job is of no job.
    while (made.size() > 1 && made.back().role == SubmitRole::Submit &&
           made.back().begin > jobs.back().queued) {
        made.pop_back();
    }
    const bool can_split = count > made.size() || habit.has_split();
    // A call without any job looks like one whose job is another's, too.
    const bool can_lack = can_split && std::ranges::any_of(made, [](const SubmitCall& call) {
                              return call.role == SubmitRole::Submit;
                          });
    const bool can_merge =
        count < made.size() || habit.has_merged() || (can_lack && made.size() > 1);
    const auto last = static_cast<std::ptrdiff_t>(made.size()) - 1;
    std::ptrdiff_t last_before = -1; // the last call in the job before, if that is known, else -2
    for (std::size_t job = 0; job < count; ++job) {
        const auto place = static_cast<std::ptrdiff_t>(job);
        const auto behind = static_cast<std::ptrdiff_t>(count - 1 - job); // jobs
        const std::ptrdiff_t begun = last_begun(made, jobs[orphans + job].queued);
        // Of its last call.
        std::ptrdiff_t low = can_split ? 0 : place;
        std::ptrdiff_t high = std::min(begun, last);
        if (!can_merge) {
            low = std::max(low, last - behind);
            high = std::min(high, place);
        }
        if (!can_split) {
            high = std::min(high, last - behind);
        }
        if (behind == 0 && !ends_open && !can_lack) {
            low = std::max(low, last);
        }
        Named& named = names[orphans + job];
        if (low > high) {
            names.assign(names.size(), {}); // not in order, or calls are missing
            return;
        }
        if (low == high && !(ends_open && behind == 0 && can_merge)) {
            named.call = numbers[static_cast<std::size_t>(low)];
            named.merged = last_before != -2 && last_before < low
                               ? static_cast<std::size_t>(low - last_before)
                               : 1;
            last_before = low;
            continue;
        }
        if (job == 0 && made.front().role == SubmitRole::Command) {
            named.call = numbers.front(); // whatever else is in it
        }
        last_before = -2;
    }
}

SubmitSegment::Names SubmitSegment::name_jobs(const SubmitHabit& habit) const
{
    Names names(jobs.size());
    const std::size_t before = orphans();
    if (calls.size() == 1 && is_closed && given == 0) {
        for (std::size_t job = before; job < jobs.size(); ++job) {
            names[job].call = 0;
        }
        return names;
    }
    if (habit.is_regular()) {
        if (before > 0 || !name_regular(habit, names)) {
            names.assign(jobs.size(), {});
        }
        return names;
    }
    if (is_closed) {
        name_certain(habit, before, names);
    }
    return names;
}

} // namespace lttng_gpu::model
