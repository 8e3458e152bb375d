// SPDX-License-Identifier: MIT
//
// See warps.hpp.
#include "warps.hpp"

#include <algorithm>

namespace lttng_gpu::device {
namespace {

/// Bounds memory; no launch has more warps at a size that the recorder's buffers can hold.
constexpr std::size_t most_warps = 4'000'000;
/// Longer than any kernel: such a time is damage.
constexpr std::uint64_t most_ns = 86'400'000'000'000;

} // namespace

Warps::Warp* Warps::find(const Chunk& chunk)
{
    const std::uint64_t key = static_cast<std::uint64_t>(chunk.group) << 8U | chunk.warp;
    const auto found = x_warps.find(key);
    if (found != x_warps.end()) {
        return &found->second;
    }
    return x_warps.size() < most_warps ? &x_warps[key] : nullptr;
}

void Warps::on_chunk(const Chunk& chunk)
{
    Warp* const warp = find(chunk);
    if (warp != nullptr && chunk.is_first) {
        warp->begin = chunk.time;
        warp->place = chunk.place;
    }
}

void Warps::on_record(const Chunk& chunk, const Record& record,
                      std::map<std::uint32_t, LocationSum>* locations)
{
    Warp* const warp = find(chunk);
    if (warp == nullptr) {
        return;
    }
    if (locations != nullptr) {
        const std::uint64_t ns = record.time - warp->since;
        if (warp->location != end_location && record.time > warp->since && ns < most_ns) {
            (*locations)[warp->location].ns += ns;
        }
        warp->since = std::max(warp->since, record.time);
        warp->location = record.location;
    }
    if (record.location == end_location) {
        warp->end = std::max(warp->end, record.time);
    }
}

void Warps::finish(LaunchSum& launch) const
{
    struct Place {
        std::uint64_t ns = 0;
        std::uint64_t end = 0;
    };
    std::map<std::uint32_t, Place> places;
    for (const auto& [key, warp] : x_warps) {
        if (warp.begin == 0 || warp.end <= warp.begin || warp.end - warp.begin > most_ns) {
            continue; // one of its records was lost
        }
        ++launch.warps;
        launch.begin = launch.begin == 0 ? warp.begin : std::min(launch.begin, warp.begin);
        launch.end = std::max(launch.end, warp.end);
        launch.warp_ns += warp.end - warp.begin;
        Place& place = places[warp.place];
        place.ns += warp.end - warp.begin;
        place.end = std::max(place.end, warp.end);
    }
    launch.places = places.size();
    std::uint64_t first_free = launch.end;
    std::uint64_t most = 0;
    for (const auto& [number, place] : places) {
        first_free = std::min(first_free, place.end);
        most = std::max(most, place.ns);
    }
    launch.tail_ns = launch.end - first_free;
    if (launch.warp_ns > 0) {
        launch.imbalance = static_cast<double>(most) * static_cast<double>(places.size()) /
                           static_cast<double>(launch.warp_ns);
    }
}

} // namespace lttng_gpu::device
