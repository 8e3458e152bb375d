// SPDX-License-Identifier: MIT
//
// See summary.hpp.
#include "summary.hpp"

#include <algorithm>
#include <array>

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

ReasonTotal& Totals::total_of(Reason reason, Gap gap)
{
    auto at = by_reason.begin();
    while (at != by_reason.end() && std::pair{at->reason, at->gap} < std::pair{reason, gap}) {
        ++at;
    }
    if (at == by_reason.end() || at->reason != reason || at->gap != gap) {
        at = by_reason.insert(at, ReasonTotal{reason, gap, 0, {}, {}, {}, {}, {}});
    }
    return *at;
}

const ReasonTotal* Totals::find(Reason reason, Gap gap) const
{
    const auto found = std::ranges::find_if(by_reason, [&](const ReasonTotal& total) {
        return total.reason == reason && total.gap == gap;
    });
    return found != by_reason.end() ? &*found : nullptr;
}

void Totals::add_inside(const Part& part)
{
    ReasonTotal& total = total_of(part.reason, part.gap);
    Duration& sum = part.is_before ? total.before : total.time;
    sum = sum + part.length;
    Duration& all = part.is_before ? before : time;
    all = all + part.length;
    if (part.reason == Reason::Dependency) {
        visit_leaves(part, [&](const Part& leaf, Duration length) {
            ReasonTotal& root = total_of(leaf.reason, leaf.gap);
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
    for (const Diagnosis* diagnosis : intervals) {
        latency = latency + (has_ended ? diagnosis->latency() : Duration{});
        for (const Part& part : diagnosis->parts) {
            if (has_ended && !part.is_before) {
                ReasonTotal& total = total_of(part.reason, part.gap);
                total.of_ended = total.of_ended + part.length;
            }
            if (!part.is_outside) {
                add_inside(part);
            }
        }
    }
    add_worst(intervals);
}

/// What each reason cost this job.
void Totals::add_worst(const std::vector<const Diagnosis*>& intervals)
{
    struct Cost {
        Reason reason;
        Gap gap;
        Duration length;
    };
    std::array<Cost, reason_count + gap_count> costs; // only what is unknown has a gap
    std::size_t count = 0;
    for (const Diagnosis* diagnosis : intervals) {
        for (const Part& part : diagnosis->parts) {
            if (part.is_outside) {
                continue;
            }
            std::size_t at = 0;
            while (at < count && (costs[at].reason != part.reason || costs[at].gap != part.gap)) {
                ++at;
            }
            if (at == count) {
                costs[count++] = {part.reason, part.gap, {}};
            }
            costs[at].length = costs[at].length + part.length;
        }
    }
    for (std::size_t at = 0; at < count; ++at) {
        ReasonTotal& total = total_of(costs[at].reason, costs[at].gap);
        ++total.jobs;
        total.worst = std::max(total.worst, costs[at].length);
    }
}

void Totals::add(const Totals& other)
{
    jobs += other.jobs;
    time = time + other.time;
    before = before + other.before;
    ended += other.ended;
    latency = latency + other.latency;
    left_out.no_queue += other.left_out.no_queue;
    left_out.no_submit += other.left_out.no_submit;
    left_out.no_complete += other.left_out.no_complete;
    left_out.no_times += other.left_out.no_times;
    for (const ReasonTotal& more : other.by_reason) {
        ReasonTotal& total = total_of(more.reason, more.gap);
        total.jobs += more.jobs;
        total.time = total.time + more.time;
        total.before = total.before + more.before;
        total.as_root = total.as_root + more.as_root;
        total.worst = std::max(total.worst, more.worst);
        total.of_ended = total.of_ended + more.of_ended;
    }
}

std::vector<ReasonTotal> Totals::reasons() const
{
    std::vector<ReasonTotal> reasons;
    for (const ReasonTotal& total : by_reason) {
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
    if (Group* const group = group_of(last.job)) {
        group->totals.add(intervals);
    } else {
        ++m_ungrouped;
        m_of_no_group.add(intervals);
    }
}

/// Null: there are too many.
Group* Summary::group_of(const model::Job& job)
{
    const GroupKey key{job.ring, model::ProcessIdentity{job.actor}};
    const auto known = m_places.find(key);
    if (known == m_places.end() && m_groups.size() >= most_groups) {
        return nullptr;
    }
    Group* const group = known != m_places.end() ? known->second : &m_groups[key];
    if (known == m_places.end()) {
        m_places[key] = group;
    }
    if (group->comm == StringId{}) {
        group->comm = job.actor.comm;
    }
    return group;
}

Totals Summary::total() const
{
    Totals total = m_of_no_group;
    for (const auto& [key, group] : m_groups) {
        total.add(group.totals);
    }
    return total;
}

std::size_t GroupKey::Hash::operator()(const GroupKey& key) const
{
    std::uint64_t hash = mix_hash(key.process.origin.value(), key.process.comm.value());
    hash = mix_hash(hash, key.ring ? key.ring->value() + 1ULL : 0);
    hash =
        mix_hash(hash, static_cast<std::uint64_t>(key.process.pid ? key.process.pid->value() : -1));
    return mix_hash(hash,
                    static_cast<std::uint64_t>(key.process.tid ? key.process.tid->value() : -1));
}

} // namespace lttng_gpu::diagnose
