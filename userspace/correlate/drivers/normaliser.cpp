// SPDX-License-Identifier: MIT
//
// See normaliser.hpp.
#include "normaliser.hpp"

#include "../calls/api_jobs.hpp"

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
    : m_context{strings, rings, anomalies, tracker, rows, clocks, enumerations}
{
    for (const EventFamily& family : families_in_order()) {
        FamilyState& state = *m_states.emplace_back(family.make(m_context));
        for (const EventSpec& spec : family.events) {
            m_handlers.push_back({spec.handler, &state});
        }
        for (const FenceSpec& fences : family.fences) {
            m_context.fences.add(fences, state);
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
    m_until_release = events_between_releases;
    if (ApiJobs* api = m_context.find_api_jobs()) {
        api->release(now);
    }
}

void Normaliser::on_trace(TraceId trace, const trace::TraceFacts& facts)
{
    if (facts.clock_offset) {
        m_context.clock_offsets[trace] = facts.clock_offset;
    }
    if (!facts.kernel_release.empty()) {
        m_context.shared_rings.set_kernel_release(trace, facts.kernel_release);
    }
    m_context.machines.set(trace, facts.machine);
}

void Normaliser::on_loss(const trace::Loss& loss)
{
    for (ThreadObserver* observer : m_context.thread_observers) {
        observer->on_loss(loss);
    }
    m_context.threads.on_loss(loss);
    m_context.waits.on_loss(loss.trace);
    m_context.jobs.lost({loss.trace, loss.end, loss.cpu});
    if (ApiJobs* api = m_context.find_api_jobs()) {
        api->on_loss(loss.trace, loss.end);
    }
}

void Normaliser::finish(Timestamp end)
{
    m_context.waits.finish(m_context.rings, end);
    if (ApiJobs* api = m_context.find_api_jobs()) {
        api->finish();
    }
    for (std::uint64_t left = m_context.threads.take_forgotten(); left > 0; --left) {
        m_context.anomalies.count(Anomaly::ThreadForgotten);
    }
}

OtherEventAccount Normaliser::other_events() const
{
    OtherEventAccount account = m_context.others.account(m_context.jobs.has_seen_scheduler());
    const RingTable& rings = m_context.rings;
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
