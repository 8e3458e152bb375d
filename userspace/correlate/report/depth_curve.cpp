// SPDX-License-Identifier: MIT
//
// See depth_curve.hpp.
#include "depth_curve.hpp"

#include <algorithm>

namespace lttng_gpu::report {
namespace {

constexpr unsigned longest = 57; // of any time, 2^57 ns has fewer than 64 pieces

} // namespace

void OccupancyOverTime::add(const OccupancyOverTime& other)
{
    if (piece == 0) {
        *this = other;
        return;
    }
    const auto add_all = [](std::vector<double>& sums, const std::vector<double>& more) {
        sums.resize(std::max(sums.size(), more.size()));
        for (std::size_t place = 0; place < more.size(); ++place) {
            sums[place] += more[place];
        }
    };
    if (piece == other.piece) {
        add_all(host_queue, other.host_queue);
        add_all(device, other.device);
    }
}

void DepthCurve::add_partly_known(const Life& life, std::int64_t origin)
{
    const auto has = [&](unsigned points) { return (life.known & points) == points; };
    constexpr unsigned queued = 1;
    constexpr unsigned submitted = 2;
    constexpr unsigned completed = 8;
    const auto at = [&](std::size_t point) { return life.times[point] - origin; };
    if (has(queued | submitted)) {
        add_point(at(0), 1, 0);
        add_point(at(1), -1, 0);
    }
    if (has(submitted | completed)) {
        add_point(at(1), 0, 1);
        add_point(at(3), 0, -1);
    } else if (has(submitted | Life::no_end)) {
        add_point(at(1), 0, 1);
    } else if (has(queued | Life::no_end)) {
        add_point(at(0), 1, 0);
    }
}

std::size_t DepthCurve::make_room(std::int64_t time)
{
    while (m_shift < longest && static_cast<std::uint64_t>(time) >> m_shift >= most_pieces) {
        coarsen();
    }
    const auto place = static_cast<std::size_t>(static_cast<std::uint64_t>(time) >> m_shift);
    m_pieces.resize(std::max(m_pieces.size(), place + 1));
    return place;
}

/// A step in the first of two pieces lasts for the whole of the second.
void DepthCurve::coarsen()
{
    m_pieces.resize((m_pieces.size() + 1) & ~std::size_t{1});
    for (std::size_t place = 0; place < m_pieces.size(); place += 2) {
        const Piece& first = m_pieces[place];
        const Piece& second = m_pieces[place + 1];
        const std::int64_t length = std::int64_t{1} << m_shift;
        m_pieces[place / 2] = {
            .host_time = first.host_time + first.host_step * length + second.host_time,
            .device_time = first.device_time + first.device_step * length + second.device_time,
            .host_step = first.host_step + second.host_step,
            .device_step = first.device_step + second.device_step};
    }
    m_pieces.resize(m_pieces.size() / 2);
    ++m_shift;
}

OccupancyOverTime DepthCurve::over(Duration window) const
{
    if (window.value() <= 0) {
        return {};
    }
    DepthCurve curve = *this;
    const auto last = static_cast<std::uint64_t>(window.value() - 1);
    while (curve.m_shift < longest && last >> curve.m_shift >= most_pieces) {
        curve.coarsen();
    }
    curve.m_pieces.resize(static_cast<std::size_t>(last >> curve.m_shift) + 1);
    OccupancyOverTime result;
    result.piece = std::int64_t{1} << curve.m_shift;
    std::int64_t host = 0;
    std::int64_t device = 0;
    for (std::size_t place = 0; place < curve.m_pieces.size(); ++place) {
        const Piece& piece = curve.m_pieces[place];
        const std::int64_t begin = static_cast<std::int64_t>(place) << curve.m_shift;
        const std::int64_t length = std::min(result.piece, window.value() - begin);
        // points before the end of the window have counted until the end of the piece
        const std::int64_t beyond = result.piece - length;
        const auto mean = [&](std::int64_t time, std::int64_t depth, std::int32_t step) {
            const std::int64_t inside = time + depth * length - step * beyond;
            return static_cast<double>(std::max<std::int64_t>(inside, 0)) /
                   static_cast<double>(length);
        };
        result.host_queue.push_back(mean(piece.host_time, host, piece.host_step));
        result.device.push_back(mean(piece.device_time, device, piece.device_step));
        host += piece.host_step;
        device += piece.device_step;
    }
    return result;
}

} // namespace lttng_gpu::report
