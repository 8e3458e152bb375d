// SPDX-License-Identifier: MIT
//
// The packets of a Perfetto file: one after the other for the first walk, and bundles of
// events by their place for the second. Of the file only what is looked at is in memory;
// an unpacked packet is shared by the CPUs that have bundles in it.
#pragma once

#include "../ftrace/file.hpp"
#include "unpack.hpp"

#include <deque>

namespace lttng_gpu::trace::perfetto {

/// Where a bundle is: bytes of the file, or of what the packed bytes there become.
struct Place {
    std::uint64_t offset = 0;
    std::uint32_t size = 0;
    Packing packing = Packing::None;
    std::uint32_t inner_offset = 0;
    std::uint32_t inner_size = 0;
};

/// The outermost message, packet by packet.
class PacketWalk {
public:
    explicit PacketWalk(const ftrace::File& file) : m_file{file} {}

    /// False at the end. The bytes are good until the next call.
    bool next();
    Bytes packet() const { return m_packet; }
    std::uint64_t offset() const { return m_packet_offset; }
    /// The last packet is not there to its end.
    bool is_cut() const { return m_is_cut; }
    /// What follows is no packet, or could not be read.
    bool is_damaged() const { return m_is_damaged; }

private:
    Bytes need(std::size_t size);

    const ftrace::File& m_file;
    std::vector<std::byte> m_window;
    std::uint64_t m_window_offset = 0;
    std::size_t m_window_size = 0;
    std::uint64_t m_at = 0;
    Bytes m_packet;
    std::uint64_t m_packet_offset = 0;
    bool m_is_cut = false;
    bool m_is_damaged = false;
};

/// Bundles of several CPUs are in one packed packet, and wanted at about the same time: the
/// latest packets are kept unpacked.
class PlaceReader {
public:
    explicit PlaceReader(const ftrace::File& file) : m_file{file} {}

    /// Puts the bytes into `bundle` in the place of those that it got before. Fewer when the
    /// file has shrunk or was changed, or claims more than anybody would record.
    void load(const Place& place, std::vector<std::uint8_t>& bundle);

private:
    struct Packet {
        std::uint64_t offset = 0;
        std::vector<std::uint8_t> bytes;
    };
    const std::vector<std::uint8_t>& find_unpacked(const Place& place);
    void read(const Place& place, std::vector<std::uint8_t>& bytes) const;

    const ftrace::File& m_file;
    std::deque<Packet> m_unpacked; // the latest first
    std::vector<std::uint8_t> m_packed;
    std::uint64_t m_loaded = 0; // bytes of all bundles
};

} // namespace lttng_gpu::trace::perfetto
