// SPDX-License-Identifier: MIT
//
// See normaliser.hpp.
#include "normaliser.hpp"

#include "api/api_events.hpp"
#include "api/api_jobs.hpp"

namespace lttng_gpu::model {
namespace {

std::vector<EventSpec> all_specs()
{
    std::vector<EventSpec> all = api_events();
    for (const auto& specs :
         {drm_sched_events(), amdgpu_events(), i915_events(), intel_events(), xe_events(),
          virtio_gpu_events(), gpu_fence_events(), sched_events()}) {
        all.insert(all.end(), specs.begin(), specs.end());
    }
    return all;
}

trace::WantedEvent wanted_of(const EventSpec& spec)
{
    return {std::string{spec.name},
            {spec.fields.begin(), spec.fields.end()},
            spec.only_without_contexts,
            spec.needs_contexts};
}

} // namespace

NormaliserState::NormaliserState(StringPool& pool, RingTable& ring_table, AnomalyCounters& counters,
                                 JobTracker& tracker, JobSink& job_sink,
                                 DeviceClocks& device_clocks,
                                 const trace::EnumerationTable& enumeration_table)
    : rings{ring_table}, anomalies{counters}, jobs{tracker}, texts{pool},
      waits{tracker, counters, job_sink}, shared_rings{ring_table}, strings{pool},
      enumerations{enumeration_table}, x_sink{job_sink}, x_clocks{device_clocks}
{
}

NormaliserState::~NormaliserState() = default;

ApiJobs& NormaliserState::api()
{
    if (!x_api) {
        x_api = std::make_unique<ApiJobs>(rings, anomalies, jobs, x_clocks, x_sink, strings,
                                          enumerations);
    }
    return *x_api;
}

Normaliser::Normaliser(StringPool& strings, RingTable& rings, AnomalyCounters& anomalies,
                       JobTracker& tracker, JobSink& sink, DeviceClocks& clocks,
                       const trace::EnumerationTable& enumerations)
    : x_state{strings, rings, anomalies, tracker, sink, clocks, enumerations}
{
    for (const EventSpec& spec : all_specs()) {
        x_handlers.push_back(spec.handler);
    }
}

std::vector<trace::WantedEvent> Normaliser::wanted()
{
    std::vector<trace::WantedEvent> wanted;
    for (const EventSpec& spec : all_specs()) {
        wanted.push_back(wanted_of(spec));
    }
    return wanted;
}

std::vector<trace::WantedEvent> Normaliser::wanted_for_clocks()
{
    std::vector<trace::WantedEvent> wanted;
    for (const EventSpec& spec : api_events()) {
        wanted.push_back(wanted_of(spec));
    }
    return wanted;
}

void Normaliser::release_rows(Timestamp now)
{
    x_until_release = events_between_releases;
    if (ApiJobs* api = x_state.find_api_jobs()) {
        api->release(now);
    }
}

void Normaliser::on_loss(const trace::Loss& loss)
{
    x_state.threads.on_loss(loss);
    x_state.waits.on_loss(loss.trace);
    x_state.jobs.lost({loss.trace, loss.end, loss.cpu});
    if (ApiJobs* api = x_state.find_api_jobs()) {
        api->on_loss(loss.trace);
    }
}

void Normaliser::finish()
{
    x_state.waits.finish();
    if (ApiJobs* api = x_state.find_api_jobs()) {
        api->finish();
    }
    for (std::uint64_t left = x_state.threads.take_forgotten(); left > 0; --left) {
        x_state.anomalies.count(Anomaly::ThreadForgotten);
    }
}

} // namespace lttng_gpu::model
