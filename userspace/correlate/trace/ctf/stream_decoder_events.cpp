// SPDX-License-Identifier: MIT
//
// The events of a packet, see stream_decoder.hpp, and fast_event_loop.hpp for where the time
// goes.
#include "event_header.hpp"
#include "fast_event_loop.hpp"
#include "simple_body.hpp"
#include "stream_decoder.hpp"

#include <algorithm>
#include <utility>

namespace lttng_gpu::trace::ctf {
namespace {

/// Slots that no field of the event fills.
void prepare_slots(const EventPlan& plan, FieldValue* values)
{
    for (const std::uint32_t slot : plan.empty_slots) {
        values[slot] = FieldValue{};
    }
    if (plan.name_slot != EventPlan::none) {
        values[plan.name_slot] = FieldValue{std::string_view{plan.name}};
    }
}

} // namespace

void settle_slots(const EventPlan& plan, FieldValue* values)
{
    prepare_slots(plan, values);
    for (const IntegerRead& read : plan.integer_reads) {
        values[read.slot] = FieldValue::of_bits(0, read.tag);
    }
}

/// A body that takes steps; the cursor is at its beginning.
DecodeFault StreamDecoder::decode_body(const EventPlan& plan, Batch& batch)
{
    FieldValue* values = batch.values.reserve(plan.slot_count);
    std::int64_t time = 0;
    if (plan.wanted == EventPlan::none || !find_time(time, batch)) {
        // Slots are written to, but not taken.
        return m_decoder.run(plan.body, m_cursor, batch.values, batch.values.used());
    }
    const std::size_t first = batch.values.used();
    prepare_slots(plan, values);
    batch.values.take(plan.slot_count);
    const DecodeFault fault = m_decoder.run(plan.body, m_cursor, batch.values, first);
    if (fault == DecodeFault::None) {
        const std::size_t appended = batch.values.used() - first - plan.slot_count;
        Record& record = batch.records.add();
        record.time = time;
        record.plan = &plan;
        record.values = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(appended)};
        record.cpu = m_packet.cpu;
        record.form = RecordForm::stored();
    }
    return fault;
}

bool StreamDecoder::find_time(std::int64_t& time, Batch& batch) const
{
    const auto& clock = m_packet.stream->clock;
    if (!clock) {
        return false; // counted for the whole packet
    }
    const bool is_known = clock->to_time(m_decoder.clock.cycles, time);
    batch.events_without_clock += is_known ? 0 : 1;
    return is_known;
}

namespace {

/// What the times of a packet's events are compared with.
struct TimeLimits {
    ClockMap map;
    bool has_clock;
    std::uint64_t end_cycles;    // of the packet
    std::uint64_t simple_cycles; // beyond this a time needs a closer look
};

TimeLimits limits_of(const Packet& packet, bool is_end_binding)
{
    const auto& clock = packet.stream->clock;
    const std::uint64_t end_cycles =
        is_end_binding && packet.end.value_or(0) > 0 ? *packet.end : UINT64_MAX;
    const ClockMap map = clock.value_or(ClockMap{});
    return {map, clock.has_value(), end_cycles,
            clock ? std::min(end_cycles, map.simple_limit()) : 0};
}

/// An event that the fast loop has left.
struct MetEvent {
    DecodeFault fault = DecodeFault::None;
    const EventPlan* plan = nullptr;
    const std::uint8_t* body = nullptr;
    StreamClock clock;
    std::int64_t time = 0;
    bool has_time = false;
};

template <HeaderForm form>
[[gnu::always_inline]] inline MetEvent
meet_event(const StreamPlan& stream, const std::uint8_t* at, const std::uint8_t* end,
           std::uint64_t cycles_before, const TimeLimits& limits)
{
    MetEvent met;
    met.clock.cycles = cycles_before;
    std::uint32_t id = 0;
    met.body = EventHeader<form>::read(at, end, id, met.clock);
    if (met.body == nullptr) {
        met.fault = DecodeFault::BeyondContent;
        return met;
    }
    met.plan = stream.find(id);
    if (met.plan == nullptr) {
        met.fault = DecodeFault::UnknownEvent;
        return met;
    }
    const std::uint64_t cycles = met.clock.cycles;
    // Modulo 2^64; whether it fits is asked below.
    met.time = static_cast<std::int64_t>(cycles + static_cast<std::uint64_t>(limits.map.offset()));
    met.has_time = limits.has_clock;
    if (cycles > limits.simple_cycles || cycles < cycles_before) [[unlikely]] {
        if (cycles < cycles_before) {
            met.fault = DecodeFault::TimeGoesBack;
        } else if (cycles > limits.end_cycles) {
            met.fault = DecodeFault::TimeOutsidePacket;
        }
        met.has_time = limits.has_clock && limits.map.to_time(cycles, met.time);
    }
    return met;
}

} // namespace

