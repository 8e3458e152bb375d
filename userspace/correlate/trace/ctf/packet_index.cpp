// SPDX-License-Identifier: MIT
//
// See packet_index.hpp. The format is lttng-tools' include/lttng/index.h
// (struct ctf_packet_index_file_hdr, struct ctf_packet_index), big endian.
#include "packet_index.hpp"

#include "../mapped_file.hpp"

#include <bit>
#include <cstring>

namespace lttng_gpu::trace::ctf {
namespace {

constexpr std::uint32_t index_magic = 0xc1f1dcc1;
constexpr std::size_t header_bytes = 16;    // magic, major, minor, bytes of an entry
constexpr std::size_t entry_bytes_1_0 = 56; // seven numbers of 64 bits
constexpr std::size_t entry_bytes_1_1 = 72; // and stream_instance_id, packet_seq_num
constexpr std::size_t sequence_at = 64;

template <typename Number> Number read_big(std::span<const std::uint8_t> bytes, std::size_t at)
{
    Number value = 0;
    for (std::size_t byte = 0; byte < sizeof value; ++byte) {
        value = static_cast<Number>(value << 8U | bytes[at + byte]);
    }
    return value;
}

PacketIndexEntry read_entry(std::span<const std::uint8_t> entry)
{
    const auto number = [&](std::size_t which) {
        return read_big<std::uint64_t>(entry, which * sizeof(std::uint64_t));
    };
    // offset, packet_size, content_size, timestamp_begin, timestamp_end, events_discarded,
    // stream_id
    PacketIndexEntry read{number(0), number(3), number(4), number(5), {}};
    if (entry.size() >= entry_bytes_1_1) {
        read.sequence = read_big<std::uint64_t>(entry, sequence_at);
    }
    return read;
}

} // namespace

PacketIndex read_packet_index(const std::filesystem::path& stream_file, std::uint64_t file_size)
{
    const auto path =
        stream_file.parent_path() / "index" / (stream_file.filename().string() + ".idx");
    const auto file = MappedFile::open(path);
    if (!file || file->bytes().size() < header_bytes) {
        return {};
    }
    const auto bytes = file->bytes();
    const std::size_t entry_bytes = read_big<std::uint32_t>(bytes, 12);
    if (read_big<std::uint32_t>(bytes, 0) != index_magic || entry_bytes < entry_bytes_1_0) {
        return {};
    }
    PacketIndex index;
    for (std::size_t at = header_bytes; entry_bytes <= bytes.size() - at; at += entry_bytes) {
        const PacketIndexEntry entry = read_entry(bytes.subspan(at, entry_bytes));
        const bool is_in_order =
            index.empty() || (entry.offset > index.back().offset && entry.end >= index.back().end);
        if (!is_in_order || entry.offset >= file_size) {
            return {};
        }
        index.push_back(entry);
    }
    return index;
}

} // namespace lttng_gpu::trace::ctf
