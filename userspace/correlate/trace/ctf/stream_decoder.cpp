// SPDX-License-Identifier: MIT
//
// See stream_decoder.hpp. Here are the packets; the events in them are in
// stream_decoder_events.cpp.
#include "stream_decoder.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace lttng_gpu::trace::ctf {
namespace {

constexpr std::uint64_t resident_bytes = 2U << 20U;
/// Pages are given back in pieces of this size: with several threads every time interrupts all.
constexpr std::uint64_t dropped_bytes = 16U << 20U;

} // namespace

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

} // namespace lttng_gpu::trace::ctf
