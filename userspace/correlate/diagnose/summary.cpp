// SPDX-License-Identifier: MIT
//
// See summary.hpp.
#include "summary.hpp"

#include <algorithm>

namespace lttng_gpu::diagnose {

void Totals::leave_out(const model::Job& job)
{
    switch (model::status_of(job)) {
    case model::JobStatus::NoQueue:
        ++left_out.no_queue;
        break;
    case model::JobStatus::NoSubmit:
        ++left_out.no_submit;
        break;
    case model::JobStatus::NoTimes:
        ++left_out.no_times;
        break;
    case model::JobStatus::NoComplete:
    case model::JobStatus::Complete: // the last execution is whole, an earlier one is not
        ++left_out.no_complete;
        break;
    }
}

ReasonTotal& Totals::total_of(const Part& part)
{
    ReasonTotal& total = by_reason[{part.reason, part.gap}];
    total.reason = part.reason;
    total.gap = part.gap;
    return total;
}

void Totals::add_inside(const Part& part, ReasonTotal& total)
{
    Duration& sum = part.is_before ? total.before : total.time;
    sum = sum + part.length;
    Duration& all = part.is_before ? before : time;
    all = all + part.length;
    if (part.reason == Reason::Dependency) {
        visit_leaves(part, [&](const Part& leaf, Duration length) {
            ReasonTotal& root = total_of(leaf);
            root.as_root = root.as_root + length;
        });
    }
}

void Totals::add(const std::vector<const Diagnosis*>& intervals)
{
    if (!std::ranges::all_of(intervals, &Diagnosis::is_known)) {
        leave_out(intervals.back()->job);
        return;
    }
    const bool has_ended = std::ranges::all_of(intervals, &Diagnosis::has_latency);
    ++jobs;
    ended += has_ended ? 1 : 0;
    std::map<std::pair<Reason, Gap>, Duration> of_job;
    for (const Diagnosis* diagnosis : intervals) {
        latency = latency + (has_ended ? diagnosis->latency() : Duration{});
        for (const Part& part : diagnosis->parts) {
            ReasonTotal& total = total_of(part);
            if (has_ended && !part.is_before) {
                total.of_ended = total.of_ended + part.length;
            }
            if (!part.is_outside) {
                add_inside(part, total);
                Duration& mine = of_job[{part.reason, part.gap}];
                mine = mine + part.length;
            }
        }
    }
    for (const auto& [reason, length] : of_job) {
        ReasonTotal& total = by_reason[reason];
        ++total.jobs;
        total.worst = std::max(total.worst, length);
    }
}

std::vector<ReasonTotal> Totals::reasons() const
{
    std::vector<ReasonTotal> reasons;
    for (const auto& [key, total] : by_reason) {
        if (total.jobs > 0 || total.as_root.value() > 0) { // else all of it is outside
            reasons.push_back(total);
        }
    }
    std::stable_sort(reasons.begin(), reasons.end(), [](const auto& left, const auto& right) {
        return left.time + left.before > right.time + right.before;
    });
    return reasons;
}

Duration Totals::mean() const
{
    return Duration{ended == 0 ? 0 : latency.value() / static_cast<std::int64_t>(ended)};
}

Duration Totals::mean_without(const ReasonTotal& reason) const
{
    const std::int64_t rest = latency.value() - reason.of_ended.value();
    return Duration{ended == 0 ? 0 : rest / static_cast<std::int64_t>(ended)};
}

void Summary::add(const Diagnosis& diagnosis)
{
    const model::Job& job = diagnosis.job;
    if (job.is_last && job.interval == 0) {
        add_job({&diagnosis});
        return;
    }
    const JobKey key{job.ring, job.fence.context, job.fence.seqno};
    if (!job.is_last) {
        if (m_preempted.size() < most_preempted || m_preempted.contains(key)) {
            m_preempted[key].push_back(diagnosis);
        }
        return;
    }
    const auto earlier = m_preempted.find(key);
    std::vector<const Diagnosis*> intervals;
    if (earlier != m_preempted.end()) {
        for (const Diagnosis& interval : earlier->second) {
            intervals.push_back(&interval);
        }
    }
    intervals.push_back(&diagnosis);
    add_job(intervals);
    if (earlier != m_preempted.end()) {
        m_preempted.erase(earlier);
    }
}

void Summary::add_job(const std::vector<const Diagnosis*>& intervals)
{
    const Diagnosis& last = *intervals.back();
    if (!last.is_counted) {
        return;
    }
    m_total.add(intervals);
    const GroupKey key{last.job.ring, model::ProcessIdentity{last.job.actor}};
    if (m_groups.size() >= most_groups && !m_groups.contains(key)) {
        ++m_ungrouped;
        return;
    }
    Group& group = m_groups[key];
    if (group.comm == StringId{}) {
        group.comm = last.job.actor.comm;
    }
    group.totals.add(intervals);
}

} // namespace lttng_gpu::diagnose
