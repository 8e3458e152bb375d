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
    if (x_at + size > x_window_offset + x_window_size) {
        x_window.resize(std::max(size, window_size));
        x_window_offset = x_at;
        const auto got = x_file.read_at(x_at, x_window);
        x_is_damaged = x_is_damaged || !got;
        x_window_size = got ? *got : 0;
    }
    const std::size_t begin = x_at - x_window_offset;
    return {reinterpret_cast<const std::uint8_t*>(x_window.data()) + begin,
            std::min(size, x_window_size - begin)};
}

bool PacketWalk::next()
{
    x_packet = {};
    if (x_is_damaged || x_is_cut) {
        return false;
    }
    const Bytes head = need(longest_head);
    if (head.empty()) {
        return false;
    }
    Bytes rest = head;
    if (take_varint(rest) != packet_tag) {
        x_is_damaged = true;
        return false;
    }
    const auto length = take_varint(rest);
    if (!length) {
        (head.size() < longest_head ? x_is_cut : x_is_damaged) = true;
        return false;
    }
    if (*length > largest_packet) {
        x_is_damaged = true;
        return false;
    }
    x_at += head.size() - rest.size();
    x_packet_offset = x_at;
    x_packet = need(*length);
    x_is_cut = x_packet.size() < *length;
    x_at += x_packet.size();
    return true;
}

void PlaceReader::load(const Place& place, std::vector<std::uint8_t>& bundle)
{
    x_loaded -= bundle.size();
    if (place.packing == Packing::None) {
        read(place, bundle);
    } else {
        const Bytes packet{find_unpacked(place)};
        const std::size_t begin = std::min<std::size_t>(place.inner_offset, packet.size());
        const Bytes found = packet.subspan(begin).first(
            std::min<std::size_t>(place.inner_size, packet.size() - begin));
        // A small file can claim much; of what is not packed no more than the file has.
        const bool is_too_much = x_loaded + found.size() > most_loaded;
        bundle.assign(found.begin(), is_too_much ? found.begin() : found.end());
    }
    x_loaded += bundle.size();
}

const std::vector<std::uint8_t>& PlaceReader::find_unpacked(const Place& place)
{
    const auto known = std::find_if(x_unpacked.begin(), x_unpacked.end(), [&](const Packet& kept) {
        return kept.offset == place.offset;
    });
    if (known != x_unpacked.end()) {
        std::rotate(x_unpacked.begin(), known, known + 1);
        return x_unpacked.front().bytes;
    }
    read(place, x_packed);
    auto packet = unpack(place.packing, x_packed);
    if (x_unpacked.size() == most_unpacked) {
        x_unpacked.pop_back();
    }
    x_unpacked.push_front(
        {place.offset, packet ? std::move(packet->bytes) : std::vector<std::uint8_t>{}});
    return x_unpacked.front().bytes;
}

void PlaceReader::read(const Place& place, std::vector<std::uint8_t>& bytes) const
{
    bytes.resize(place.size);
    const auto got = x_file.read_at(place.offset, std::as_writable_bytes(std::span{bytes}));
    bytes.resize(got ? *got : 0);
}

} // namespace lttng_gpu::trace::perfetto
