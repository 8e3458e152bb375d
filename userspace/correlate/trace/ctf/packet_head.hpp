// SPDX-License-Identifier: MIT
//
// The beginning of a packet: its header and context say which stream class it is
// of, how long it is and which time it covers. All of it is checked against the
// file before anybody uses it.
#pragma once

#include "structure_decoder.hpp"
#include "trace_plan.hpp"

#include <span>

namespace lttng_gpu::trace::ctf {

struct Packet {
    const StreamPlan* stream = nullptr;
    std::uint64_t offset = 0;               // bytes in the file
    std::uint64_t total_bytes = 0;          // to the next packet
    std::uint64_t content_bits = 0;         // what of it is in the file
    std::uint64_t events_at = 0;            // bits from the beginning of the packet
    std::optional<std::uint64_t> begin;     // cycles
    std::optional<std::uint64_t> end;       // cycles
    std::optional<std::uint64_t> discarded; // events since the stream began
    std::optional<std::uint64_t> sequence;
    std::optional<std::uint64_t> stream_instance;
    std::uint32_t cpu = 0;
    bool is_cut = false;        // the file ends before the packet does,
    bool lacks_content = false; // and not in its padding
};

/// Reads the packet at `offset` of the file; the error is one line without the
/// file's name.
Expected<Packet> read_packet(const TracePlan& trace, std::span<const std::uint8_t> file,
                             std::uint64_t offset);

/// A file of LTTng's of which the metadata has no stream class, and that has no event: the program
/// for which it was made was killed before it could write one.
bool is_unused_by_lttng(const TracePlan& trace, std::span<const std::uint8_t> file);

} // namespace lttng_gpu::trace::ctf
