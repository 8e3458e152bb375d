// SPDX-License-Identifier: MIT
//
// See message_reader.hpp. Traces of one identity are chunks of one trace (session
// rotation), so they share a TraceId.
#include "message_reader.hpp"

#include "leaves.hpp"
#include "mip.hpp"

#include <algorithm>

namespace lttng_gpu::trace {
namespace {

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
    return {read_context(event, plan.pid),      read_context(event, plan.tid),
            read_context(event, plan.procname), read_context(event, plan.pid_ns),
            read_context(event, plan.vpid),     read_context(event, plan.vtid)};
}

/// Own nanoseconds to times; nothing when the clock counts something else.
std::optional<Duration> offset_of(const bt_stream* stream)
{
    const bt_clock_class* clock =
        bt_stream_class_borrow_default_clock_class_const(bt_stream_borrow_class_const(stream));
    constexpr std::uint64_t nanosecond = 1'000'000'000;
    if (clock == nullptr || bt_clock_class_get_frequency(clock) != nanosecond) {
        return {};
    }
    std::int64_t seconds = 0;
    std::uint64_t cycles = 0;
    bt_clock_class_get_offset(clock, &seconds, &cycles);
    std::int64_t offset = 0;
    if (__builtin_mul_overflow(seconds, static_cast<std::int64_t>(nanosecond), &offset) ||
        __builtin_add_overflow(offset, cycles, &offset)) {
        return {};
    }
    return Duration{offset};
}

/// Empty when there is no such text.
std::string environment_text(const bt_trace* trace, const char* name)
{
    const bt_value* value = bt_trace_borrow_environment_entry_value_by_name_const(trace, name);
    return value != nullptr && bt_value_is_string(value) != BT_FALSE ? bt_value_string_get(value)
                                                                     : "";
}

std::string boot_id_of(const bt_stream* stream)
{
    const bt_stream_class* stream_class = bt_stream_borrow_class_const(stream);
    const bt_clock_class* clock = bt_stream_class_borrow_default_clock_class_const(stream_class);
    const char* name = clock == nullptr ? nullptr : bt_clock_class_get_name(clock);
    return name != nullptr && name == boot_clock
               ? identity_of(clock, bt_stream_class_borrow_trace_class_const(stream_class))
               : "";
}

} // namespace

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

void Bt2MessageReader::read(const bt_message* message, EventConsumer& consumer)
{
    switch (bt_message_get_type(message)) {
    case BT_MESSAGE_TYPE_STREAM_BEGINNING:
        on_stream_beginning(bt_message_stream_beginning_borrow_stream_const(message), consumer);
        break;
    case BT_MESSAGE_TYPE_EVENT:
        read_event(message, consumer);
        break;
    case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
        consumer.on_loss(read_discarded_events(message));
        break;
    case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
        consumer.on_loss(read_discarded_packets(message));
        break;
    case BT_MESSAGE_TYPE_PACKET_BEGINNING:
        on_packet_beginning(message);
        break;
    case BT_MESSAGE_TYPE_STREAM_END: // a later stream may get the same address
        m_streams.erase(bt_message_stream_end_borrow_stream_const(message));
        break;
    default:
        break;
    }
}

void Bt2MessageReader::read_event(const bt_message* message, EventConsumer& consumer)
{
    const bt_event* event = bt_message_event_borrow_event_const(message);
    const Bt2EventPlan& plan = m_plans.plan_for(bt_event_borrow_class_const(event));
    ++m_totals.events;
    const auto time = plan.has_clock
                          ? time_of(bt_message_event_borrow_default_clock_snapshot_const(message))
                          : std::nullopt;
    if (!time) {
        ++m_totals.events_without_clock;
        return;
    }
    on_time(*time);
    if (!plan.wanted) {
        return;
    }
    read_fields(event, plan);
    const Stream& stream = at_stream(bt_event_borrow_stream_const(event));
    consumer.on_event(RawEvent{*time, stream.trace, stream.cpu, *plan.wanted, m_fields,
                               read_contexts(event, plan)});
}

void Bt2MessageReader::read_fields(const bt_event* event, const Bt2EventPlan& plan)
{
    const bt_field* payload = bt_event_borrow_payload_field_const(event);
    m_fields.clear();
    std::size_t lists = 0;
    for (const Bt2Member& member : plan.fields) {
        if (member.kind == Bt2FieldKind::EveryLeaf) {
            append_leaves(event, m_fields);
        } else if (member.kind == Bt2FieldKind::Numbers) {
            m_fields.push_back(read_list(payload, member, lists++));
        } else if (member.kind == Bt2FieldKind::EventName) {
            m_fields.emplace_back(plan.name);
        } else {
            m_fields.push_back(read_member(payload, member));
        }
    }
}

FieldValue Bt2MessageReader::read_list(const bt_field* structure, Bt2Member member,
                                       std::size_t list)
{
    while (m_lists.size() <= list) {
        m_lists.emplace_back();
    }
    std::vector<std::uint64_t>& numbers = m_lists[list];
    read_numbers(bt_field_structure_borrow_member_field_by_index_const(structure, member.index),
                 numbers);
    return FieldValue{NumberList{numbers.data(), static_cast<std::uint32_t>(numbers.size())}};
}

Loss Bt2MessageReader::read_discarded_events(const bt_message* message)
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

Loss Bt2MessageReader::read_discarded_packets(const bt_message* message)
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
Loss Bt2MessageReader::make_loss(const bt_stream* stream, LossUnit unit)
{
    const Timestamp now = m_totals.last.value_or(Timestamp{});
    return {now, now, at_stream(stream).trace, at_stream(stream).cpu, unit, {}};
}

/// LTTng's kernel tracer says in the environment which kernel it traced.
void Bt2MessageReader::on_stream_beginning(const bt_stream* stream, EventConsumer& consumer)
{
    const bt_trace* trace = bt_stream_borrow_trace_const(stream);
    const bt_trace_class* trace_class = bt_trace_borrow_class_const(trace);
    if (m_trace_classes.contains(trace_class)) {
        return;
    }
    bt_trace_class_get_ref(trace_class);
    m_trace_classes.emplace(trace_class, trace_class);
    TraceFacts facts;
    facts.clock_offset = offset_of(stream);
    facts.kernel_release = environment_text(trace, "kernel_release");
    facts.machine = {boot_id_of(stream), environment_text(trace, "hostname")};
    consumer.on_trace(trace_id(trace), facts);
}

void Bt2MessageReader::on_packet_beginning(const bt_message* message)
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

void Bt2MessageReader::on_time(Timestamp time)
{
    if (!m_totals.first) {
        m_totals.first = time;
    }
    m_totals.last = std::max(m_totals.last.value_or(time), time);
}

Bt2MessageReader::Stream& Bt2MessageReader::at_stream(const bt_stream* stream)
{
    const auto found = m_streams.find(stream);
    if (found != m_streams.end()) {
        return found->second;
    }
    const TraceId trace = trace_id(bt_stream_borrow_trace_const(stream));
    return m_streams.emplace(stream, Stream{trace, Cpu{}}).first->second;
}

TraceId Bt2MessageReader::trace_id(const bt_trace* trace)
{
    const TraceId next{static_cast<std::uint32_t>(m_traces.size())};
    return m_traces.emplace(identity_of(trace), next).first->second;
}

} // namespace lttng_gpu::trace
