// SPDX-License-Identifier: MIT
#include "metadata_packets.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <optional>

namespace lttng_gpu::trace {
namespace {

constexpr std::uint32_t packet_magic = 0x75d11d57;
// magic, uuid[16], checksum, content_size, packet_size, then five bytes of schemes and version.
constexpr std::size_t header_size = 37;
constexpr std::size_t content_size_at = 24;
constexpr std::size_t packet_size_at = 28;

using Header = std::array<char, header_size>;

std::uint32_t read_u32(const Header& header, std::size_t at, bool is_swapped)
{
    std::uint32_t value = 0;
    std::memcpy(&value, header.data() + at, sizeof value);
    return is_swapped ? __builtin_bswap32(value) : value;
}

/// Whether the file's byte order is the other one; nothing if this is no packet.
std::optional<bool> byte_order(const Header& header)
{
    const std::uint32_t magic = read_u32(header, 0, false);
    if (magic != packet_magic && magic != __builtin_bswap32(packet_magic)) {
        return {};
    }
    return magic != packet_magic;
}

Failure damaged(const std::filesystem::path& metadata, std::uint64_t offset, const char* how)
{
    return Failure{
        {ErrorKind::UnreadableTrace,
         fmt::format("cannot read {}: its packet at byte {} {}", metadata.string(), offset, how)}};
}

} // namespace

Expected<void> check_metadata_packets(const std::filesystem::path& metadata)
{
    std::error_code error;
    const std::uint64_t file_size = std::filesystem::file_size(metadata, error);
    std::ifstream file{metadata, std::ios::binary};
    std::uint64_t offset = 0;
    while (!error && offset < file_size) {
        Header header{};
        file.seekg(static_cast<std::streamoff>(offset));
        const bool is_whole = static_cast<bool>(file.read(header.data(), header.size()));
        const auto is_swapped = byte_order(header);
        if (!is_swapped) {
            if (offset == 0) {
                return {}; // text
            }
            return damaged(metadata, offset, "is none");
        }
        const std::uint64_t content = read_u32(header, content_size_at, *is_swapped) / 8;
        const std::uint64_t packet = read_u32(header, packet_size_at, *is_swapped) / 8;
        if (!is_whole || content < header_size || packet < content) {
            return damaged(metadata, offset, "has no sound header");
        }
        if (content > file_size - offset) {
            return damaged(metadata, offset, "is cut off");
        }
        offset += packet;
    }
    return {};
}

} // namespace lttng_gpu::trace
