// SPDX-License-Identifier: MIT
//
// See packet_file.hpp.
#include "packet_file.hpp"

#include <algorithm>

namespace lttng_gpu::trace::perfetto {
namespace {

/// Perfetto's packets are rarely larger than half a megabyte; a length beyond this is damage.
constexpr std::uint64_t largest_packet = 64 * 1024 * 1024;
constexpr std::size_t window_size = 1024 * 1024;
constexpr std::size_t longest_head = 11; // the tag and a length

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
    google::protobuf::io::CodedInputStream stream{head.data(), static_cast<int>(head.size())};
    std::uint64_t length = 0;
    if (stream.ReadTag() != packet_tag) {
        x_is_damaged = true;
        return false;
    }
    if (!stream.ReadVarint64(&length)) {
        (head.size() < longest_head ? x_is_cut : x_is_damaged) = true;
        return false;
    }
    if (length > largest_packet) {
        x_is_damaged = true;
        return false;
    }
    x_at += static_cast<std::uint64_t>(stream.CurrentPosition());
    x_packet_offset = x_at;
    x_packet = need(length);
    x_is_cut = x_packet.size() < length;
    x_at += x_packet.size();
    return true;
}

Loaded PlaceReader::load(const Place& place)
{
    if (place.packing == Packing::None) {
        auto bytes = read(place.offset, place.size);
        return {bytes, *bytes};
    }
    std::erase_if(x_unpacked, [](const auto& entry) { return entry.second.expired(); });
    auto& kept = x_unpacked[place.offset];
    auto owner = kept.lock();
    if (!owner) {
        auto unpacked = unpack(place.packing, *read(place.offset, place.size));
        owner = std::make_shared<const std::vector<std::uint8_t>>(
            unpacked ? std::move(*unpacked) : std::vector<std::uint8_t>{});
        kept = owner;
    }
    const std::size_t begin = std::min<std::size_t>(place.inner_offset, owner->size());
    const std::size_t size = std::min<std::size_t>(place.inner_size, owner->size() - begin);
    return {owner, Bytes{*owner}.subspan(begin, size)};
}

std::shared_ptr<const std::vector<std::uint8_t>> PlaceReader::read(std::uint64_t offset,
                                                                   std::size_t size) const
{
    auto bytes = std::make_shared<std::vector<std::uint8_t>>(size);
    const auto got = x_file.read_at(offset, std::as_writable_bytes(std::span{*bytes}));
    bytes->resize(got ? *got : 0);
    return bytes;
}

} // namespace lttng_gpu::trace::perfetto
