// SPDX-License-Identifier: MIT
//
// Parts of packets in streams of LTTng. When a disk is full, the consumer daemon writes a part of a
// packet, gives that packet up, and goes on behind it when there is room again. Readers cannot tell
// where the next packet begins, and most of them then read nothing of the trace.
#pragma once

#include <cstdint>
#include <filesystem>

namespace lttng_gpu::record {

/// Removes everything that is not a whole packet from a stream, and its index file if that was
/// necessary. LTTng must not write to it any more. Returns how many bytes were removed. A file that
/// cannot be read, or is no stream of LTTng's, stays as it is.
std::uint64_t remove_unfinished_packets(const std::filesystem::path& stream);

/// As above, for all streams of a trace.
std::uint64_t remove_unfinished_packets_in(const std::filesystem::path& trace);

/// Where LTTng keeps the index of a stream.
std::filesystem::path index_of(const std::filesystem::path& stream);

} // namespace lttng_gpu::record
