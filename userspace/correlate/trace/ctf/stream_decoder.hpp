// SPDX-License-Identifier: MIT
//
// Decodes one stream, packet after packet, into batches. A stream is one CPU of
// one channel; it may continue in further files (tracefile rotation, session
// rotation). What is damaged inside a packet costs the rest of that packet, is
// told once, and leaves a loss where events are missing.
#pragma once

#include "../mapped_file.hpp"
#include "packet_head.hpp"
#include "packet_index.hpp"
#include "stream_batch.hpp"

namespace lttng_gpu::trace::ctf {

/// Nanoseconds outside of which packets need not be read.
struct ReadRange {
    std::int64_t begin = INT64_MIN;
    std::int64_t end = INT64_MAX;
};

struct FastState;

struct StreamPart {
    const MappedFile* file = nullptr;
    PacketIndex index; // may be empty
};

/// Gives the slots of a simple body all that is the same for every event: the kinds of
/// integers, and the values that no field of the event gives.
void settle_slots(const EventPlan& plan, FieldValue* values);

class StreamDecoder {
public:
    /// Parts in order of time. Plan and files must outlive the decoder.
    StreamDecoder(const TracePlan& trace, TraceId id, std::vector<StreamPart> parts);

    /// Records of a batch. A small one stays in the first cache between decoding and
    /// merging; a large one is worth being handed from one thread to another.
    void set_batch_records(std::size_t records) { m_batch_records = records; }
    /// Before the first fill(): packets outside are passed over.
    void set_range(ReadRange range);

    /// When the stream begins: its first packet, or if that does not say, its first event.
    std::optional<Timestamp> begin() const { return m_begin; }
    /// When its last packet ends, if that says it. After everything was read.
    std::optional<Timestamp> end() const;
    /// Its first packets were overwritten, as in a snapshot.
    bool begins_late() const { return m_begins_late; }
    Cpu cpu() const { return Cpu{m_packet.cpu}; }
    TraceId trace() const { return m_id; }
    /// The time of the first event in the first packet, without reading further.
    std::optional<Timestamp> first_event();

    /// Continues where the last call ended. The batch has been cleared.
    void fill(Batch& batch);

private:
    static constexpr std::uint64_t byte_bits = 8;
    /// How much is decoded before other streams have their turn when nobody wants
    /// anything of this one.
    static constexpr std::uint64_t batch_events = 65'536;
    static constexpr std::size_t batch_values = 4096;

    bool is_full(const Batch& batch) const
    {
        return batch.records.size() >= m_batch_records || batch.values.used() >= batch_values ||
               batch.events >= batch_events;
    }
    bool next_packet(Batch& batch);
    bool next_part();
    bool is_outside(const Packet& packet) const;
    void enter(const Packet& packet, Batch& batch);
    void keep_outer_values();
    void note_losses(const Packet& packet, Batch& batch);
    void decode(Batch& batch);
    template <HeaderForm form> DecodeFault decode_events(Batch& batch);
    DecodeFault leave_events(const FastState& state, DecodeFault fault,
                             const EventPlan* needs_steps, Batch& batch);
    DecodeFault decode_events_by_steps(Batch& batch);
    DecodeFault decode_body(const EventPlan& plan, Batch& batch);
    bool find_time(std::int64_t& time, Batch& batch) const;
    void leave_damaged(DecodeFault fault, Batch& batch);
    void tell(Batch& batch, const std::string& message);
    void lose(Batch& batch, std::int64_t begin, std::int64_t end, LossUnit unit,
              std::optional<std::uint64_t> count) const;
    std::optional<std::int64_t> time_of(std::optional<std::uint64_t> cycles) const;
    std::int64_t now() const;
    void make_resident();
    const MappedFile& file() const { return *m_parts[m_part].file; }

    const TracePlan& m_plan;
    TraceId m_id;
    std::vector<StreamPart> m_parts;
    ReadRange m_range;
    std::size_t m_batch_records = 1024;
    StructureDecoder m_decoder;
    std::size_t m_part = 0;
    std::uint64_t m_next_offset = 0;  // of the packet after this one
    std::uint64_t m_resident = 0;     // mapped up to here
    std::uint64_t m_dropped = 0;      // given back up to here
    std::uint64_t m_bytes_before = 0; // of the parts before this one
    std::uint64_t m_bytes_told = 0;
    Packet m_packet;
    Cursor m_cursor;
    bool m_is_inside = false; // of a packet
    bool m_is_over = false;
    bool m_is_first_known = false; // the time of the first event
    bool m_begins_late = false;
    std::optional<Timestamp> m_begin;
    // of the packet before this one
    std::optional<std::uint64_t> m_previous_end;
    std::optional<std::uint64_t> m_previous_discarded;
    std::optional<std::uint64_t> m_previous_sequence;
};

} // namespace lttng_gpu::trace::ctf
