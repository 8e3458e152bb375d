// SPDX-License-Identifier: MIT
//
// What event families share, see event_family.hpp.
#include "event_family.hpp"

#include "../calls/api_jobs.hpp"
#include "../calls/row_merge.hpp"

#include <charconv>

namespace lttng_gpu::model {

EventContext::EventContext(StringPool& pool, RingTable& ring_table,
                           AnomalyCounters& anomaly_counters, JobTracker& tracker,
                           RowMerge& row_merge, DeviceClocks& device_clocks,
                           const trace::EnumerationTable& enumeration_table)
    : strings{pool}, rings{ring_table}, anomalies{anomaly_counters}, jobs{tracker}, rows{row_merge},
      clocks{device_clocks}, enumerations{enumeration_table}, texts{pool},
      waits{tracker, texts, anomaly_counters, row_merge}, shared_rings{ring_table}
{
}

EventContext::~EventContext() = default;

ApiJobs& EventContext::api_jobs()
{
    if (!m_api_jobs) {
        m_api_jobs = std::make_unique<ApiJobs>(rings, anomalies, jobs, clocks, rows, strings,
                                               enumerations, threads.origins(), machines);
    }
    return *m_api_jobs;
}

void NameText::write(std::uint64_t number)
{
    m_digits[0] = '0';
    m_digits[1] = 'x';
    const auto end =
        std::to_chars(m_digits.data() + 2, m_digits.data() + m_digits.size(), number, 16).ptr;
    m_text = {m_digits.data(), static_cast<std::size_t>(end - m_digits.data())};
}

void FamilyState::tell_name_of_job(JobIndex job, RingId ring)
{
    if (job == no_job || !jobs.at(job).job.ring) {
        return;
    }
    const RingId other = *jobs.at(job).job.ring;
    tell_name(ring, rings.text(rings.at(other).name), NameSource::OtherEvent);
    tell_name(other, rings.text(rings.at(ring).name), NameSource::OtherEvent);
}

void join(FamilyState& state, JobIndex job, const JobKey& fence)
{
    const JobIndex known = state.jobs.find_open(fence);
    if (known == no_job || known == job) {
        state.jobs.add_key(job, fence);
        state.jobs.at(job).job.fence = fence_id(fence);
    } else if (state.jobs.at(known).is_tentative) {
        state.jobs.drop(known);
        join(state, job, fence);
    } else {
        state.jobs.merge(known, job); // the one that was first stays
    }
}

JobIndex open_fence_job(FamilyState& state, const FenceEvent& fence, StepSet told_by, RingId ring,
                        const Actor& actor)
{
    if (state.jobs.find(fence.key) != no_job) {
        return no_job; // both upstream's and our probe are recorded
    }
    const JobIndex job = state.jobs.open_tentative(fence.event.time, fence.event.trace, told_by);
    state.jobs.add_key(job, fence.key);
    TrackedJob& tracked = state.jobs.at(job);
    tracked.job.fence = fence_id(fence.key);
    tracked.job.ring = ring;
    tracked.job.actor = actor;
    return job;
}

RingId timeline_ring(FamilyState& state, const FenceEvent& fence, std::string_view driver)
{
    const RingId ring = state.rings.intern(fence.event.trace, "", fence.timeline);
    state.rings.set_driver(ring, driver);
    return ring;
}

void on_plain_fence(FamilyState& state, const FenceEvent& fence)
{
    const RingId ring = timeline_ring(state, fence, fence.driver);
    const JobIndex job = open_fence_job(state, fence, 0, ring, state.actor_of(fence.event));
    if (job != no_job) {
        state.jobs.submit(job, fence.event.time, ring);
    }
}

} // namespace lttng_gpu::model
