// SPDX-License-Identifier: MIT
//
// The reader that lets babeltrace2 do the decoding. It turns messages into raw
// events and losses and keeps the totals; the graph around it is Bt2Graph.
#pragma once

#include "../event_source.hpp"
#include "graph.hpp"
#include "plan.hpp"

#include <map>

namespace lttng_gpu::trace {

class Bt2Source final : public EventSource {
public:
    static Expected<std::unique_ptr<EventSource>> open(const std::vector<TraceDirectory>& traces,
                                                       std::vector<WantedEvent> wanted);

    Expected<bool> read_some(EventConsumer& consumer) override;
    const SourceTotals& totals() const override { return x_totals; }

private:
    struct Stream {
        TraceId trace;
        Cpu cpu;
    };

    Bt2Source(std::unique_ptr<Bt2Graph> graph, std::vector<WantedEvent> wanted);

    void convert(const bt_message* message, EventConsumer& consumer);
    void convert_event(const bt_message* message, EventConsumer& consumer);
    void read_fields(const bt_event* event, const Bt2EventPlan& plan);
    Loss convert_discarded_events(const bt_message* message);
    Loss convert_discarded_packets(const bt_message* message);
    Loss make_loss(const bt_stream* stream, LossUnit unit);
    void on_packet_beginning(const bt_message* message);
    void on_time(Timestamp time);
    Stream& at_stream(const bt_stream* stream);
    TraceId trace_id(const bt_trace* trace);

    std::unique_ptr<Bt2Graph> x_graph;
    Bt2Plans x_plans;
    std::unordered_map<const bt_stream*, Stream> x_streams;
    std::map<std::string, TraceId> x_traces; // by UUID
    std::vector<FieldValue> x_fields;
    SourceTotals x_totals;
};

} // namespace lttng_gpu::trace
