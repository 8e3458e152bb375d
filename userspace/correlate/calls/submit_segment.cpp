// SPDX-License-Identifier: MIT
//
// See submit_segment.hpp.
#include "submit_segment.hpp"

#include <algorithm>

namespace lttng_gpu::model {
namespace {

bool may_lack_jobs(const SubmitCall& call)
{
    return call.role == SubmitRole::Submit || call.role == SubmitRole::May;
}

bool is_certain(const SubmitCall& call)
{
    return call.role != SubmitRole::May;
}

/// The number of the last that makes jobs without doubt; -1: none.
std::ptrdiff_t last_certain(std::span<const SubmitCall> made)
{
    const auto found = std::find_if(made.rbegin(), made.rend(), is_certain);
    return made.rend() - found - 1;
}

/// How many calls a job has, from `first` to `last`: of those that may have given nothing only the
/// last counts.
std::size_t merged_of(std::span<const SubmitCall> made, std::ptrdiff_t first, std::ptrdiff_t last)
{
    const auto before =
        made.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
    return 1 + static_cast<std::size_t>(std::ranges::count_if(before, is_certain));
}

} // namespace

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
bool SubmitSegment::name_regular(const JobsPerCall& habit, Names& names) const
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

SubmitSegment::Made SubmitSegment::made(const JobsPerCall& habit) const
{
    Made made;
    for (std::size_t number = 0; number < calls.size(); ++number) {
        if (calls[number].role == SubmitRole::Other) {
            const bool is_flush = !calls[number].detail.is_sync;
            made.ends_open =
                made.ends_open || !(is_flush || habit.jobs_of(calls[number].name) == 0);
        } else {
            made.calls.push_back(calls[number]);
            made.numbers.push_back(number);
        }
    }
    // What was drawn after the last job is of no job.
    while (made.calls.size() > 1 && may_lack_jobs(made.calls.back()) && !jobs.empty() &&
           made.calls.back().begin > jobs.back().queued) {
        made.calls.pop_back();
        made.numbers.pop_back();
    }
    return made;
}

/// The last call that waited when the thread began with the job, if its first call is `first` or
/// a later one. What another context gave meanwhile ends a job, unless the next one is again of
/// this context.
std::ptrdiff_t SubmitSegment::last_taken(std::span<const SubmitCall> made, const SubmitJob& job,
                                         std::ptrdiff_t first) const
{
    const auto count = static_cast<std::ptrdiff_t>(made.size());
    if (!job.free || first >= count) {
        return -1;
    }
    Timestamp waited = *job.free;
    const Timestamp begin = made[static_cast<std::size_t>(first)].begin;
    const auto other =
        job.is_followed ? others.end() : std::ranges::find_if(others, [&](const SubmitCall& call) {
            return call.end > begin;
        });
    if (other != others.end()) {
        waited = std::min(waited, other->begin);
    }
    std::ptrdiff_t last = first - 1;
    while (last + 1 < count && made[static_cast<std::size_t>(last + 1)].end <= waited) {
        ++last;
    }
    return last;
}

/// With takes_all each job has a call at least, and bounds of one bound its neighbours. Else too
/// little is known of the thread to trust that: it may have split a call for the first time.
std::optional<std::vector<SubmitSegment::Bounds>>
SubmitSegment::bound(std::span<const SubmitCall> made, std::size_t orphans,
                     const Rules& rules) const
{
    const std::size_t count = jobs.size() - orphans;
    const auto last = static_cast<std::ptrdiff_t>(made.size()) - 1;
    std::vector<Bounds> bounds(count);
    for (std::size_t job = 0; job < count; ++job) {
        const auto place = static_cast<std::ptrdiff_t>(job);
        const auto behind = static_cast<std::ptrdiff_t>(count - 1 - job); // jobs
        Bounds& each = bounds[job];
        each.low = rules.can_split ? 0 : place;
        each.high = std::min(last_begun(made, jobs[orphans + job].asked), last);
        if (!rules.can_merge) {
            each.low = std::max(each.low, last - behind);
            each.high = std::min(each.high, place);
        }
        if (!rules.can_split) {
            each.high = std::min(each.high, last - behind);
        }
        if (behind == 0 && rules.ends_with_last) {
            each.low = std::max(each.low, last_certain(made));
        }
        if (rules.takes_all) {
            const std::ptrdiff_t first = job > 0 ? bounds[job - 1].low + 1 : 0;
            each.low = std::max(each.low, first);
            each.low = std::max(each.low, last_taken(made, jobs[orphans + job], first));
        }
    }
    for (std::size_t job = count; job-- > 0;) {
        Bounds& each = bounds[job];
        if (rules.takes_all && job + 1 < count) {
            each.high = std::min(each.high, bounds[job + 1].high - 1);
        }
        if (each.low > each.high) {
            return {}; // not in order, or calls are missing
        }
    }
    return bounds;
}

/// Where a job's calls must be more than one to agree with that, it says something.
Taking SubmitSegment::taking(const JobsPerCall& habit) const
{
    const Made made = this->made(habit);
    if (jobs.size() < 2 || made.calls.size() < jobs.size() || orphans() > 0) {
        return Taking::Unknown;
    }
    Rules rules{false, true, !made.ends_open, false};
    const auto without = bound(made.calls, 0, rules);
    rules.takes_all = true;
    const auto with = bound(made.calls, 0, rules);
    if (!without || !with) {
        return without ? Taking::NotAll : Taking::Unknown;
    }
    const bool says_something = std::ranges::equal(*without, *with, {}, &Bounds::low, &Bounds::low);
    return says_something ? Taking::Unknown : Taking::All;
}

/// What holds in every execution. A job of several calls and a call of several jobs are never both
/// taken for possible where only one of them was ever seen.
void SubmitSegment::name_certain(const JobsPerCall& habit, std::size_t orphans, Names& names) const
{
    const Made made = this->made(habit);
    const std::size_t count = jobs.size() - orphans;
    if (made.calls.empty() || count == 0) {
        return;
    }
    Rules rules;
    rules.can_split = count > made.calls.size() || habit.has_split();
    // A call without any job looks like one whose job is another's, too.
    const bool can_lack = rules.can_split && std::ranges::any_of(made.calls, may_lack_jobs);
    rules.can_merge =
        count < made.calls.size() || habit.has_merged() || (can_lack && made.calls.size() > 1);
    rules.ends_with_last = !made.ends_open && !can_lack;
    rules.takes_all = habit.takes_all();
    const auto bounds = bound(made.calls, orphans, rules);
    if (!bounds) {
        return;
    }
    std::ptrdiff_t high_before = -1; // the last call that the job before can have
    bool is_exact_before = true;     // and it is known
    for (std::size_t job = 0; job < count; ++job) {
        const Bounds& each = (*bounds)[job];
        Named& named = names[orphans + job];
        // If each call has a job of its own, none is left for the call that waits.
        const bool is_open_end =
            made.ends_open && job + 1 == count && (rules.can_merge || count > made.calls.size());
        const bool is_exact = each.low == each.high && !is_open_end;
        if (is_exact || (rules.takes_all && high_before < each.low && !is_open_end)) {
            named.call = made.numbers[static_cast<std::size_t>(each.low)];
            named.merged = is_exact && is_exact_before && high_before < each.low
                               ? merged_of(made.calls, high_before + 1, each.low)
                               : 1;
        } else if (job == 0 && made.calls.front().role == SubmitRole::Command) {
            named.call = made.numbers.front(); // whatever else is in it
        }
        high_before = each.high;
        is_exact_before = is_exact;
    }
}

SubmitSegment::Names SubmitSegment::name_jobs(const JobsPerCall& habit) const
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
