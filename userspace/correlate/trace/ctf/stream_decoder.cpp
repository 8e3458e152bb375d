// SPDX-License-Identifier: MIT
//
// See stream_decoder.hpp, and fast_loop.hpp for where the time goes.
#include "stream_decoder.hpp"

#include "fast_loop.hpp"
#include "header_form.hpp"
#include "simple_body.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace lttng_gpu::trace::ctf {
namespace {

constexpr std::uint64_t byte_bits = 8;
/// How much is decoded before other streams have their turn when nobody wants
/// anything of this one.
constexpr std::uint64_t batch_events = 65'536;
constexpr std::size_t batch_values = 4096;
constexpr std::uint64_t resident_bytes = 2U << 20U;
/// Pages are given back in pieces of this size: with several threads every time interrupts all.
constexpr std::uint64_t dropped_bytes = 16U << 20U;

} // namespace

void Batch::clear()
{
    records.clear();
    values.clear();
    losses.clear();
    events = events_without_clock = bytes = 0;
    first_time.reset();
    last_time.reset();
    fault.reset();
    is_last = false;
}

StreamDecoder::StreamDecoder(const TracePlan& trace, TraceId id, std::vector<StreamPart> parts)
    : m_plan{trace}, m_id{id}, m_parts{std::move(parts)}, m_decoder{trace.register_count}
{
    if (const auto first = read_packet(m_plan, file().bytes(), 0)) {
        m_packet = *first;
        m_begins_late = first->sequence.value_or(0) > 0;
        if (const auto begin = time_of(first->begin)) {
            m_begin = Timestamp{*begin};
        }
    }
}

std::optional<Timestamp> StreamDecoder::end() const
{
    const auto end = m_packet.end.value_or(0) > 0 ? time_of(m_packet.end) : std::nullopt;
    return end ? std::optional{Timestamp{*end}} : std::nullopt;
}

void StreamDecoder::set_range(ReadRange range)
{
    m_range = range;
    for (; m_part < m_parts.size(); ++m_part) {
        const PacketIndex& index = m_parts[m_part].index;
        const auto first = std::find_if(index.begin(), index.end(), [&](const auto& entry) {
            return time_of(entry.end).value_or(INT64_MAX) >= range.begin;
        });
        if (index.empty() || first != index.end()) {
            if (first != index.begin()) {
                const PacketIndexEntry& before = *std::prev(first);
                m_next_offset = first->offset;
                m_previous_end = before.end;
                m_previous_discarded = before.discarded;
                m_previous_sequence = before.sequence;
            }
            return;
        }
    }
    m_part = 0; // the index says that nothing lies inside; the packets will say so themselves
}

std::optional<Timestamp> StreamDecoder::first_event()
{
    StreamDecoder probe{m_plan, m_id, m_parts};
    Batch batch;
    do {
        batch.clear();
        probe.fill(batch);
    } while (!batch.first_time && !batch.is_last);
    return batch.first_time ? std::optional{Timestamp{*batch.first_time}} : std::nullopt;
}

bool StreamDecoder::is_full(const Batch& batch) const
{
    return batch.records.size() >= m_batch_records || batch.values.used() >= batch_values ||
           batch.events >= batch_events;
}

void StreamDecoder::fill(Batch& batch)
{
    while (!is_full(batch)) {
        if (!m_is_inside && !next_packet(batch)) {
            batch.is_last = true;
            break;
        }
        if (m_is_inside) { // not when the packet was left at its beginning
            decode(batch);
        }
    }
    const std::uint64_t read =
        m_bytes_before +
        (m_is_inside ? m_packet.offset + m_cursor.position / byte_bits : m_next_offset);
    batch.bytes = read - std::exchange(m_bytes_told, read);
}

bool StreamDecoder::next_part()
{
    m_bytes_before += file().bytes().size();
    ++m_part;
    m_next_offset = m_resident = m_dropped = 0;
    return m_part < m_parts.size();
}

