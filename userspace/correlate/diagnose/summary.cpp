// SPDX-License-Identifier: MIT
//
// See summary.hpp.
#include "summary.hpp"

#include <algorithm>

namespace lttng_gpu::diagnose {

void Totals::add(const Diagnosis& diagnosis)
{
    ++jobs;
    latency = latency + diagnosis.latency();
    std::map<std::pair<Reason, Gap>, Duration> of_job;
    for (const Part& part : diagnosis.parts) {
        ReasonTotal& total = by_reason[{part.reason, part.gap}];
        total.reason = part.reason;
        total.gap = part.gap;
        Duration& sum = part.is_before ? total.before : total.latency;
        sum = sum + part.length;
        before = before + (part.is_before ? part.length : Duration{});
        Duration& mine = of_job[{part.reason, part.gap}];
        mine = mine + part.length;
        if (part.reason != Reason::Dependency) {
            continue;
        }
        visit_leaves(part, [&](const Part& leaf, Duration length) {
            ReasonTotal& root = by_reason[{leaf.reason, leaf.gap}];
            root.reason = leaf.reason;
            root.gap = leaf.gap;
            root.as_root = root.as_root + length;
        });
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
        reasons.push_back(total);
    }
    std::stable_sort(reasons.begin(), reasons.end(), [](const auto& left, const auto& right) {
        return left.latency + left.before > right.latency + right.before;
    });
    return reasons;
}

Duration Totals::mean() const
{
    return Duration{jobs == 0 ? 0 : latency.value() / static_cast<std::int64_t>(jobs)};
}

Duration Totals::mean_without(const ReasonTotal& reason) const
{
    const std::int64_t rest = latency.value() - reason.latency.value();
    return Duration{jobs == 0 ? 0 : rest / static_cast<std::int64_t>(jobs)};
}

void Summary::add(const Diagnosis& diagnosis)
{
    x_total.add(diagnosis);
    const GroupKey key{diagnosis.job.ring, model::ProcessIdentity{diagnosis.job.actor}};
    if (x_groups.size() >= most_groups && !x_groups.contains(key)) {
        ++x_ungrouped;
        return;
    }
    Group& group = x_groups[key];
    if (group.comm == StringId{}) {
        group.comm = diagnosis.job.actor.comm;
    }
    group.totals.add(diagnosis);
}

} // namespace lttng_gpu::diagnose
