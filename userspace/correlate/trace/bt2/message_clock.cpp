// SPDX-License-Identifier: MIT
//
// See message_clock.hpp. The library must not be asked for a snapshot that the stream
// class rules out, so that is asked first.
#include "message_clock.hpp"

namespace lttng_gpu::trace {
namespace {

const bt_clock_snapshot* of_stream_beginning(const bt_message* message)
{
    const bt_clock_snapshot* snapshot = nullptr;
    const bool is_known =
        bt_message_stream_beginning_borrow_stream_class_default_clock_class_const(message) !=
            nullptr &&
        bt_message_stream_beginning_borrow_default_clock_snapshot_const(message, &snapshot) ==
            BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN;
    return is_known ? snapshot : nullptr;
}

const bt_clock_snapshot* of_stream_end(const bt_message* message)
{
    const bt_clock_snapshot* snapshot = nullptr;
    const bool is_known =
        bt_message_stream_end_borrow_stream_class_default_clock_class_const(message) != nullptr &&
        bt_message_stream_end_borrow_default_clock_snapshot_const(message, &snapshot) ==
            BT_MESSAGE_STREAM_CLOCK_SNAPSHOT_STATE_KNOWN;
    return is_known ? snapshot : nullptr;
}

const bt_clock_snapshot* of_event(const bt_message* message)
{
    return bt_message_event_borrow_stream_class_default_clock_class_const(message) != nullptr
               ? bt_message_event_borrow_default_clock_snapshot_const(message)
               : nullptr;
}

const bt_stream_class* class_of(const bt_packet* packet)
{
    return bt_stream_borrow_class_const(bt_packet_borrow_stream_const(packet));
}

const bt_clock_snapshot* of_packet_beginning(const bt_message* message)
{
    const auto* packet = bt_message_packet_beginning_borrow_packet_const(message);
    return bt_stream_class_packets_have_beginning_default_clock_snapshot(class_of(packet)) !=
                   BT_FALSE
               ? bt_message_packet_beginning_borrow_default_clock_snapshot_const(message)
               : nullptr;
}

const bt_clock_snapshot* of_packet_end(const bt_message* message)
{
    const auto* packet = bt_message_packet_end_borrow_packet_const(message);
    return bt_stream_class_packets_have_end_default_clock_snapshot(class_of(packet)) != BT_FALSE
               ? bt_message_packet_end_borrow_default_clock_snapshot_const(message)
               : nullptr;
}

const bt_clock_snapshot* of_discarded_events(const bt_message* message)
{
    const auto* stream = bt_message_discarded_events_borrow_stream_const(message);
    return bt_stream_class_discarded_events_have_default_clock_snapshots(
               bt_stream_borrow_class_const(stream)) != BT_FALSE
               ? bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(message)
               : nullptr;
}

const bt_clock_snapshot* of_discarded_packets(const bt_message* message)
{
    const auto* stream = bt_message_discarded_packets_borrow_stream_const(message);
    return bt_stream_class_discarded_packets_have_default_clock_snapshots(
               bt_stream_borrow_class_const(stream)) != BT_FALSE
               ? bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(message)
               : nullptr;
}

} // namespace

const bt_clock_snapshot* clock_snapshot_of(const bt_message* message)
{
    switch (bt_message_get_type(message)) {
    case BT_MESSAGE_TYPE_STREAM_BEGINNING:
        return of_stream_beginning(message);
    case BT_MESSAGE_TYPE_STREAM_END:
        return of_stream_end(message);
    case BT_MESSAGE_TYPE_EVENT:
        return of_event(message);
    case BT_MESSAGE_TYPE_PACKET_BEGINNING:
        return of_packet_beginning(message);
    case BT_MESSAGE_TYPE_PACKET_END:
        return of_packet_end(message);
    case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
        return of_discarded_events(message);
    case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
        return of_discarded_packets(message);
    case BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY:
        return bt_message_message_iterator_inactivity_borrow_clock_snapshot_const(message);
    }
    return nullptr;
}

} // namespace lttng_gpu::trace