/// Goes to the next packet that is to be read. False: there is none.
bool StreamDecoder::next_packet(Batch& batch)
{
    while (!m_is_over && m_part < m_parts.size()) {
        if (m_next_offset >= file().bytes().size()) {
            m_is_over = !next_part();
            continue;
        }
        const auto packet = read_packet(m_plan, file().bytes(), m_next_offset);
        if (!packet) {
            tell(batch, packet.error().message);
            lose(batch, now(), INT64_MAX, LossUnit::Events, {});
            m_is_over = !next_part();
            continue;
        }
        if (time_of(packet->begin).value_or(INT64_MIN) > m_range.end) {
            m_is_over = true;
            break;
        }
        if (m_packet.stream != nullptr && packet->stream != m_packet.stream) {
            tell(batch, fmt::format("the packet at byte {}: it is of stream class {}, those before "
                                    "it are of {}",
                                    packet->offset, packet->stream->id, m_packet.stream->id));
            lose(batch, now(), INT64_MAX, LossUnit::Events, {});
            m_is_over = !next_part();
            continue;
        }
        const bool is_passed = is_outside(*packet);
        if (!is_passed) {
            enter(*packet, batch);
        }
        m_next_offset = packet->offset + packet->total_bytes;
        m_previous_end = packet->end ? packet->end : m_previous_end;
        m_previous_discarded = packet->discarded;
        m_previous_sequence = packet->sequence;
        if (!is_passed) {
            return true;
        }
    }
    return false;
}

bool StreamDecoder::is_outside(const Packet& packet) const
{
    return packet.end && *packet.end > 0 && time_of(packet.end).value_or(INT64_MAX) < m_range.begin;
}

void StreamDecoder::enter(const Packet& packet, Batch& batch)
{
    note_losses(packet, batch);
    m_packet = packet;
    m_cursor = {file().bytes().data() + packet.offset, packet.events_at, packet.content_bits};
    m_is_inside = true;
    make_resident();
    if (packet.stream->needs_outer_values) {
        keep_outer_values();
    }
    if (!packet.begin) {
        return;
    }
    if (*packet.begin < m_decoder.clock.cycles) {
        leave_damaged(DecodeFault::TimeGoesBack, batch);
        return;
    }
    m_decoder.clock.cycles = *packet.begin;
}

/// Reads header and context again, for the values that events depend on.
void StreamDecoder::keep_outer_values()
{
    ValueArena slots;
    slots.reserve(packet_slot_count);
    Cursor cursor{m_cursor.base, 0, m_cursor.position};
    m_decoder.run(m_plan.packet_header, cursor, slots, 0);
    m_decoder.run(m_packet.stream->packet_context, cursor, slots, 0);
}

