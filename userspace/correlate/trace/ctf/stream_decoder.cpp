// SPDX-License-Identifier: MIT
//
// See stream_decoder.hpp. The loops at the end are where the time goes: an event
// header of LTTng's two forms and a body of fixed size cost a load, an addition
// and a comparison when nobody wants the event.
#include "stream_decoder.hpp"

#include "header_form.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace lttng_gpu::trace::ctf {
namespace {

constexpr std::uint64_t byte_bits = 8;
/// A batch should stay in the cache between decoding and merging, and not keep
/// other streams waiting when nobody wants anything of this one.
constexpr std::size_t batch_records = 2048;
constexpr std::uint64_t batch_events = 65'536;
constexpr std::uint64_t resident_bytes = 2U << 20U;

template <typename Number> Number load(const std::uint8_t* bytes)
{
    Number number;
    std::memcpy(&number, bytes, sizeof number);
    if constexpr (std::endian::native == std::endian::big) {
        std::reverse(reinterpret_cast<char*>(&number), reinterpret_cast<char*>(&number + 1));
    }
    return number;
}

/// Eight bytes, or zeros for those that lie behind the content.
std::uint64_t load_eight(const std::uint8_t* at, const std::uint8_t* end)
{
    if (end - at >= static_cast<std::ptrdiff_t>(sizeof(std::uint64_t))) {
        return load<std::uint64_t>(at);
    }
    std::uint64_t value = 0;
    for (unsigned byte = 0; at + byte < end; ++byte) {
        value |= std::uint64_t{at[byte]} << (8 * byte);
    }
    return value;
}

FieldValue load_value(const FixedRead& read, const std::uint8_t* at, const std::uint8_t* end)
{
    if (read.is_text) {
        const char* text = reinterpret_cast<const char*>(at);
        return FieldValue{std::string_view{text, strnlen(text, read.length)}};
    }
    const std::uint64_t value = ((load_eight(at, end) & read.mask) ^ read.sign) - read.sign;
    return read.is_signed ? FieldValue{static_cast<std::int64_t>(value)} : FieldValue{value};
}

/// The first zero byte, or null. Texts in events are short: a call of memchr() costs more.
const std::uint8_t* find_zero(const std::uint8_t* at, const std::uint8_t* end)
{
    constexpr std::uint64_t ones = 0x0101010101010101;
    constexpr std::uint64_t tops = 0x8080808080808080;
    while (end - at >= static_cast<std::ptrdiff_t>(sizeof ones)) {
        const auto eight = load<std::uint64_t>(at);
        if (const std::uint64_t zeros = (eight - ones) & ~eight & tops; zeros != 0) {
            return at + std::countr_zero(zeros) / 8;
        }
        at += sizeof ones;
    }
    while (at != end && *at != 0) {
        ++at;
    }
    return at == end ? nullptr : at;
}

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
    : x_plan{trace}, x_id{id}, x_parts{std::move(parts)}, x_decoder{trace.register_count}
{
    if (const auto first = read_packet(x_plan, file().bytes(), 0)) {
        x_packet = *first;
        x_begins_late = first->sequence.value_or(0) > 0;
        if (const auto begin = time_of(first->begin)) {
            x_begin = Timestamp{*begin};
        }
    }
}

void StreamDecoder::set_range(ReadRange range)
{
    x_range = range;
    for (; x_part < x_parts.size(); ++x_part) {
        const PacketIndex& index = x_parts[x_part].index;
        const auto first = std::find_if(index.begin(), index.end(), [&](const auto& entry) {
            return time_of(entry.end).value_or(INT64_MAX) >= range.begin;
        });
        if (index.empty() || first != index.end()) {
            if (first != index.begin()) {
                const PacketIndexEntry& before = *std::prev(first);
                x_next_offset = first->offset;
                x_previous_end = before.end;
                x_previous_discarded = before.discarded;
                x_previous_sequence = before.sequence;
            }
            return;
        }
    }
    x_part = 0; // the index says that nothing lies inside; the packets will say so themselves
}

std::optional<Timestamp> StreamDecoder::first_event()
{
    StreamDecoder probe{x_plan, x_id, x_parts};
    Batch batch;
    do {
        batch.clear();
        probe.fill(batch);
    } while (!batch.first_time && !batch.is_last);
    return batch.first_time ? std::optional{Timestamp{*batch.first_time}} : std::nullopt;
}

void StreamDecoder::fill(Batch& batch)
{
    std::uint64_t bytes = 0;
    while (batch.records.size() < batch_records && batch.events < batch_events) {
        if (!x_is_inside && !next_packet(batch)) {
            batch.is_last = true;
            break;
        }
        const std::uint64_t from = x_cursor.position;
        decode(batch);
        bytes += (x_cursor.position - from) / byte_bits;
    }
    batch.bytes = bytes;
    batch.cpu = x_packet.cpu;
}

bool StreamDecoder::next_part()
{
    ++x_part;
    x_next_offset = x_resident = x_dropped = 0;
    return x_part < x_parts.size();
}

/// Goes to the next packet that is to be read. False: there is none.
bool StreamDecoder::next_packet(Batch& batch)
{
    while (!x_is_over && x_part < x_parts.size()) {
        if (x_next_offset >= file().bytes().size()) {
            x_is_over = !next_part();
            continue;
        }
        const auto packet = read_packet(x_plan, file().bytes(), x_next_offset);
        if (!packet) {
            tell(batch, packet.error().message);
            lose(batch, now(), INT64_MAX, LossUnit::Events, {});
            x_is_over = !next_part();
            continue;
        }
        if (time_of(packet->begin).value_or(INT64_MIN) > x_range.end) {
            x_is_over = true;
            break;
        }
        const bool is_passed = is_outside(*packet);
        if (!is_passed) {
            enter(*packet, batch);
        }
        x_next_offset = packet->offset + packet->total_bytes;
        x_previous_end = packet->end ? packet->end : x_previous_end;
        x_previous_discarded = packet->discarded;
        x_previous_sequence = packet->sequence;
        if (!is_passed) {
            return true;
        }
    }
    return false;
}

bool StreamDecoder::is_outside(const Packet& packet) const
{
    return packet.end && *packet.end > 0 && time_of(packet.end).value_or(INT64_MAX) < x_range.begin;
}

void StreamDecoder::enter(const Packet& packet, Batch& batch)
{
    note_losses(packet, batch);
    x_packet = packet;
    x_cursor = {file().bytes().data() + packet.offset, packet.events_at, packet.content_bits};
    x_is_inside = true;
    make_resident();
    if (!packet.begin) {
        return;
    }
    if (*packet.begin < x_decoder.clock.cycles) {
        leave_damaged(DecodeFault::TimeGoesBack, batch);
        return;
    }
    x_decoder.clock.cycles = *packet.begin;
}

/// Counters run on from packet to packet; the first packet of a stream tells what
/// was lost before its end.
void StreamDecoder::note_losses(const Packet& packet, Batch& batch)
{
    const std::int64_t packet_begin = time_of(packet.begin).value_or(now());
    const std::int64_t begin = time_of(x_previous_end).value_or(packet_begin);
    if (packet.sequence && x_previous_sequence && *packet.sequence > *x_previous_sequence + 1) {
        lose(batch, begin, packet_begin, LossUnit::Packets,
             *packet.sequence - *x_previous_sequence - 1);
    }
    const std::uint64_t discarded_before = x_previous_discarded.value_or(0);
    if (packet.discarded && *packet.discarded != discarded_before) {
        const bool is_counted = *packet.discarded > discarded_before;
        lose(batch, begin, time_of(packet.end).value_or(packet_begin), LossUnit::Events,
             is_counted ? std::optional{*packet.discarded - discarded_before} : std::nullopt);
    }
}

void StreamDecoder::decode(Batch& batch)
{
    DecodeFault fault = DecodeFault::None;
    const std::uint64_t events_before = batch.events;
    switch (x_packet.stream->header_form) {
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
        if (x_packet.stream->clock) {
            batch.last_time = now();
        } else {
            batch.events_without_clock += batch.events - events_before;
        }
    }
    if (fault != DecodeFault::None || (x_packet.is_cut && x_cursor.position >= x_cursor.end)) {
        leave_damaged(fault, batch);
    } else if (x_cursor.position >= x_cursor.end) {
        x_is_inside = false;
    }
}

/// The rest of the packet cannot be read; the next one begins where it says.
void StreamDecoder::leave_damaged(DecodeFault fault, Batch& batch)
{
    const std::string how =
        x_packet.is_cut
            ? fmt::format("the file ends inside it ({} of {} bytes are there)",
                          x_packet.content_bits / byte_bits, x_packet.total_bytes)
            : fmt::format("at its byte {}: {}", x_cursor.position / byte_bits, fault_text(fault));
    tell(batch, fmt::format("the packet at byte {}: {}", x_packet.offset, how));
    const std::int64_t begin = now();
    lose(batch, begin, std::max(begin, time_of(x_packet.end).value_or(begin)), LossUnit::Events,
         {});
    x_is_inside = false;
}

void StreamDecoder::tell(Batch& batch, std::string message)
{
    if (!batch.fault) {
        batch.fault = Error{ErrorKind::DamagedTrace, file().path().string() + ": " + message};
    }
}

void StreamDecoder::lose(Batch& batch, std::int64_t begin, std::int64_t end, LossUnit unit,
                         std::optional<std::uint64_t> count) const
{
    batch.records.add() = {begin, nullptr, static_cast<std::uint32_t>(batch.losses.size()), 0};
    batch.losses.push_back(
        {Timestamp{begin}, Timestamp{end}, x_id, Cpu{x_packet.cpu}, unit, count});
}

std::optional<std::int64_t> StreamDecoder::time_of(std::optional<std::uint64_t> cycles) const
{
    std::int64_t time = 0;
    const bool is_known = cycles && x_packet.stream != nullptr && x_packet.stream->clock &&
                          x_packet.stream->clock->to_time(*cycles, time);
    return is_known ? std::optional{time} : std::nullopt;
}

std::int64_t StreamDecoder::now() const
{
    return time_of(x_decoder.clock.cycles).value_or(0);
}

/// Pages of the packet are mapped in pieces, those behind it given back.
void StreamDecoder::make_resident()
{
    const std::uint64_t end = x_packet.offset + x_packet.total_bytes;
    if (x_resident >= end) {
        return;
    }
    const std::uint64_t begin = std::max(x_packet.offset, x_resident);
    const std::uint64_t size = std::min(std::max(end - begin, resident_bytes), 8 * resident_bytes);
    file().will_need(begin, size);
    x_resident = begin + size;
    if (x_packet.offset - x_dropped >= 2 * resident_bytes) {
        file().drop(x_dropped, x_packet.offset - x_dropped - resident_bytes);
        x_dropped = x_packet.offset - resident_bytes;
    }
}

/// Room for the values of one wanted event and its record; false when its time
/// does not fit into 64 bits of nanoseconds.
bool StreamDecoder::begin_record(const EventPlan& plan, Batch& batch)
{
    std::int64_t time = 0;
    if (!x_packet.stream->clock || !x_packet.stream->clock->to_time(x_decoder.clock.cycles, time)) {
        ++batch.events_without_clock;
        return false;
    }
    batch.records.add() = {time, &plan, static_cast<std::uint32_t>(batch.values.used()), 0};
    FieldValue* values = batch.values.reserve(plan.slot_count);
    batch.values.take(plan.slot_count);
    for (const std::uint32_t slot : plan.empty_slots) {
        values[slot] = FieldValue{};
    }
    if (plan.name_slot != EventPlan::nobody) {
        values[plan.name_slot] = FieldValue{std::string_view{plan.name}};
    }
    return true;
}

/// Moves `at` over a simple body, reading what is wanted of it.
DecodeFault StreamDecoder::decode_simple(const EventPlan& plan, const std::uint8_t*& at,
                                         const std::uint8_t* end, Batch& batch)
{
    const bool is_wanted = plan.wanted != EventPlan::nobody && begin_record(plan, batch);
    FieldValue* const values = is_wanted ? batch.values.at(batch.records.back().first) : nullptr;
    const FixedRead* read = plan.fixed_reads.data();
    for (const Segment& segment : plan.segments) {
        if (static_cast<std::uint64_t>(end - at) < segment.bytes) {
            return undo_record(is_wanted, DecodeFault::BeyondContent, batch);
        }
        if (is_wanted) {
            for (const FixedRead* last = read + segment.read_count; read != last; ++read) {
                values[read->slot] = load_value(*read, at + read->offset, end);
            }
        }
        at += segment.bytes;
        if (segment.has_text) {
            const std::uint8_t* zero = find_zero(at, end);
            if (zero == nullptr) {
                return undo_record(is_wanted, DecodeFault::TextWithoutEnd, batch);
            }
            if (is_wanted && segment.text_slot) {
                values[*segment.text_slot] = FieldValue{std::string_view{
                    reinterpret_cast<const char*>(at), static_cast<std::size_t>(zero - at)}};
            }
            at = zero + 1;
        }
    }
    return DecodeFault::None;
}

DecodeFault StreamDecoder::undo_record(bool was_begun, DecodeFault fault, Batch& batch)
{
    if (was_begun) {
        batch.records.remove_last();
    }
    return fault;
}

/// A body that takes steps; the cursor is at its beginning.
DecodeFault StreamDecoder::decode_body(const EventPlan& plan, Batch& batch)
{
    if (plan.wanted == EventPlan::nobody || !begin_record(plan, batch)) {
        batch.values.reserve(plan.slot_count); // written to, but not taken
        return x_decoder.run(plan.body, x_cursor, batch.values, batch.values.used());
    }
    const std::size_t first = batch.records.back().first;
    const DecodeFault fault = x_decoder.run(plan.body, x_cursor, batch.values, first);
    batch.records.back().appended =
        static_cast<std::uint32_t>(batch.values.used() - first - plan.slot_count);
    if (fault != DecodeFault::None) {
        batch.records.remove_last();
    }
    return fault;
}

template <HeaderForm form> DecodeFault StreamDecoder::decode_events(Batch& batch)
{
    const StreamPlan& stream = *x_packet.stream;
    const std::uint8_t* const base = x_cursor.base;
    const std::uint8_t* const end = base + x_cursor.end / byte_bits;
    const std::uint8_t* at = base + (x_cursor.position + byte_bits - 1) / byte_bits;
    const std::uint64_t last_cycles =
        x_plan.is_packet_end_binding && x_packet.end.value_or(0) > 0 ? *x_packet.end : UINT64_MAX;
    StreamClock& clock = x_decoder.clock;
    DecodeFault fault = DecodeFault::None;
    std::uint64_t events = batch.events;
    while (at < end && batch.records.size() < batch_records && events < batch_events) {
        const auto left = static_cast<std::uint64_t>(end - at);
        const std::uint64_t cycles_before = clock.cycles;
        std::uint32_t id = 0;
        constexpr bool is_compact = form == HeaderForm::Compact;
        constexpr std::uint64_t short_bytes = is_compact ? compact_bytes : large_bytes;
        constexpr std::uint64_t long_bytes =
            is_compact ? compact_extended_bytes : large_extended_bytes;
        constexpr std::uint32_t long_id = is_compact ? compact_extended_id : large_extended_id;
        if (left < short_bytes) {
            fault = DecodeFault::BeyondContent;
            break;
        }
        std::uint64_t header_bytes = short_bytes;
        if constexpr (is_compact) {
            const auto word = load<std::uint32_t>(at);
            id = word & ((1U << compact_id_bits) - 1);
            if (id != long_id) {
                clock.advance(word >> compact_id_bits, 32 - compact_id_bits);
            }
        } else {
            id = load<std::uint16_t>(at);
            if (id != long_id) {
                clock.advance(load<std::uint32_t>(at + 2), 32);
            }
        }
        if (id == long_id) {
            if (left < long_bytes) {
                fault = DecodeFault::BeyondContent;
                break;
            }
            header_bytes = long_bytes;
            id = load<std::uint32_t>(at + long_bytes - 12);
            clock.cycles = load<std::uint64_t>(at + long_bytes - 8);
        }
        const EventPlan* plan = stream.find(id);
        if (plan == nullptr) {
            fault = DecodeFault::UnknownEvent;
        } else if (clock.cycles > last_cycles) {
            fault = DecodeFault::TimeOutsidePacket;
        } else if (clock.cycles < cycles_before) {
            fault = DecodeFault::TimeGoesBack;
        }
        if (fault != DecodeFault::None) {
            clock.cycles = cycles_before;
            break;
        }
        at += header_bytes;
        if (plan->is_simple) {
            fault = decode_simple(*plan, at, end, batch);
            if (fault != DecodeFault::None) {
                break;
            }
        } else {
            x_cursor.position = static_cast<std::uint64_t>(at - base) * byte_bits;
            fault = decode_body(*plan, batch);
            if (fault != DecodeFault::None) {
                break;
            }
            at = base + (x_cursor.position + byte_bits - 1) / byte_bits;
        }
        ++events;
        if (!batch.first_time && stream.clock) {
            batch.first_time = now();
        }
    }
    batch.events = events;
    x_cursor.position = static_cast<std::uint64_t>(at - base) * byte_bits;
    return fault;
}

/// Any other event header: its fields are found by their roles.
DecodeFault StreamDecoder::decode_events_by_steps(Batch& batch)
{
    const StreamPlan& stream = *x_packet.stream;
    StreamClock& clock = x_decoder.clock;
    while (x_cursor.position < x_cursor.end && batch.records.size() < batch_records &&
           batch.events < batch_events) {
        const Cursor before = x_cursor;
        const std::uint64_t cycles_before = clock.cycles;
        x_decoder.event_id = 0;
        DecodeFault fault = x_decoder.run(stream.event_header, x_cursor, batch.values, 0);
        const EventPlan* plan = stream.find(x_decoder.event_id);
        if (fault == DecodeFault::None && plan == nullptr) {
            fault = DecodeFault::UnknownEvent;
        } else if (fault == DecodeFault::None && clock.cycles < cycles_before) {
            fault = DecodeFault::TimeGoesBack;
        }
        if (fault == DecodeFault::None) {
            fault = decode_body(*plan, batch);
        }
        if (fault == DecodeFault::None && x_cursor.position == before.position) {
            fault = DecodeFault::BeyondContent; // an event of no size would never end
        }
        if (fault != DecodeFault::None) {
            clock.cycles = cycles_before;
            return fault;
        }
        ++batch.events;
        if (!batch.first_time && stream.clock) {
            batch.first_time = now();
        }
    }
    return DecodeFault::None;
}

} // namespace lttng_gpu::trace::ctf
