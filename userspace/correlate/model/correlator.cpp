// SPDX-License-Identifier: MIT
//
// See correlator.hpp.
#include "correlator.hpp"

namespace lttng_gpu::model {

void Correlator::set_kernel_release(TraceId, std::string_view) {} // no rule asks for it yet

void Correlator::on_event(const trace::RawEvent& event)
{
    x_normaliser.on_event(event, x_events);
    forward(event.time);
}

void Correlator::on_loss(const trace::Loss& loss)
{
    x_normaliser.on_loss(loss, x_events);
    forward(loss.begin);
}

void Correlator::forward(Timestamp now)
{
    if (x_events.empty()) {
        return;
    }
    for (const GpuEvent& event : x_events) {
        x_tracker.on_event(event);
    }
    x_events.clear();
    x_tracker.release(x_normaliser.horizon(now));
}

} // namespace lttng_gpu::model
