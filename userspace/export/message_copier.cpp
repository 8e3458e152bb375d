// SPDX-License-Identifier: MIT
//
// See message_copier.hpp. Times are copied as the clock's own numbers, because the
// clock is copied too; or moved by a constant when a clock of another zero took its
// place.
#include "message_copier.hpp"

#include "field_copy.hpp"

#include <charconv>
#include <set>

namespace lttng_gpu::exporting {
namespace {

using trace::Bt2MessageRef;

Failure cannot_copy()
{
    return Failure{{ErrorKind::Output, "not enough memory, or a type of field that this program "
                                       "does not know"}};
}

/// Optional features of a stream class.
struct StreamFeatures {
    explicit StreamFeatures(const bt_stream* stream)
        : stream_class{bt_stream_borrow_class_const(stream)}
    {
    }
    bool has_clock() const
    {
        return bt_stream_class_borrow_default_clock_class_const(stream_class) != nullptr;
    }
    bool has_packets() const { return bt_stream_class_supports_packets(stream_class) != BT_FALSE; }

    const bt_stream_class* stream_class;
};

std::uint64_t value_of(const bt_clock_snapshot* snapshot, const StreamCopy& stream)
{
    return bt_clock_snapshot_get_value(snapshot) +
           static_cast<std::uint64_t>(stream.stream_class->rebase);
}

/// The scopes of an event.
bool copy_fields(const bt_event* original, bt_event* target)
{
    return copy_field(bt_event_borrow_common_context_field_const(original),
                      bt_event_borrow_common_context_field(target)) &&
           copy_field(bt_event_borrow_specific_context_field_const(original),
                      bt_event_borrow_specific_context_field(target)) &&
           copy_field(bt_event_borrow_payload_field_const(original),
                      bt_event_borrow_payload_field(target));
}

} // namespace

MessageCopier::MessageCopier(bt_self_message_iterator* iterator, bt_self_component* component,
                             const InputPlan& plan, std::vector<trace::Bt2KeptTraceRef>& kept)
    : m_iterator{iterator}, m_component{component}, m_plan{plan}, m_kept{kept},
      m_outputs(plan.groups.size())
{
}

/// Null when memory is short.
OutputTrace* MessageCopier::make_output(std::size_t group)
{
    m_outputs[group] = OutputTrace::create(m_component, m_plan.groups[group]);
    if (m_outputs[group]) {
        bt_trace_get_ref(m_outputs[group]->trace());
        m_kept.emplace_back(m_outputs[group]->trace());
    }
    return m_outputs[group].get();
}

Expected<const InputSource*> MessageCopier::source_of(const bt_trace* trace) const
{
    const char* name = bt_trace_get_name(trace);
    std::size_t index = m_plan.sources.size();
    if (name != nullptr) {
        // source.ctf.fs puts the host's name before it ("host/3").
        const std::string_view all{name};
        const std::string_view last = all.substr(all.rfind('/') + 1);
        std::from_chars(last.data(), last.data() + last.size(), index);
    }
    if (index >= m_plan.sources.size()) {
        return Failure{{ErrorKind::UnreadableTrace, "internal error: a trace has no name"}};
    }
    return &m_plan.sources[index];
}

Expected<void> MessageCopier::prepare(std::span<const Bt2MessageRef> beginnings)
{
    std::set<const bt_trace*> known;
    for (const Bt2MessageRef& message : beginnings) {
        const auto* trace = bt_stream_borrow_trace_const(
            bt_message_stream_beginning_borrow_stream_const(message.get()));
        if (!known.insert(trace).second) {
            continue;
        }
        const auto source = source_of(trace);
        if (!source) {
            return Failure{source.error()};
        }
        auto& output = m_outputs[(*source)->group];
        if (!output) {
            make_output((*source)->group);
        }
        if (!output || !output->add_environment(trace, **source)) {
            return cannot_copy();
        }
    }
    for (const auto& output : m_outputs) {
        if (output && !output->settle_environment(m_plan.notes)) {
            return cannot_copy();
        }
    }
    return {};
}

Expected<Bt2MessageRef> MessageCopier::copy(const bt_message* message)
{
    Bt2MessageRef made;
    switch (bt_message_get_type(message)) {
    case BT_MESSAGE_TYPE_STREAM_BEGINNING:
        return begin_stream(message);
    case BT_MESSAGE_TYPE_STREAM_END:
        made = end_stream(message);
        break;
    case BT_MESSAGE_TYPE_EVENT:
        made = copy_event(message);
        break;
    case BT_MESSAGE_TYPE_PACKET_BEGINNING:
        made = begin_packet(message);
        break;
    case BT_MESSAGE_TYPE_PACKET_END:
        made = end_packet(message);
        break;
    case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
        made = copy_discarded_events(message);
        break;
    case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
        made = copy_discarded_packets(message);
        break;
    case BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY:
        return Bt2MessageRef{};
    }
    if (!made) {
        return cannot_copy();
    }
    return made;
}

StreamCopy* MessageCopier::at_stream(const bt_stream* original)
{
    if (original != m_last_original) {
        const auto found = m_streams.find(original);
        m_last = found == m_streams.end() ? nullptr : found->second.get();
        m_last_original = original;
    }
    return m_last;
}

Expected<Bt2MessageRef> MessageCopier::begin_stream(const bt_message* message)
{
    const auto* original = bt_message_stream_beginning_borrow_stream_const(message);
    const auto* trace = bt_stream_borrow_trace_const(original);
    const auto source = source_of(trace);
    if (!source) {
        return Failure{source.error()};
    }
    auto& output = m_outputs[(*source)->group];
    if (!output) { // the first stream of this output begins in the middle
        if (make_output((*source)->group) == nullptr || !output->add_environment(trace, **source) ||
            !output->settle_environment(m_plan.notes)) {
            return cannot_copy();
        }
    }
    auto stream = output->add_stream(original, **source);
    if (!stream) {
        return cannot_copy();
    }
    bt_message* made = bt_message_stream_beginning_create(m_iterator, stream->owner.get());
    Bt2MessageRef owned{made};
    const bt_clock_snapshot* snapshot = nullptr;
    if (made != nullptr && StreamFeatures{original}.has_clock() &&
        bt_message_stream_beginning_borrow_default_clock_snapshot_const(message, &snapshot) ==
            BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN) {
        bt_message_stream_beginning_set_default_clock_snapshot(made, value_of(snapshot, *stream));
    }
    m_streams[original] = std::move(stream);
    m_last_original = nullptr;
    if (!owned) {
        return cannot_copy();
    }
    return owned;
}

Bt2MessageRef MessageCopier::end_stream(const bt_message* message)
{
    const auto* original = bt_message_stream_end_borrow_stream_const(message);
    const StreamCopy* stream = at_stream(original);
    bt_message* made =
        stream == nullptr ? nullptr : bt_message_stream_end_create(m_iterator, stream->owner.get());
    const bt_clock_snapshot* snapshot = nullptr;
    if (made != nullptr && StreamFeatures{original}.has_clock() &&
        bt_message_stream_end_borrow_default_clock_snapshot_const(message, &snapshot) ==
            BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN) {
        bt_message_stream_end_set_default_clock_snapshot(made, value_of(snapshot, *stream));
    }
    m_streams.erase(original);
    m_last_original = nullptr;
    return Bt2MessageRef{made};
}

Bt2MessageRef MessageCopier::begin_packet(const bt_message* message)
{
    const auto* original = bt_message_packet_beginning_borrow_packet_const(message);
    const auto* original_stream = bt_packet_borrow_stream_const(original);
    StreamCopy* stream = at_stream(original_stream);
    if (stream == nullptr) {
        return {};
    }
    stream->packet.reset(bt_packet_create(stream->owner.get()));
    if (!stream->packet) {
        return {};
    }
    bt_field* context = bt_packet_borrow_context_field(stream->packet.get());
    const bt_field* original_context = bt_packet_borrow_context_field_const(original);
    if (original_context != nullptr && !copy_field(original_context, context)) {
        return {};
    }
    if (stream->stream_class->has_run) {
        const std::uint64_t last =
            bt_field_class_structure_get_member_count(bt_field_borrow_class_const(context)) - 1;
        bt_field_integer_unsigned_set_value(
            bt_field_structure_borrow_member_field_by_index(context, last), stream->run);
    }
    const bool has_time = bt_stream_class_packets_have_beginning_default_clock_snapshot(
                              StreamFeatures{original_stream}.stream_class) != BT_FALSE;
    return Bt2MessageRef{
        has_time
            ? bt_message_packet_beginning_create_with_default_clock_snapshot(
                  m_iterator, stream->packet.get(),
                  value_of(bt_message_packet_beginning_borrow_default_clock_snapshot_const(message),
                           *stream))
            : bt_message_packet_beginning_create(m_iterator, stream->packet.get())};
}

Bt2MessageRef MessageCopier::end_packet(const bt_message* message)
{
    const auto* original_stream =
        bt_packet_borrow_stream_const(bt_message_packet_end_borrow_packet_const(message));
    StreamCopy* stream = at_stream(original_stream);
    if (stream == nullptr || !stream->packet) {
        return {};
    }
    const bool has_time = bt_stream_class_packets_have_end_default_clock_snapshot(
                              StreamFeatures{original_stream}.stream_class) != BT_FALSE;
    Bt2MessageRef made{
        has_time ? bt_message_packet_end_create_with_default_clock_snapshot(
                       m_iterator, stream->packet.get(),
                       value_of(bt_message_packet_end_borrow_default_clock_snapshot_const(message),
                                *stream))
                 : bt_message_packet_end_create(m_iterator, stream->packet.get())};
    stream->packet.reset();
    return made;
}

Bt2MessageRef MessageCopier::copy_event(const bt_message* message)
{
    const bt_event* original = bt_message_event_borrow_event_const(message);
    const bt_stream* original_stream = bt_event_borrow_stream_const(original);
    StreamCopy* stream = at_stream(original_stream);
    const StreamFeatures can{original_stream};
    if (stream == nullptr || can.has_packets() != (stream->packet != nullptr)) {
        return {};
    }
    auto* output = m_outputs[stream->group].get();
    const bt_event_class* event_class =
        output->event_class_of(*stream, bt_event_borrow_class_const(original));
    if (event_class == nullptr) {
        return {};
    }
    const std::uint64_t time =
        can.has_clock()
            ? value_of(bt_message_event_borrow_default_clock_snapshot_const(message), *stream)
            : 0;
    bt_message* made = nullptr;
    if (can.has_packets()) {
        made = can.has_clock() ? bt_message_event_create_with_packet_and_default_clock_snapshot(
                                     m_iterator, event_class, stream->packet.get(), time)
                               : bt_message_event_create_with_packet(m_iterator, event_class,
                                                                     stream->packet.get());
    } else {
        made = can.has_clock()
                   ? bt_message_event_create_with_default_clock_snapshot(m_iterator, event_class,
                                                                         stream->owner.get(), time)
                   : bt_message_event_create(m_iterator, event_class, stream->owner.get());
    }
    Bt2MessageRef owned{made};
    return made != nullptr && copy_fields(original, bt_message_event_borrow_event(made))
               ? std::move(owned)
               : Bt2MessageRef{};
}

Bt2MessageRef MessageCopier::copy_discarded_events(const bt_message* message)
{
    const auto* original = bt_message_discarded_events_borrow_stream_const(message);
    const StreamCopy* stream = at_stream(original);
    if (stream == nullptr) {
        return {};
    }
    const bool has_times = bt_stream_class_discarded_events_have_default_clock_snapshots(
                               StreamFeatures{original}.stream_class) != BT_FALSE;
    bt_message* made =
        has_times
            ? bt_message_discarded_events_create_with_default_clock_snapshots(
                  m_iterator, stream->owner.get(),
                  value_of(
                      bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(
                          message),
                      *stream),
                  value_of(
                      bt_message_discarded_events_borrow_end_default_clock_snapshot_const(message),
                      *stream))
            : bt_message_discarded_events_create(m_iterator, stream->owner.get());
    std::uint64_t count = 0;
    if (made != nullptr && bt_message_discarded_events_get_count(message, &count) ==
                               BT_PROPERTY_AVAILABILITY_AVAILABLE) {
        bt_message_discarded_events_set_count(made, count);
    }
    return Bt2MessageRef{made};
}

Bt2MessageRef MessageCopier::copy_discarded_packets(const bt_message* message)
{
    const auto* original = bt_message_discarded_packets_borrow_stream_const(message);
    const StreamCopy* stream = at_stream(original);
    if (stream == nullptr) {
        return {};
    }
    const bool has_times = bt_stream_class_discarded_packets_have_default_clock_snapshots(
                               StreamFeatures{original}.stream_class) != BT_FALSE;
    bt_message* made =
        has_times
            ? bt_message_discarded_packets_create_with_default_clock_snapshots(
                  m_iterator, stream->owner.get(),
                  value_of(
                      bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(
                          message),
                      *stream),
                  value_of(
                      bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(message),
                      *stream))
            : bt_message_discarded_packets_create(m_iterator, stream->owner.get());
    std::uint64_t count = 0;
    if (made != nullptr && bt_message_discarded_packets_get_count(message, &count) ==
                               BT_PROPERTY_AVAILABILITY_AVAILABLE) {
        bt_message_discarded_packets_set_count(made, count);
    }
    return Bt2MessageRef{made};
}

} // namespace lttng_gpu::exporting
