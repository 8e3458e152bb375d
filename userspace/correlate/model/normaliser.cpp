// SPDX-License-Identifier: MIT
//
// See normaliser.hpp.
#include "normaliser.hpp"

namespace lttng_gpu::model {
namespace {

std::vector<EventSpec> all_specs()
{
    std::vector<EventSpec> all;
    for (const auto& specs :
         {drm_sched_events(), amdgpu_events(), i915_events(), intel_events(), xe_events(),
          virtio_gpu_events(), gpu_fence_events(), sched_events()}) {
        all.insert(all.end(), specs.begin(), specs.end());
    }
    return all;
}

} // namespace

Normaliser::Normaliser(StringPool& strings, RingTable& rings, AnomalyCounters& anomalies,
                       JobTracker& tracker, JobSink& sink)
    : x_state{strings, rings, anomalies, tracker, sink}
{
    for (const EventSpec& spec : all_specs()) {
        x_handlers.push_back(spec.handler);
    }
}

std::vector<trace::WantedEvent> Normaliser::wanted()
{
    std::vector<trace::WantedEvent> wanted;
    for (const EventSpec& spec : all_specs()) {
        wanted.push_back({std::string{spec.name},
                          {spec.fields.begin(), spec.fields.end()},
                          spec.only_without_contexts,
                          spec.needs_contexts});
    }
    return wanted;
}

void Normaliser::on_loss(const trace::Loss& loss)
{
    x_state.threads.on_loss(loss);
    x_state.waits.on_loss(loss.trace);
    x_state.jobs.lost({loss.trace, loss.end});
}

void Normaliser::finish()
{
    x_state.waits.finish();
    for (std::uint64_t left = x_state.threads.take_forgotten(); left > 0; --left) {
        x_state.anomalies.count(Anomaly::ThreadForgotten);
    }
}

} // namespace lttng_gpu::model
