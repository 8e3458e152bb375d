// SPDX-License-Identifier: MIT
//
// Turns babeltrace2's messages, wherever they come from, into raw events and
// losses, one after the other, and keeps the totals. Whoever owns the messages
// keeps them until read() returns.
#pragma once

#include "../event_source.hpp"
#include "plan.hpp"
#include "ref.hpp"

#include <deque>
#include <map>

namespace lttng_gpu::trace {

/// Nothing when there is no snapshot or its time does not fit 64 bits.
std::optional<Timestamp> time_of(const bt_clock_snapshot* snapshot);

class Bt2MessageReader {
public:
    /// `enumerations` gets those of wanted fields on the way and must live as long; may be null.
    explicit Bt2MessageReader(std::vector<WantedEvent> wanted,
                              EnumerationTable* enumerations = nullptr)
        : m_plans{std::move(wanted), enumerations}
    {
    }

    void read(const bt_message* message, EventConsumer& consumer);
    const SourceTotals& totals() const { return m_totals; }

private:
    struct Stream {
        TraceId trace;
        Cpu cpu;
    };

    void read_event(const bt_message* message, EventConsumer& consumer);
    void read_fields(const bt_event* event, const Bt2EventPlan& plan);
    Loss read_discarded_events(const bt_message* message);
    Loss read_discarded_packets(const bt_message* message);
    Loss make_loss(const bt_stream* stream, LossUnit unit);
    void on_stream_beginning(const bt_stream* stream, EventConsumer& consumer);
    FieldValue read_list(const bt_field* structure, Bt2Member member, std::size_t list);
    void on_packet_beginning(const bt_message* message);
    void on_time(Timestamp time);
    Stream& at_stream(const bt_stream* stream);
    TraceId trace_id(const bt_trace* trace);

    Bt2Plans m_plans;
    // Plans go by the addresses of event classes, which must not be used again.
    std::map<const bt_trace_class*, Bt2KeptTraceClassRef> m_trace_classes;
    std::unordered_map<const bt_stream*, Stream> m_streams;
    std::map<std::string, TraceId> m_traces; // by identity
    std::vector<FieldValue> m_fields;
    std::deque<std::vector<std::uint64_t>> m_lists; // of the event being handed out
    SourceTotals m_totals;
};

} // namespace lttng_gpu::trace
