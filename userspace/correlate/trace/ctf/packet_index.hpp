// SPDX-License-Identifier: MIT
//
// LTTng writes beside each stream file an index: where its packets are and which
// times they cover. It lets a reader begin in the middle without touching what
// comes before. It only saves work: the packets themselves have the last word.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace lttng_gpu::trace::ctf {

struct PacketIndexEntry {
    std::uint64_t offset = 0; // bytes
    std::uint64_t begin = 0;  // cycles
    std::uint64_t end = 0;    // cycles
    std::uint64_t discarded = 0;
    std::optional<std::uint64_t> sequence;
};

using PacketIndex = std::vector<PacketIndexEntry>;

/// The index of a stream file: index/NAME.idx beside it. Empty when there is none
/// or when it does not fit a file of this size.
PacketIndex read_packet_index(const std::filesystem::path& stream_file, std::uint64_t file_size);

} // namespace lttng_gpu::trace::ctf
