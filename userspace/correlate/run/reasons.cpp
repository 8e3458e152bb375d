// SPDX-License-Identifier: MIT
//
// See reasons.hpp.
#include "reasons.hpp"

#include "../coverage/recording_advice.hpp"

#include <algorithm>

namespace lttng_gpu::run {
namespace {

using diagnose::Gap;

std::string_view advice_for(Gap gap, trace::Recorder recorder)
{
    switch (gap) {
    case Gap::NoSchedEvents:
        return model::scheduler_advice(recorder);
    case Gap::EventsLost:
        return model::buffer_advice(recorder);
    default:
        return {};
    }
}

void find_place(report::ReasonCost& cost, const diagnose::ReasonTotal& total,
                const diagnose::Summary& summary, const model::RingTable& rings)
{
    for (const auto& [key, group] : summary.groups()) {
        const diagnose::ReasonTotal* const mine = group.totals.find(total.reason, total.gap);
        if (mine == nullptr || mine->time.value() <= cost.time_there) {
            continue;
        }
        cost.time_there = mine->time.value();
        cost.pid = key.process.pid;
        cost.tid = key.process.tid;
        cost.comm = rings.text(group.comm);
        cost.device.clear();
        cost.ring.clear();
        if (key.ring) {
            cost.device = rings.text(rings.at(*key.ring).device);
            cost.ring = rings.text(rings.at(*key.ring).shown);
        }
    }
}

} // namespace

report::ReasonCosts reason_costs(const diagnose::Summary& summary, const model::RingTable& rings,
                                 trace::Recorder recorder)
{
    report::ReasonCosts costs;
    const diagnose::Totals all = summary.total();
    costs.jobs = all.jobs;
    costs.time = all.time.value();
    costs.ended = all.ended;
    costs.latency = all.latency.value();
    costs.no_queue = all.left_out.no_queue;
    costs.no_submit = all.left_out.no_submit;
    costs.no_complete = all.left_out.no_complete;
    costs.no_times = all.left_out.no_times;
    for (const diagnose::ReasonTotal& total : all.reasons()) {
        if (total.time.value() <= 0) {
            continue; // it was only before jobs were queued, or at the root of others
        }
        const diagnose::ReasonText& text = diagnose::text_of(total.reason);
        report::ReasonCost cost;
        cost.name = text.name;
        cost.cause = diagnose::text_of(total.gap);
        cost.words = cost.cause.empty() ? std::string{text.brief} : "unknown: " + cost.cause;
        cost.advice = advice_for(total.gap, recorder);
        cost.is_usual = diagnose::is_usual(total.reason);
        cost.jobs = total.jobs;
        cost.time = total.time.value();
        find_place(cost, total, summary, rings);
        costs.reasons.push_back(std::move(cost));
    }
    std::ranges::stable_sort(costs.reasons, std::ranges::greater{}, &report::ReasonCost::time);
    return costs;
}

} // namespace lttng_gpu::run
