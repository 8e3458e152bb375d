// SPDX-License-Identifier: MIT
//
// See normaliser.hpp.
#include "normaliser.hpp"

#include "../api/api_jobs.hpp"

#include <algorithm>

namespace lttng_gpu::model {
namespace {

/// Those of clocks first: they alone are wanted in a first reading.
std::vector<EventFamily> families_in_order()
{
    std::vector<EventFamily> families = all_families();
    std::stable_partition(families.begin(), families.end(),
                          [](const EventFamily& family) { return family.tells_of_clocks; });
    return families;
}

trace::WantedEvent wanted_of(const EventSpec& spec)
{
    return {std::string{spec.name},
            {spec.fields.begin(), spec.fields.end()},
            spec.only_without_contexts,
            spec.needs_contexts};
}

} // namespace

Normaliser::Normaliser(StringPool& strings, RingTable& rings, AnomalyCounters& anomalies,
                       JobTracker& tracker, RowMerge& rows, DeviceClocks& clocks,
                       const trace::EnumerationTable& enumerations)
    : x_context{strings, rings, anomalies, tracker, rows, clocks, enumerations}
{
    for (const EventFamily& family : families_in_order()) {
        FamilyState& state = *x_states.emplace_back(family.make(x_context));
        for (const EventSpec& spec : family.events) {
            x_handlers.push_back({spec.handler, &state});
        }
        for (const FenceSpec& fences : family.fences) {
            x_context.fences.add(fences, state);
        }
    }
}

std::vector<trace::WantedEvent> Normaliser::wanted()
{
    std::vector<trace::WantedEvent> wanted;
    for (const EventFamily& family : families_in_order()) {
        std::transform(family.events.begin(), family.events.end(), std::back_inserter(wanted),
                       wanted_of);
    }
    return wanted;
}

std::vector<trace::WantedEvent> Normaliser::wanted_for_clocks()
{
    std::vector<trace::WantedEvent> wanted;
    for (const EventFamily& family : families_in_order()) {
        if (family.tells_of_clocks) {
            std::transform(family.events.begin(), family.events.end(), std::back_inserter(wanted),
                           wanted_of);
        }
    }
    return wanted;
}

void Normaliser::release_rows(Timestamp now)
{
    x_until_release = events_between_releases;
    if (ApiJobs* api = x_context.find_api_jobs()) {
        api->release(now);
    }
}

void Normaliser::on_trace(TraceId trace, const trace::TraceFacts& facts)
{
    if (facts.clock_offset) {
        x_context.clock_offsets[trace] = facts.clock_offset;
    }
    if (!facts.kernel_release.empty()) {
        x_context.shared_rings.set_kernel_release(trace, facts.kernel_release);
    }
    x_context.machines.set(trace, facts.machine);
}

void Normaliser::on_loss(const trace::Loss& loss)
{
    for (ThreadObserver* observer : x_context.thread_observers) {
        observer->on_loss(loss);
    }
    x_context.threads.on_loss(loss);
    x_context.waits.on_loss(loss.trace);
    x_context.jobs.lost({loss.trace, loss.end, loss.cpu});
    if (ApiJobs* api = x_context.find_api_jobs()) {
        api->on_loss(loss.trace, loss.end);
    }
}

void Normaliser::finish(Timestamp end)
{
    x_context.waits.finish(x_context.rings, end);
    if (ApiJobs* api = x_context.find_api_jobs()) {
        api->finish();
    }
    for (std::uint64_t left = x_context.threads.take_forgotten(); left > 0; --left) {
        x_context.anomalies.count(Anomaly::ThreadForgotten);
    }
}

OtherEventAccount Normaliser::other_events() const
{
    OtherEventAccount account = x_context.others.account(x_context.jobs.has_seen_scheduler());
    const RingTable& rings = x_context.rings;
    std::erase_if(account.not_understood, [&](const EventNotUnderstood& event) {
        bool is_known = false;
        for (const Ring& ring : rings.all()) {
            is_known =
                is_known || (!event.driver.empty() && rings.text(ring.driver) == event.driver);
        }
        return is_known;
    });
    return account;
}

} // namespace lttng_gpu::model
