// SPDX-License-Identifier: MIT
//
// See sparkline.hpp.
#include "sparkline.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lttng_gpu::report {
namespace {

struct Bar {
    double host_queue = 0;
    double device = 0;

    double all() const { return host_queue + device; }
};

/// Means over equal parts of the window; a part of a piece counts as such.
std::vector<Bar> bars_of(const OccupancyOverTime& over_time, std::int64_t window,
                         std::size_t columns)
{
    std::vector<Bar> bars(columns);
    const auto length = static_cast<double>(window);
    const double width = length / static_cast<double>(columns);
    for (std::size_t place = 0; place < over_time.device.size(); ++place) {
        const double begin = static_cast<double>(place) * static_cast<double>(over_time.piece);
        const double end = std::min(begin + static_cast<double>(over_time.piece), length);
        for (auto bar = static_cast<std::size_t>(begin / width);
             bar < columns && static_cast<double>(bar) * width < end; ++bar) {
            const double from = std::max(begin, static_cast<double>(bar) * width);
            const double to = std::min(end, static_cast<double>(bar + 1) * width);
            const double part = std::max(to - from, 0.0) / width;
            bars[bar].host_queue += part * over_time.host_queue[place];
            bars[bar].device += part * over_time.device[place];
        }
    }
    return bars;
}

} // namespace

std::string sparkline(const OccupancyOverTime& over_time, std::int64_t window, std::size_t columns,
                      const Screen& screen)
{
    constexpr std::array<std::string_view, 9> heights{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    if (over_time.piece == 0 || window <= 0 || columns == 0) {
        return std::string(columns, ' ');
    }
    const std::vector<Bar> bars = bars_of(over_time, window, columns);
    double most = 0;
    for (const Bar& bar : bars) {
        most = std::max(most, bar.all());
    }
    std::string line;
    for (const Bar& bar : bars) {
        constexpr double nothing = 1e-9; // of sums that should be zero
        const double height = bar.all() > nothing ? bar.all() / most * 8 : 0;
        const auto eighths = static_cast<std::size_t>(std::ceil(std::min(height, 8.0)));
        line += screen.painted(heights[eighths], eighths == 0                  ? Ink::Plain
                                                 : bar.host_queue > bar.device ? Ink::Warning
                                                                               : Ink::Good);
    }
    return line;
}

} // namespace lttng_gpu::report
