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
         {drm_sched_events(), virtio_gpu_events(), gpu_fence_events(), sched_events()}) {
        all.insert(all.end(), specs.begin(), specs.end());
    }
    return all;
}

} // namespace

Normaliser::Normaliser(StringPool& strings, RingTable& rings, AnomalyCounters& anomalies)
    : x_state{strings, rings, anomalies, {}, {}}, x_specs{all_specs()}
{
}

std::vector<trace::WantedEvent> Normaliser::wanted()
{
    std::vector<trace::WantedEvent> wanted;
    for (const EventSpec& spec : all_specs()) {
        wanted.push_back({std::string{spec.name}, {spec.fields.begin(), spec.fields.end()}});
    }
    return wanted;
}

void Normaliser::on_event(const trace::RawEvent& event, GpuEvents& out)
{
    x_specs[event.wanted].handler(x_state, event, out);
}

void Normaliser::on_loss(const trace::Loss& loss, GpuEvents& out)
{
    x_state.threads.on_loss(loss);
    out.push_back({loss.begin, EventsLost{loss.trace, loss.end}});
}

Timestamp Normaliser::horizon(Timestamp now)
{
    const auto begun = x_state.virtio_fences.earliest_begun(now);
    return begun ? std::min(*begun, now) : now;
}

} // namespace lttng_gpu::model
