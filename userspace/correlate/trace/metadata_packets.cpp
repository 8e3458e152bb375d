// SPDX-License-Identifier: MIT
#include "metadata_packets.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <fstream>

namespace lttng_gpu::trace {
namespace {

constexpr std::uint32_t packet_magic = 0x75d11d57;
// magic, uuid[16], checksum, content_size, packet_size, then one byte each: compression,
// encryption and checksum scheme, major and minor version.
constexpr std::size_t header_size = 37;
constexpr std::size_t content_size_at = 24;
constexpr std::size_t packet_size_at = 28;
constexpr std::size_t schemes_at = 32;
constexpr std::size_t scheme_count = 3;

using Header = std::array<char, header_size>;

struct Packet {
    std::uint64_t content = 0; // bytes, with the header
    std::uint64_t whole = 0;   // with padding
};

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

Failure damaged(std::uint64_t offset, const char* how)
{
    return Failure{
        {ErrorKind::UnreadableTrace, fmt::format("its packet at byte {} {}", offset, how)}};
}

/// The packet at `offset` of a file, of which the first `readable` bytes of the header
/// are there; nothing if the file is no packets at all.
Expected<std::optional<Packet>> read_packet(const Header& header, std::size_t readable,
                                            std::uint64_t offset, std::uint64_t file_size)
{
    const auto is_swapped = byte_order(header);
    if (!is_swapped) {
        if (offset == 0) {
            return std::nullopt; // text
        }
        return damaged(offset, "is none");
    }
    const Packet packet{read_u32(header, content_size_at, *is_swapped) / 8,
                        read_u32(header, packet_size_at, *is_swapped) / 8};
    if (readable < header_size || packet.content < header_size || packet.whole < packet.content) {
        return damaged(offset, "has no sound header");
    }
    if (packet.content > file_size - offset) {
        return damaged(offset, "is cut off");
    }
    return packet;
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
        file.read(header.data(), header.size());
        const auto readable = static_cast<std::size_t>(file.gcount());
        const auto packet = read_packet(header, readable, offset, file_size);
        if (!packet) {
            return Failure{
                {packet.error().kind,
                 fmt::format("cannot read {}: {}", metadata.string(), packet.error().message)}};
        }
        if (!*packet) {
            return {};
        }
        offset += (*packet)->whole;
    }
    return {};
}

Expected<std::optional<std::string>> unpack_metadata(std::string_view bytes)
{
    std::string text;
    std::size_t offset = 0;
    while (offset < bytes.size()) {
        Header header{};
        const std::string_view rest = bytes.substr(offset);
        const std::size_t readable = std::min(rest.size(), header.size());
        std::memcpy(header.data(), rest.data(), readable);
        const auto packet = read_packet(header, readable, offset, bytes.size());
        if (!packet) {
            return Failure{packet.error()};
        }
        if (!*packet) {
            return std::nullopt;
        }
        const std::string_view schemes = rest.substr(schemes_at, scheme_count);
        if (schemes.find_first_not_of('\0') != std::string_view::npos) {
            return damaged(offset,
                           "is compressed, encrypted or has a checksum, which cannot be read");
        }
        text += rest.substr(header_size, (*packet)->content - header_size);
        offset += (*packet)->whole;
    }
    return text;
}

} // namespace lttng_gpu::trace
