// SPDX-License-Identifier: MIT
//
// See warps.hpp.
#include "warps.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <queue>

namespace lttng_gpu::device {
namespace {

/// Bounds memory; no launch has more warps at a size that the recorder's buffers can hold.
constexpr std::size_t most_warps = 4'000'000;
/// Longer than any kernel: such a time is damage.
constexpr std::uint64_t most_ns = 86'400'000'000'000;

/// How many there are, over equal slices of an interval.
class Slices {
public:
    Slices(std::uint64_t begin, std::uint64_t end)
        : m_begin{begin}, m_width{static_cast<double>(end - begin) / OverTime::slices}
    {
    }

    void add(std::uint64_t begin, std::uint64_t end)
    {
        if (end <= begin) {
            return;
        }
        const double from = static_cast<double>(begin - m_begin) / m_width;
        const double to = static_cast<double>(end - m_begin) / m_width;
        const auto last = std::min(static_cast<std::size_t>(to), OverTime::slices - 1);
        for (auto slice = std::min(static_cast<std::size_t>(from), last); slice <= last; ++slice) {
            const auto place = static_cast<double>(slice);
            m_sums[slice] += std::max(std::min(to, place + 1) - std::max(from, place), 0.0);
        }
    }
    std::vector<double> means() const { return {m_sums.begin(), m_sums.end()}; }

private:
    std::uint64_t m_begin;
    double m_width;
    std::array<double, OverTime::slices> m_sums{};
};

} // namespace

Warps::Warp* Warps::find(const Chunk& chunk)
{
    const std::uint64_t key = static_cast<std::uint64_t>(chunk.group) << 8U | chunk.warp;
    const auto found = m_warps.find(key);
    if (found != m_warps.end()) {
        return &found->second;
    }
    return m_warps.size() < most_warps ? &m_warps[key] : nullptr;
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
    if (locations != nullptr && record.has_own_time) {
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

std::vector<Warps::Warp> Warps::complete() const
{
    std::vector<Warp> warps;
    for (const auto& [key, warp] : m_warps) {
        if (warp.begin != 0 && warp.end > warp.begin && warp.end - warp.begin <= most_ns) {
            warps.push_back(warp); // none of its records was lost
        }
    }
    std::ranges::sort(warps, {}, &Warp::begin);
    return warps;
}

void Warps::finish(LaunchSum& launch) const
{
    const std::vector<Warp> warps = complete();
    launch.warps = warps.size();
    if (warps.empty()) {
        return;
    }
    struct Place {
        std::uint64_t ns = 0;
        std::uint64_t end = 0;
    };
    std::map<std::uint32_t, Place> places;
    std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> ends;
    launch.begin = warps.front().begin;
    for (const Warp& warp : warps) {
        launch.end = std::max(launch.end, warp.end);
        launch.warp_ns += warp.end - warp.begin;
        Place& place = places[warp.place];
        place.ns += warp.end - warp.begin;
        place.end = std::max(place.end, warp.end);
        while (!ends.empty() && ends.top() <= warp.begin) {
            ends.pop();
        }
        ends.push(warp.end);
        launch.most_warps = std::max<std::uint64_t>(launch.most_warps, ends.size());
    }
    launch.places = places.size();
    std::uint64_t first_free = launch.end;
    std::uint64_t most = 0;
    for (const auto& [number, place] : places) {
        first_free = std::min(first_free, place.end);
        most = std::max(most, place.ns);
    }
    launch.tail_ns = launch.end - first_free;
    launch.imbalance = static_cast<double>(most) * static_cast<double>(places.size()) /
                       static_cast<double>(launch.warp_ns);
    Slices resident{launch.begin, launch.end};
    Slices busy{launch.begin, launch.end};
    std::map<std::uint32_t, std::uint64_t> busy_until; // by multiprocessor
    for (const Warp& warp : warps) {
        resident.add(warp.begin, warp.end);
        std::uint64_t& until = busy_until[warp.place];
        busy.add(std::max(warp.begin, until), warp.end);
        until = std::max(until, warp.end);
    }
    launch.over_time = {resident.means(), busy.means()};
}

} // namespace lttng_gpu::device