/// Counters run on from packet to packet. The first packet of a stream tells what was
/// lost before its end; how much of it here is unknown when others were before it.
void StreamDecoder::note_losses(const Packet& packet, Batch& batch)
{
    // What packets say of their ends may contradict the events and each other.
    const std::int64_t packet_begin = std::max(time_of(packet.begin).value_or(now()), now());
    const std::int64_t begin =
        std::clamp(time_of(m_previous_end).value_or(packet_begin), now(), packet_begin);
    if (packet.sequence && m_previous_sequence && *packet.sequence > *m_previous_sequence + 1) {
        lose(batch, begin, packet_begin, LossUnit::Packets,
             *packet.sequence - *m_previous_sequence - 1);
    }
    const std::uint64_t discarded_before = m_previous_discarded.value_or(0);
    if (packet.discarded && *packet.discarded != discarded_before) {
        const bool counts_from_before = !m_previous_discarded && packet.sequence.value_or(0) > 0;
        const bool is_counted = !counts_from_before && *packet.discarded > discarded_before;
        lose(batch, begin, std::max(begin, time_of(packet.end).value_or(packet_begin)),
             LossUnit::Events,
             is_counted ? std::optional{*packet.discarded - discarded_before} : std::nullopt);
    }
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

/// The rest of the packet cannot be read; the next one begins where it says.
void StreamDecoder::leave_damaged(DecodeFault fault, Batch& batch)
{
    const std::string how =
        fault == DecodeFault::None || m_packet.lacks_content
            ? fmt::format("the file ends inside it ({} of {} bytes are there)",
                          file().bytes().size() - m_packet.offset, m_packet.total_bytes)
            : fmt::format("at its byte {}: {}", m_cursor.position / byte_bits, fault_text(fault));
    tell(batch, fmt::format("the packet at byte {}: {}", m_packet.offset, how));
    m_is_inside = false;
    if (fault == DecodeFault::None && !m_packet.lacks_content) {
        return; // only padding is missing
    }
    const std::int64_t begin = now();
    lose(batch, begin, std::max(begin, time_of(m_packet.end).value_or(begin)), LossUnit::Events,
         {});
}

void StreamDecoder::tell(Batch& batch, const std::string& message)
{
    if (!batch.fault) {
        batch.fault = Error{ErrorKind::DamagedTrace, file().path().string() + ": " + message};
    }
}

void StreamDecoder::lose(Batch& batch, std::int64_t begin, std::int64_t end, LossUnit unit,
                         std::optional<std::uint64_t> count) const
{
    Record& record = batch.records.add();
    record.time = begin;
    record.plan = nullptr;
    record.values = {static_cast<std::uint32_t>(batch.losses.size()), 0};
    record.cpu = m_packet.cpu;
    record.form = RecordForm::stored();
    batch.losses.push_back(
        {Timestamp{begin}, Timestamp{end}, m_id, Cpu{m_packet.cpu}, unit, count});
}

std::optional<std::int64_t> StreamDecoder::time_of(std::optional<std::uint64_t> cycles) const
{
    std::int64_t time = 0;
    const bool is_known = cycles && m_packet.stream != nullptr && m_packet.stream->clock &&
                          m_packet.stream->clock->to_time(*cycles, time);
    return is_known ? std::optional{time} : std::nullopt;
}

/// A time beyond 64 bits is the last of all, so that losses stay in order.
std::int64_t StreamDecoder::now() const
{
    const bool has_clock = m_packet.stream != nullptr && m_packet.stream->clock;
    return has_clock ? time_of(m_decoder.clock.cycles).value_or(INT64_MAX) : 0;
}

/// Pages of the packet are mapped in pieces, those behind it given back.
void StreamDecoder::make_resident()
{
    const std::uint64_t end = m_packet.offset + m_packet.total_bytes;
    if (m_resident >= end) {
        return;
    }
    const std::uint64_t begin = std::max(m_packet.offset, m_resident);
    const std::uint64_t size = std::min(std::max(end - begin, resident_bytes), 8 * resident_bytes);
    file().will_need(begin, size);
    m_resident = begin + size;
    if (m_packet.offset - m_dropped >= dropped_bytes + resident_bytes) {
        file().drop(m_dropped, m_packet.offset - m_dropped - resident_bytes);
        m_dropped = m_packet.offset - resident_bytes;
    }
}

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

/// What is needed of the header; position and clock are those of the event.
template <HeaderForm form> struct Header {
    static constexpr bool is_compact = form == HeaderForm::Compact;
    static constexpr std::uint64_t short_bytes = is_compact ? compact_bytes : large_bytes;
    static constexpr std::uint64_t long_bytes =
        is_compact ? compact_extended_bytes : large_extended_bytes;
    static constexpr std::uint32_t long_id = is_compact ? compact_extended_id : large_extended_id;

    /// Behind the header; null when it does not end inside the content.
    static const std::uint8_t* read(const std::uint8_t* at, const std::uint8_t* end,
                                    std::uint32_t& id, StreamClock& clock)
    {
        const auto left = static_cast<std::uint64_t>(end - at);
        if (left < short_bytes) {
            return nullptr;
        }
        if constexpr (is_compact) {
            const auto word = load_little<std::uint32_t>(at);
            id = word & ((1U << compact_id_bits) - 1);
            if (id != long_id) {
                clock.advance(word >> compact_id_bits, 32 - compact_id_bits);
                return at + short_bytes;
            }
        } else {
            id = load_little<std::uint16_t>(at);
            if (id != long_id) {
                clock.advance(load_little<std::uint32_t>(at + 2), 32);
                return at + short_bytes;
            }
        }
        if (left < long_bytes) {
            return nullptr;
        }
        id = load_little<std::uint32_t>(at + long_bytes - 12);
        clock.cycles = load_little<std::uint64_t>(at + long_bytes - 8);
        return at + long_bytes;
    }
};

/// Everything the loop changes is a local variable: a member could be changed by
/// any store, and would be loaded again after each.
template <HeaderForm form> DecodeFault StreamDecoder::decode_events(Batch& batch)
{
    const StreamPlan& stream = *m_packet.stream;
    const EventPlan* const* const plans = stream.by_small_id.data();
    const std::size_t plan_count = stream.by_small_id.size();
    const std::uint8_t* const base = m_cursor.base;
    const std::uint8_t* const end = base + m_cursor.end / byte_bits; // of whole bytes
    const std::uint8_t* at = base + (m_cursor.position + byte_bits - 1) / byte_bits;
    const ClockMap map = stream.clock.value_or(ClockMap{});
    // Beyond this the time needs a closer look.
    const std::uint64_t end_cycles =
        m_plan.is_packet_end_binding && m_packet.end.value_or(0) > 0 ? *m_packet.end : UINT64_MAX;
    const std::uint64_t simple_cycles = stream.clock ? std::min(end_cycles, map.simple_limit()) : 0;

    const std::uint64_t events_at_most = m_is_first_known ? batch_events - batch.events : 1;
    const std::size_t record_room =
        m_batch_records - std::min(m_batch_records, batch.records.size());
    Record* record = batch.records.reserve(record_room);
    const Record* const first_record = record;
    const Record* const end_record = record + record_room;

    const FastLimits limits{end_record, end, simple_cycles, map.offset(), m_packet.cpu};
    StreamClock clock = m_decoder.clock;
    std::uint64_t events = 0;
    DecodeFault fault = DecodeFault::None;
    const EventPlan* needs_steps = nullptr;
    while (at < end && record != end_record && events < events_at_most) {
        if (stream.clock) {
            const FastState state{at, clock.cycles, record, events_at_most - events};
            const FastState fast = stream.needs_lengths
                                       ? run_fast<form, true>(stream, state, limits)
                                       : run_fast<form, false>(stream, state, limits);
            record = fast.record;
            at = fast.at;
            clock.cycles = fast.cycles;
            events = events_at_most - fast.events_left;
        }
        if (at >= end || record == end_record || events == events_at_most) {
            break;
        }
        StreamClock event_clock = clock;
        std::uint32_t id = 0;
        const std::uint8_t* const body = Header<form>::read(at, end, id, event_clock);
        if (body == nullptr) {
            fault = DecodeFault::BeyondContent;
            break;
        }
        const EventPlan* const plan = id < plan_count ? plans[id] : stream.find(id);
        if (plan == nullptr) {
            fault = DecodeFault::UnknownEvent;
            break;
        }
        // Modulo 2^64; whether it fits is asked below.
        auto time = static_cast<std::int64_t>(event_clock.cycles +
                                              static_cast<std::uint64_t>(map.offset()));
        const bool is_wanted = plan->wanted != EventPlan::none;
        bool has_time = stream.clock.has_value();
        if (event_clock.cycles > simple_cycles || event_clock.cycles < clock.cycles) [[unlikely]] {
            if (event_clock.cycles < clock.cycles || event_clock.cycles > end_cycles) {
                fault = event_clock.cycles < clock.cycles ? DecodeFault::TimeGoesBack
                                                          : DecodeFault::TimeOutsidePacket;
                break;
            }
            has_time = stream.clock && map.to_time(event_clock.cycles, time);
        }
        const std::uint8_t* const next = plan->is_simple ? skip_simple(*plan, body, end) : nullptr;
        if (plan->is_simple && next == nullptr) {
            fault = DecodeFault::BeyondContent;
            break;
        }
        // See Record::body; near the end values are read at once, by steps.
        const bool is_near_end = is_wanted && next != nullptr && end - next < body_margin;
        if (!plan->is_simple || is_near_end) [[unlikely]] {
            needs_steps = plan;
            at = body;
            clock = event_clock;
            break;
        }
        batch.events_without_clock += stream.clock && !has_time ? 1 : 0;
        if (is_wanted && has_time) {
            *record++ = {time, plan, {body}, m_packet.cpu, {}};
        }
        at = next;
        clock = event_clock;
        ++events;
    }
    batch.records.take(static_cast<std::size_t>(record - first_record));
    batch.events += events;
    m_decoder.clock = clock;
    m_cursor.position = static_cast<std::uint64_t>(at - base) * byte_bits;
    if (at >= end && m_cursor.position < m_cursor.end && fault == DecodeFault::None) {
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

} // namespace lttng_gpu::trace::ctf