/// Everything the loop changes is a local variable: a member could be changed by
/// any store, and would be loaded again after each.
template <HeaderForm form> DecodeFault StreamDecoder::decode_events(Batch& batch)
{
    const StreamPlan& stream = *m_packet.stream;
    const std::uint8_t* const base = m_cursor.base;
    const std::uint8_t* const end = base + m_cursor.end / byte_bits; // of whole bytes
    const TimeLimits times = limits_of(m_packet, m_plan.is_packet_end_binding);
    const std::uint64_t events_at_most = m_is_first_known ? batch_events - batch.events : 1;
    const std::size_t record_room =
        m_batch_records - std::min(m_batch_records, batch.records.size());
    Record* const first_record = batch.records.reserve(record_room);
    const Record* const end_record = first_record + record_room;
    const FastLimits limits{end_record, end, times.simple_cycles, times.map.offset(), m_packet.cpu};
    FastState state{base + (m_cursor.position + byte_bits - 1) / byte_bits, m_decoder.clock.cycles,
                    first_record, events_at_most};
    const auto has_more = [&] {
        return state.at < end && state.record != end_record && state.events_left > 0;
    };
    DecodeFault fault = DecodeFault::None;
    const EventPlan* needs_steps = nullptr;
    while (has_more()) {
        if (times.has_clock) {
            state = stream.needs_lengths ? run_fast<form, true>(stream, state, limits)
                                         : run_fast<form, false>(stream, state, limits);
            if (!has_more()) {
                break;
            }
        }
        const MetEvent met = meet_event<form>(stream, state.at, end, state.cycles, times);
        fault = met.fault;
        if (fault != DecodeFault::None) {
            break;
        }
        const EventPlan& plan = *met.plan;
        const bool is_wanted = plan.wanted != EventPlan::none;
        const std::uint8_t* const next =
            plan.is_simple ? skip_simple(plan, met.body, end) : nullptr;
        if (plan.is_simple && next == nullptr) {
            fault = DecodeFault::BeyondContent;
            break;
        }
        // See Record::body; near the end values are read at once, by steps.
        if (!plan.is_simple || (is_wanted && end - next < body_margin)) [[unlikely]] {
            needs_steps = &plan;
            state.at = met.body;
            state.cycles = met.clock.cycles;
            break;
        }
        batch.events_without_clock += times.has_clock && !met.has_time ? 1 : 0;
        if (is_wanted && met.has_time) {
            *state.record++ = {met.time, &plan, {met.body}, m_packet.cpu, {}};
        }
        state.at = next;
        state.cycles = met.clock.cycles;
        --state.events_left;
    }
    batch.records.take(static_cast<std::size_t>(state.record - first_record));
    batch.events += events_at_most - state.events_left;
    return leave_events(state, fault, needs_steps, batch);
}

/// Goes on where the loop over events ended. An event that takes steps is decoded by them.
DecodeFault StreamDecoder::leave_events(const FastState& state, DecodeFault fault,
                                        const EventPlan* needs_steps, Batch& batch)
{
    m_decoder.clock.cycles = state.cycles;
    const std::uint64_t position = static_cast<std::uint64_t>(state.at - m_cursor.base) * byte_bits;
    const bool is_at_end = state.at >= m_cursor.base + m_cursor.end / byte_bits;
    m_cursor.position = position;
    if (is_at_end && position < m_cursor.end && fault == DecodeFault::None) {
        fault = DecodeFault::BeyondContent; // some bits are left, in which no event begins
    }
    if (needs_steps != nullptr) {
        fault = decode_body(*needs_steps, batch);
        batch.events += fault == DecodeFault::None ? 1 : 0;
        m_cursor.position = (m_cursor.position + byte_bits - 1) / byte_bits * byte_bits;
    }
    return fault;
}

/// Any other event header: its fields are found by their roles.
DecodeFault StreamDecoder::decode_events_by_steps(Batch& batch)
{
    const StreamPlan& stream = *m_packet.stream;
    StreamClock& clock = m_decoder.clock;
    while (m_cursor.position < m_cursor.end && !is_full(batch)) {
        const Cursor before = m_cursor;
        const std::uint64_t cycles_before = clock.cycles;
        m_decoder.event_id = 0;
        DecodeFault fault = m_decoder.run(stream.event_header, m_cursor, batch.values, 0);
        const EventPlan* plan = stream.find(m_decoder.event_id);
        if (fault == DecodeFault::None && plan == nullptr) {
            fault = DecodeFault::UnknownEvent;
        } else if (fault == DecodeFault::None && clock.cycles < cycles_before) {
            fault = DecodeFault::TimeGoesBack;
        }
        if (fault == DecodeFault::None) {
            fault = decode_body(*plan, batch);
        }
        if (fault == DecodeFault::None && m_cursor.position == before.position) {
            fault = DecodeFault::BeyondContent; // an event of no size would never end
        }
        if (fault != DecodeFault::None) {
            clock.cycles = cycles_before;
            return fault;
        }
        ++batch.events;
        if (!m_is_first_known) {
            return DecodeFault::None;
        }
    }
    return DecodeFault::None;
}

void StreamDecoder::decode(Batch& batch)
{
    DecodeFault fault = DecodeFault::None;
    const std::uint64_t events_before = batch.events;
    switch (m_packet.stream->header_form) {
    case HeaderForm::Compact:
        fault = decode_events<HeaderForm::Compact>(batch);
        break;
    case HeaderForm::Large:
        fault = decode_events<HeaderForm::Large>(batch);
        break;
    case HeaderForm::Steps:
        fault = decode_events_by_steps(batch);
        break;
    }
    if (batch.events > events_before) {
        if (m_packet.stream->clock) {
            batch.last_time = now();
            if (!m_is_first_known) { // it was decoded alone
                batch.first_time = batch.last_time;
                m_is_first_known = true;
            }
        } else {
            m_is_first_known = true;
            batch.events_without_clock += batch.events - events_before;
        }
    }
    if (fault != DecodeFault::None || (m_packet.is_cut && m_cursor.position >= m_cursor.end)) {
        leave_damaged(fault, batch);
    } else if (m_cursor.position >= m_cursor.end) {
        m_is_inside = false;
    }
}

} // namespace lttng_gpu::trace::ctf
