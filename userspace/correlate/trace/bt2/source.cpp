// SPDX-License-Identifier: MIT
//
// See source.hpp. Directories with the same trace UUID are chunks of one
// trace (session rotation), so they share a TraceId.
#include "source.hpp"

#include "leaves.hpp"

#include <algorithm>

namespace lttng_gpu::trace {
namespace {

std::optional<Timestamp> time_of(const bt_clock_snapshot* snapshot)
{
    std::int64_t nanoseconds = 0;
    if (snapshot == nullptr || bt_clock_snapshot_get_ns_from_origin(snapshot, &nanoseconds) !=
                                   BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK) {
        bt_current_thread_clear_error();
        return {};
    }
    return Timestamp{nanoseconds};
}

void set_times(Loss& loss, const bt_clock_snapshot* begin, const bt_clock_snapshot* end)
{
    loss.begin = time_of(begin).value_or(loss.begin);
    loss.end = time_of(end).value_or(loss.end);
}

FieldValue read_context(const bt_event* event, Bt2ContextMember context)
{
    const bt_field* structure = context.is_specific
                                    ? bt_event_borrow_specific_context_field_const(event)
                                    : bt_event_borrow_common_context_field_const(event);
    return read_member(structure, context.member);
}

ContextValues read_contexts(const bt_event* event, const Bt2EventPlan& plan)
{
    return {read_context(event, plan.pid), read_context(event, plan.tid),
            read_context(event, plan.procname)};
}

/// CTF 2 needs babeltrace2 2.1; an older one would only say "syntax error".
Expected<void> check_versions(const std::vector<TraceDirectory>& traces)
{
    const unsigned major = bt_version_get_major();
    const unsigned minor = bt_version_get_minor();
    const bool reads_ctf2 = major > 2 || (major == 2 && minor >= 1);
    for (const TraceDirectory& trace : traces) {
        if (trace.kind == MetadataKind::Ctf2 && !reads_ctf2) {
            return Failure{{ErrorKind::UnreadableTrace,
                            trace.path.string() + " is a CTF 2 trace, which babeltrace2 " +
                                std::to_string(major) + "." + std::to_string(minor) +
                                " cannot read; record with `lttng create --trace-format=ctf-1.8` "
                                "(LTTng 2.15 or later) or install babeltrace2 2.1 or later"}};
        }
    }
    return {};
}

} // namespace

Expected<std::unique_ptr<EventSource>> Bt2Source::open(const std::vector<TraceDirectory>& traces,
                                                       std::vector<WantedEvent> wanted)
{
    if (const auto checked = check_versions(traces); !checked) {
        return Failure{checked.error()};
    }
    auto graph = Bt2Graph::open(traces);
    if (!graph) {
        return Failure{graph.error()};
    }
    return std::unique_ptr<EventSource>{new Bt2Source{std::move(*graph), std::move(wanted)}};
}

Bt2Source::Bt2Source(std::unique_ptr<Bt2Graph> graph, std::vector<WantedEvent> wanted)
    : x_graph{std::move(graph)}, x_plans{std::move(wanted)}
{
}

Expected<bool> Bt2Source::read_some(EventConsumer& consumer)
{
    auto message = x_graph->next();
    if (!message) {
        return Failure{message.error()};
    }
    if (!*message) {
        return false;
    }
    convert(message->get(), consumer);
    return true;
}

void Bt2Source::convert(const bt_message* message, EventConsumer& consumer)
{
    switch (bt_message_get_type(message)) {
    case BT_MESSAGE_TYPE_EVENT:
        convert_event(message, consumer);
        break;
    case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
        consumer.on_loss(convert_discarded_events(message));
        break;
    case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
        consumer.on_loss(convert_discarded_packets(message));
        break;
    case BT_MESSAGE_TYPE_PACKET_BEGINNING:
        on_packet_beginning(message);
        break;
    case BT_MESSAGE_TYPE_STREAM_END: // a later stream may get the same address
        x_streams.erase(bt_message_stream_end_borrow_stream_const(message));
        break;
    default:
        break;
    }
}

void Bt2Source::convert_event(const bt_message* message, EventConsumer& consumer)
{
    const bt_event* event = bt_message_event_borrow_event_const(message);
    const Bt2EventPlan& plan = x_plans.plan_for(bt_event_borrow_class_const(event));
    ++x_totals.events;
    const auto time = plan.has_clock
                          ? time_of(bt_message_event_borrow_default_clock_snapshot_const(message))
                          : std::nullopt;
    if (!time) {
        ++x_totals.events_without_clock;
        return;
    }
    on_time(*time);
    if (!plan.wanted) {
        return;
    }
    read_fields(event, plan);
    const Stream& stream = at_stream(bt_event_borrow_stream_const(event));
    consumer.on_event(RawEvent{*time, stream.trace, stream.cpu, *plan.wanted, x_fields,
                               read_contexts(event, plan)});
}

void Bt2Source::read_fields(const bt_event* event, const Bt2EventPlan& plan)
{
    const bt_field* payload = bt_event_borrow_payload_field_const(event);
    x_fields.clear();
    for (const Bt2Member& member : plan.fields) {
        if (member.kind == Bt2FieldKind::EveryLeaf) {
            append_leaves(event, x_fields);
        } else if (member.kind == Bt2FieldKind::EventName) {
            x_fields.emplace_back(plan.name);
        } else {
            x_fields.push_back(read_member(payload, member));
        }
    }
}

Loss Bt2Source::convert_discarded_events(const bt_message* message)
{
    const bt_stream* stream = bt_message_discarded_events_borrow_stream_const(message);
    Loss loss = make_loss(stream, LossUnit::Events);
    if (bt_stream_class_discarded_events_have_default_clock_snapshots(
            bt_stream_borrow_class_const(stream)) != BT_FALSE) {
        set_times(
            loss,
            bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(message),
            bt_message_discarded_events_borrow_end_default_clock_snapshot_const(message));
    }
    std::uint64_t count = 0;
    if (bt_message_discarded_events_get_count(message, &count) ==
        BT_PROPERTY_AVAILABILITY_AVAILABLE) {
        loss.count = count;
    }
    return loss;
}

Loss Bt2Source::convert_discarded_packets(const bt_message* message)
{
    const bt_stream* stream = bt_message_discarded_packets_borrow_stream_const(message);
    Loss loss = make_loss(stream, LossUnit::Packets);
    if (bt_stream_class_discarded_packets_have_default_clock_snapshots(
            bt_stream_borrow_class_const(stream)) != BT_FALSE) {
        set_times(
            loss,
            bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(message),
            bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(message));
    }
    std::uint64_t count = 0;
    if (bt_message_discarded_packets_get_count(message, &count) ==
        BT_PROPERTY_AVAILABILITY_AVAILABLE) {
        loss.count = count;
    }
    return loss;
}

/// Without times of its own a gap is where reading has come to.
Loss Bt2Source::make_loss(const bt_stream* stream, LossUnit unit)
{
    const Timestamp now = x_totals.last.value_or(Timestamp{});
    return {now, now, at_stream(stream).trace, at_stream(stream).cpu, unit, {}};
}

void Bt2Source::on_packet_beginning(const bt_message* message)
{
    const bt_packet* packet = bt_message_packet_beginning_borrow_packet_const(message);
    const bt_field* context = bt_packet_borrow_context_field_const(packet);
    if (context == nullptr) {
        return;
    }
    const Bt2Member member = find_member(bt_field_borrow_class_const(context), "cpu_id");
    if (const auto cpu = read_member(context, member).as_unsigned()) {
        at_stream(bt_packet_borrow_stream_const(packet)).cpu =
            Cpu{static_cast<std::uint32_t>(*cpu)};
    }
}

void Bt2Source::on_time(Timestamp time)
{
    if (!x_totals.first) {
        x_totals.first = time;
    }
    x_totals.last = std::max(x_totals.last.value_or(time), time);
}

Bt2Source::Stream& Bt2Source::at_stream(const bt_stream* stream)
{
    const auto found = x_streams.find(stream);
    if (found != x_streams.end()) {
        return found->second;
    }
    const TraceId trace = trace_id(bt_stream_borrow_trace_const(stream));
    return x_streams.emplace(stream, Stream{trace, Cpu{}}).first->second;
}

TraceId Bt2Source::trace_id(const bt_trace* trace)
{
    constexpr std::size_t uuid_size = 16;
    const bt_uuid uuid = bt_trace_get_uuid(trace);
    // Without a UUID each trace object stands for itself.
    std::string name = uuid != nullptr
                           ? std::string{reinterpret_cast<const char*>(uuid), uuid_size}
                           : "#" + std::to_string(reinterpret_cast<std::uintptr_t>(trace));
    const TraceId next{static_cast<std::uint32_t>(x_traces.size())};
    return x_traces.emplace(std::move(name), next).first->second;
}

} // namespace lttng_gpu::trace
