// SPDX-License-Identifier: MIT
//
// Raw events in, normalised events out. It joins the trace systems' tables into
// the list of wanted events and calls the handler of each event; what a handler
// must remember for a moment (threads, fences under way) lives in its state.
// Jobs are not its business.
#pragma once

#include "../trace/event_source.hpp"
#include "event_spec.hpp"

namespace lttng_gpu::model {

class Normaliser {
public:
    Normaliser(StringPool& strings, RingTable& rings, AnomalyCounters& anomalies);

    /// What to ask an event source for; RawEvent::wanted indexes this list.
    static std::vector<trace::WantedEvent> wanted();

    void on_event(const trace::RawEvent& event, GpuEvents& out);
    void on_loss(const trace::Loss& loss, GpuEvents& out);

    /// No job that is still to come was queued before this time.
    Timestamp horizon(Timestamp now);

private:
    NormaliserState x_state;
    std::vector<EventSpec> x_specs;
};

} // namespace lttng_gpu::model
