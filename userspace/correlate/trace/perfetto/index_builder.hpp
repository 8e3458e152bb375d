// SPDX-License-Identifier: MIT
//
// Makes a TraceIndex, packet by packet.
#pragma once

#include "trace_index.hpp"

#include "perfetto.pb.h"

namespace lttng_gpu::trace::perfetto {

class IndexBuilder {
public:
    /// `offset` is where the packet is in the file.
    void add_packet(Bytes packet, std::uint64_t offset);
    /// The packet that was added last lacks its end, or what follows is none.
    void damage();
    TraceIndex finish();

private:
    /// What a packet says of itself, and its parts that are looked at.
    struct Packet {
        std::optional<std::uint32_t> sequence;
        bool is_after_drop = false;
        bool is_first = false;
        bool is_foreign = false;
        bool has_details = false;
        Bytes bundle;
        Bytes packed;
        Packing packing = Packing::None;
    };
    /// Of a sequence, while packets are added.
    struct Notes {
        bool is_seen = false;
        bool has_gap = false;
        std::map<std::uint32_t, std::size_t> lanes; // by CPU
        std::map<std::uint32_t, std::uint64_t> lost_at_start;
        std::map<std::uint32_t, std::uint64_t> lost_at_end;
        bool has_other_clock = false; // not CLOCK_BOOTTIME
        struct Pair {
            std::int64_t own = 0;
            std::int64_t boot = 0;
        };
        std::optional<Pair> first_pair;
        Pair last_pair;
    };
    struct Bundle;

    static Packet read_head(Bytes packet);
    static Bundle read_bundle(Bytes bytes);
    void add(Bytes packet, const Place& outer, const std::uint8_t* begin);
    void add_packed(const Packet& packet, Place outer, const std::uint8_t* begin);
    std::size_t sequence_of(const Packet& packet);
    void note_drop(std::size_t sequence, const Packet& packet);
    void add_bundle(const Packet& packet, std::size_t sequence, const Place& place);
    void add_details(Bytes packet, std::size_t sequence);
    void add_clocks(const lttng_gpu::perfetto::ClockSnapshot& snapshot);
    void add_kernel_losses(const lttng_gpu::perfetto::FtraceStats& stats, std::size_t sequence);
    void finish_sequence(std::size_t sequence);
    void add_service_losses();

    TraceIndex m_index;
    std::map<std::uint32_t, std::size_t> m_sequences; // by id
    std::vector<Notes> m_notes;                       // beside the index's sequences
    lttng_gpu::perfetto::TraceStats m_stats;
    bool m_has_stats = false;
    std::uint32_t m_latest_sequence = 0; // that had events
};

} // namespace lttng_gpu::trace::perfetto
