// SPDX-License-Identifier: MIT
//
// See ring_depths.hpp.
#include "ring_depths.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lttng_gpu::view {
namespace {

constexpr unsigned step_of_levels = 2; // each is four times as coarse as the one before

void coarsen(std::vector<float>& bins)
{
    if (bins.empty()) {
        return;
    }
    const std::size_t size = (bins.size() + 3) / 4;
    for (std::size_t bin = 0; bin < size; ++bin) {
        float sum = 0;
        for (std::size_t part = bin * 4; part < std::min(bin * 4 + 4, bins.size()); ++part) {
            sum += bins[part];
        }
        bins[bin] = sum;
    }
    bins.resize(size);
}

/// The place behind the last bin that is not 0.
std::size_t used_of(const std::vector<float>& bins)
{
    std::size_t used = bins.size();
    while (used > 0 && bins[used - 1] <= 0) {
        --used;
    }
    return used;
}

} // namespace

/// Columns that are all 0 are left out. A depth is in 256ths, and no less than one if not 0.
std::string RingDepths::packed_tile(const ClassBins& bins, std::size_t begin, double width)
{
    Packed tile;
    for (std::size_t column = 0; column < bins.size(); ++column) {
        const auto& all = bins[column];
        const std::size_t end = std::min(begin + RingDepths::bins_of_tile, all.size());
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(std::min(begin, end));
        const auto last = all.begin() + static_cast<std::ptrdiff_t>(end);
        if (std::all_of(first, last, [](float value) { return value <= 0; })) {
            continue;
        }
        tile.add_byte(static_cast<std::uint8_t>(column));
        for (std::size_t bin = begin; bin < begin + RingDepths::bins_of_tile; ++bin) {
            const double depth = bin < end ? static_cast<double>(all[bin]) / width * 256 : 0;
            tile.add(depth <= 0 ? 0 : static_cast<std::uint64_t>(std::max(1.0, std::round(depth))));
        }
    }
    return std::string{tile.bytes()};
}

RingDepths::Column& RingDepths::column_of(Place place, std::uint32_t process)
{
    const auto found = std::ranges::find_if(m_columns, [&](const Column& column) {
        return column.place == place && column.process == process;
    });
    if (found != m_columns.end()) {
        return *found;
    }
    if (m_columns.size() >= most_columns && process != other) {
        return column_of(place, other);
    }
    Column column{place, process, {}, {}};
    column.part.resize(m_bins);
    column.step.resize(m_bins + 1);
    m_columns.push_back(std::move(column));
    return m_columns.back();
}

void RingDepths::settle(Column& column, float width)
{
    float whole = 0;
    for (std::size_t bin = 0; bin < column.part.size(); ++bin) {
        whole += column.step[bin];
        column.part[bin] += whole * width;
        column.step[bin] = 0;
    }
    column.step[column.part.size()] = 0;
}

void RingDepths::widen()
{
    for (Column& column : m_columns) {
        settle(column, std::ldexp(1.0F, static_cast<int>(m_shift)));
        for (std::size_t bin = 0; bin < m_bins / 2; ++bin) {
            column.part[bin] = column.part[2 * bin] + column.part[2 * bin + 1];
        }
        std::fill(column.part.begin() + static_cast<std::ptrdiff_t>(m_bins / 2), column.part.end(),
                  0.0F);
    }
    ++m_shift;
}

void RingDepths::make_room(std::uint64_t last, std::uint64_t jobs_so_far)
{
    while (last >> m_shift >= m_bins) {
        if (m_bins < std::max(least_bins, jobs_so_far / jobs_of_bin)) {
            m_bins *= 2;
            for (Column& column : m_columns) {
                column.part.resize(m_bins);
                column.step.resize(m_bins + 1);
            }
        } else {
            widen();
        }
    }
}

void RingDepths::add(Place place, std::uint32_t process, std::int64_t begin, std::int64_t end,
                     std::uint64_t jobs_so_far)
{
    begin = std::max<std::int64_t>(begin, 0);
    if (end <= begin) {
        return;
    }
    const auto from = static_cast<std::uint64_t>(begin);
    const auto to = static_cast<std::uint64_t>(end);
    make_room(to - 1, jobs_so_far);
    Column& column = column_of(place, process);
    const std::uint64_t first = from >> m_shift;
    const std::uint64_t last = (to - 1) >> m_shift;
    if (first == last) {
        column.part[first] += static_cast<float>(to - from);
        return;
    }
    column.part[first] += static_cast<float>(((first + 1) << m_shift) - from);
    column.part[last] += static_cast<float>(to - (last << m_shift));
    column.step[first + 1] += 1;
    column.step[last] -= 1;
}

std::size_t RingDepths::class_bins(const Column& column, std::span<const std::uint8_t> class_of)
{
    const std::size_t process = column.process == other ? classes - 1 : class_of[column.process];
    return static_cast<std::size_t>(column.place) * classes + process;
}

std::vector<DepthLevel> RingDepths::levels_of(ClassBins& bins, unsigned shift, Blobs& blobs)
{
    std::size_t used = 0;
    for (const auto& sum : bins) {
        used = std::max(used, used_of(sum));
    }
    for (auto& sum : bins) {
        sum.resize(sum.empty() ? 0 : used);
    }
    std::vector<DepthLevel> levels;
    for (; used > 0; used = (used + 3) / 4, shift += step_of_levels) {
        DepthLevel level{shift, used, {}};
        for (std::uint64_t begin = 0; begin < used; begin += bins_of_tile) {
            const std::string tile =
                packed_tile(bins, begin, std::ldexp(1.0, static_cast<int>(shift)));
            level.tiles.push_back(tile.empty() ? -1 : std::int64_t{blobs.add(tile)});
        }
        levels.push_back(std::move(level));
        if (used <= bins_of_tile) {
            break;
        }
        std::ranges::for_each(bins, coarsen);
    }
    return levels;
}

std::vector<DepthLevel> RingDepths::finish(Blobs& blobs, std::span<const std::uint8_t> class_of)
{
    ClassBins bins;
    for (Column& column : m_columns) {
        settle(column, std::ldexp(1.0F, static_cast<int>(m_shift)));
        auto& sum = bins.at(class_bins(column, class_of));
        sum.resize(m_bins);
        for (std::size_t bin = 0; bin < m_bins; ++bin) {
            sum[bin] += column.part[bin];
        }
        column = {};
    }
    return levels_of(bins, m_shift, blobs);
}

std::vector<DepthLevel> RingDepths::so_far(Blobs& blobs,
                                           std::span<const std::uint8_t> class_of) const
{
    unsigned coarser = 0;
    while (m_bins >> coarser > bins_so_far) {
        ++coarser;
    }
    const float width = std::ldexp(1.0F, static_cast<int>(m_shift));
    ClassBins bins;
    for (const Column& column : m_columns) {
        auto& sum = bins.at(class_bins(column, class_of));
        sum.resize(m_bins >> coarser);
        float whole = 0;
        for (std::size_t bin = 0; bin < m_bins; ++bin) {
            whole += column.step[bin];
            sum[bin >> coarser] += column.part[bin] + whole * width;
        }
    }
    return levels_of(bins, m_shift + coarser, blobs);
}

} // namespace lttng_gpu::view
