// SPDX-License-Identifier: MIT
//
// See packet_file.hpp.
#include "packet_file.hpp"

#include <algorithm>

namespace lttng_gpu::trace::perfetto {
namespace {

/// Perfetto's packets are rarely larger than half a megabyte; a length beyond this is damage.
constexpr std::uint64_t largest_packet = std::uint64_t{64} << 20;
constexpr std::size_t window_size = std::size_t{1} << 20;
constexpr std::size_t longest_head = 11; // the tag and a length

constexpr std::size_t most_unpacked = 4; // packets
constexpr std::uint64_t most_loaded = std::uint64_t{256} << 20;

constexpr std::uint32_t packet_tag = 1U << 3U | 2U; // Trace.packet

} // namespace

/// The next bytes, as many as asked for unless the file ends before.
Bytes PacketWalk::need(std::size_t size)
{
    if (m_at + size > m_window_offset + m_window_size) {
        m_window.resize(std::max(size, window_size));
        m_window_offset = m_at;
        const auto got = m_file.read_at(m_at, m_window);
        m_is_damaged = m_is_damaged || !got;
        m_window_size = got ? *got : 0;
    }
    const std::size_t begin = m_at - m_window_offset;
    return {reinterpret_cast<const std::uint8_t*>(m_window.data()) + begin,
            std::min(size, m_window_size - begin)};
}

bool PacketWalk::next()
{
    m_packet = {};
    if (m_is_damaged || m_is_cut) {
        return false;
    }
    const Bytes head = need(longest_head);
    if (head.empty()) {
        return false;
    }
    Bytes rest = head;
    if (take_varint(rest) != packet_tag) {
        m_is_damaged = true;
        return false;
    }
    const auto length = take_varint(rest);
    if (!length) {
        (head.size() < longest_head ? m_is_cut : m_is_damaged) = true;
        return false;
    }
    if (*length > largest_packet) {
        m_is_damaged = true;
        return false;
    }
    m_at += head.size() - rest.size();
    m_packet_offset = m_at;
    m_packet = need(*length);
    m_is_cut = m_packet.size() < *length;
    m_at += m_packet.size();
    return true;
}

void PlaceReader::load(const Place& place, std::vector<std::uint8_t>& bundle)
{
    m_loaded -= bundle.size();
    if (place.packing == Packing::None) {
        read(place, bundle);
    } else {
        const Bytes packet{find_unpacked(place)};
        const std::size_t begin = std::min<std::size_t>(place.inner_offset, packet.size());
        const Bytes found = packet.subspan(begin).first(
            std::min<std::size_t>(place.inner_size, packet.size() - begin));
        // A small file can claim much; of what is not packed no more than the file has.
        const bool is_too_much = m_loaded + found.size() > most_loaded;
        bundle.assign(found.begin(), is_too_much ? found.begin() : found.end());
    }
    m_loaded += bundle.size();
}

const std::vector<std::uint8_t>& PlaceReader::find_unpacked(const Place& place)
{
    const auto known = std::find_if(m_unpacked.begin(), m_unpacked.end(), [&](const Packet& kept) {
        return kept.offset == place.offset;
    });
    if (known != m_unpacked.end()) {
        std::rotate(m_unpacked.begin(), known, known + 1);
        return m_unpacked.front().bytes;
    }
    read(place, m_packed);
    auto packet = unpack(place.packing, m_packed);
    if (m_unpacked.size() == most_unpacked) {
        m_unpacked.pop_back();
    }
    m_unpacked.push_front(
        {place.offset, packet ? std::move(packet->bytes) : std::vector<std::uint8_t>{}});
    return m_unpacked.front().bytes;
}

void PlaceReader::read(const Place& place, std::vector<std::uint8_t>& bytes) const
{
    bytes.resize(place.size);
    const auto got = m_file.read_at(place.offset, std::as_writable_bytes(std::span{bytes}));
    bytes.resize(got ? *got : 0);
}

} // namespace lttng_gpu::trace::perfetto
