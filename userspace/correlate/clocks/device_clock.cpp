// SPDX-License-Identifier: MIT
//
// See device_clock.hpp. A split is found at a report that cannot belong to the piece
// before it, but the clock may have been set earlier. The earliest moment is found by
// going back from that report for as long as all is possible together; between the
// two nothing is sure of any report, so neither piece is built on it.
#include "device_clock.hpp"

#include <algorithm>

namespace lttng_gpu::model {
namespace {

std::uint64_t bounds_of(std::span<const ClockReading> readings)
{
    std::uint64_t count = 0;
    for (const ClockReading& reading : readings) {
        count += (reading.not_before ? 1U : 0U) + (reading.not_after ? 1U : 0U);
    }
    return count;
}

const ClockReading* first_bounded(std::span<const ClockReading> readings)
{
    const auto found = std::ranges::find_if(readings, [](const ClockReading& reading) {
        return reading.not_before || reading.not_after;
    });
    return found == readings.end() ? nullptr : &*found;
}

} // namespace

void DeviceClock::add(std::span<const ClockReading> readings, Timestamp seen)
{
    const ClockReading* const origin = first_bounded(readings);
    if (origin == nullptr) {
        return;
    }
    if (!m_pieces.empty() && m_pieces.back().piece.add(readings, seen)) {
        m_bounds += bounds_of(readings);
        return;
    }
    ClockPiece piece{m_limits, *origin};
    if (!piece.add(readings, seen)) {
        ++m_refused;
        return;
    }
    m_bounds += bounds_of(readings);
    if (!m_pieces.empty()) {
        split(readings, seen);
    }
    m_pieces.push_back({std::move(piece), seen, {}});
}

void DeviceClock::split(std::span<const ClockReading> readings, Timestamp seen)
{
    ++m_splits;
    Stretch& before = m_pieces.back();
    before.last_sure = before.piece.last_sure(readings, seen).value_or(before.first);
    before.piece.trim(*before.last_sure);
    const bool is_on_the_way = m_limits.most_points != 0;
    if (m_pieces.size() == (is_on_the_way ? most_stretches_on_the_way : most_stretches)) {
        m_pieces.pop_front();
    }
}

void DeviceClock::coarsen(std::int64_t resolution)
{
    if (resolution <= m_limits.resolution) {
        return;
    }
    m_limits.resolution = resolution;
    for (Stretch& stretch : m_pieces) {
        stretch.piece.coarsen(resolution);
    }
}

std::optional<MappedTime> DeviceClock::map(std::uint64_t device, Timestamp seen) const
{
    auto after = std::ranges::upper_bound(m_pieces, seen, {}, &Stretch::first);
    if (after == m_pieces.begin()) {
        return {};
    }
    const Stretch& stretch = *(after - 1);
    if (stretch.last_sure && *stretch.last_sure < seen) {
        return {};
    }
    return stretch.piece.map(device);
}

} // namespace lttng_gpu::model
