// SPDX-License-Identifier: MIT
//
// The part of the first screen with one line for each ring, or for the queues that an API made for
// one process on one device. Where jobs waited most comes first.
#include "../base/queue_words.hpp"
#include "sparkline.hpp"
#include "text_overview.hpp"
#include "text_table.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace lttng_gpu::report {
namespace {

/// A line of the table.
struct Line {
    const QueueReport* queue = nullptr; // or
    const QueueGroup* group = nullptr;
    std::int64_t waited = 0; // of all jobs together, in both queues
    std::string name;
};

std::int64_t sum_of(const LatencySummary& host_queue, const LatencySummary& device_queue)
{
    return host_queue.sum + device_queue.sum;
}

std::string on_device(const std::string& device, const std::string& name, bool is_only)
{
    const std::string known = name.empty() ? "?" : name;
    return is_only || device.empty() ? known : fmt::format("{} {}", device, known);
}

std::vector<Line> lines_of(const Report& report)
{
    const bool is_only = !only_device(report).empty();
    std::vector<Line> lines;
    std::vector<bool> is_in_group(report.queues.size());
    for (const QueueGroup& group : report.groups) {
        for (const std::size_t place : group.queues) {
            is_in_group[place] = true;
        }
        const std::string process = group.pid ? std::to_string(group.pid->value()) : "?";
        lines.push_back(
            {nullptr, &group, sum_of(group.host_queue, group.device_queue),
             on_device(group.device,
                       fmt::format("{} queues of {} {}", group.queues.size(), process, group.comm),
                       is_only)});
    }
    for (std::size_t place = 0; place < report.queues.size(); ++place) {
        const QueueReport& queue = report.queues[place];
        if (!is_in_group[place]) {
            const Phases& phases = queue.phases;
            lines.push_back({&queue, nullptr,
                             sum_of(phases.host_queue.latency, phases.device_queue.latency),
                             on_device(queue.device, queue.ring, is_only)});
        }
    }
    std::stable_sort(lines.begin(), lines.end(), [](const Line& left, const Line& right) {
        return left.waited != right.waited ? left.waited > right.waited
                                           : is_naturally_before(left.name, right.name);
    });
    return lines;
}

Cell busy_cell(const QueueReport& queue)
{
    const Bounds& bounds = queue.phases.execution.busy_ratio_bounds;
    if (!queue.phases.has_device() ||
        (queue.jobs > 0 && queue.phases.execution.latency.count == 0)) {
        return {"?"}; // no time of any job
    }
    const std::string low = short_percent(bounds.low);
    return {bounds.high && short_percent(*bounds.high) == low ? low : "≥" + low};
}

Cell starved_cell(const Report& report, const QueueReport& queue)
{
    constexpr double notable = 0.05;
    constexpr double much = 0.2;
    if (!queue.phases.has_states()) {
        return {"?"};
    }
    const double share = share_of_window(queue.states.host_only, report);
    return {share > 0 ? short_percent(share) : "0", share >= much      ? Ink::Bad
                                                    : share >= notable ? Ink::Warning
                                                                       : Ink::Plain};
}

Cell curve_cell(const Report& report, const OccupancyOverTime& over_time)
{
    return {.draw = [&report, &over_time](std::size_t columns, const Screen& screen) {
        return sparkline(over_time, (report.end - report.begin).value(), columns, screen);
    }};
}

std::vector<Cell> row_of(const Report& report, const Line& line)
{
    using Summary = LatencySummary;
    const auto cells = [&](const Summary& host, std::size_t depth, const Summary& device,
                           const Summary& execution) {
        return std::vector<Cell>{{short_quantile(host, &Summary::p50)},
                                 {short_quantile(host, &Summary::p99), Ink::Strong},
                                 {std::to_string(depth)},
                                 {short_quantile(device, &Summary::p50)},
                                 {short_quantile(device, &Summary::p99)},
                                 {short_quantile(execution, &Summary::p50)},
                                 {short_quantile(execution, &Summary::p99)}};
    };
    std::vector<Cell> row{{line.name, Ink::Strong}};
    const auto append = [&row](std::vector<Cell> more) {
        row.insert(row.end(), std::make_move_iterator(more.begin()),
                   std::make_move_iterator(more.end()));
    };
    if (line.group != nullptr) {
        const QueueGroup& group = *line.group;
        const double busy = std::min(share_of_window(group.busy_sum, report), 1.0);
        append({{short_count(group.jobs)}, {group.has_device ? "≤" + short_percent(busy) : "?"}});
        append(cells(group.host_queue, group.host_depth_max, group.device_queue, group.execution));
        append({{"-"}, curve_cell(report, group.over_time)});
        return row;
    }
    const QueueReport& queue = *line.queue;
    const Phases& phases = queue.phases;
    append({{short_count(queue.jobs)}, busy_cell(queue)});
    append(cells(phases.host_queue.latency, phases.host_queue.depth_max,
                 phases.device_queue.latency, phases.execution.latency));
    append({starved_cell(report, queue), curve_cell(report, queue.over_time)});
    return row;
}

std::vector<TableColumn> columns()
{
    using Side = TableColumn::Side;
    using Keep = TableColumn::Keep;
    constexpr std::size_t least_name = 16;
    constexpr std::size_t latency = 6; // "12.3µs": all tables look alike
    constexpr std::size_t depth = 3;
    constexpr std::size_t least_curve = 9;
    constexpr std::size_t most_curve = 48;
    return {{.title = "ring", .side = Side::Left, .keep = Keep::End, .least = least_name},
            {.title = "jobs"},
            {.title = "busy", .rank = 2, .least = 5},
            {.title = "p50", .rank = 1, .least = latency, .above = "host queue|host"},
            {.title = "p99", .least = latency, .above = "-"},
            {.title = "max", .rank = 3, .least = depth, .above = "-"},
            {.title = "p50", .rank = 4, .least = latency, .above = "device queue|device"},
            {.title = "p99", .rank = 6, .least = latency, .above = "-"},
            {.title = "p50", .rank = 2, .least = latency, .above = "execution|exec"},
            {.title = "p99", .rank = 6, .least = latency, .above = "-"},
            {.title = "waiting", .rank = 3, .above = "idle,"},
            {.title = "over time",
             .side = Side::Left,
             .rank = 5,
             .least = least_curve,
             .most = most_curve,
             .gap = 2}};
}

/// One sentence for each kind of driver.
std::string words_of_drivers(const Overview& overview)
{
    std::vector<std::pair<std::string_view, std::string>> said; // and by whom
    for (const QueueReport& queue : overview.report.queues) {
        const std::string_view words = model::queue_words(queue.driver);
        const auto same = std::ranges::find(said, words, &decltype(said)::value_type::first);
        if (words.empty()) {
            continue;
        }
        if (same == said.end()) {
            said.emplace_back(words, queue.driver);
        } else if ((", " + same->second + ",").find(", " + queue.driver + ",") ==
                   std::string::npos) {
            same->second += ", " + queue.driver;
        }
    }
    constexpr std::size_t most_sentences = 2;
    std::string text;
    for (std::size_t place = 0; place < std::min(said.size(), most_sentences); ++place) {
        text += overview.screen.painted(
                    wrapped(fmt::format("{}: {}", said[place].second, said[place].first),
                            overview.screen.width),
                    Ink::Faint) +
                "\n";
    }
    return text;
}

} // namespace

std::string rings_section(const Overview& overview)
{
    const std::vector<Line> lines = lines_of(overview.report);
    TextTable table{columns()};
    const std::size_t shown = std::min(lines.size(), overview.rows.rings);
    for (std::size_t place = 0; place < shown; ++place) {
        table.add_row(row_of(overview.report, lines[place]));
    }
    if (lines.empty()) {
        return {};
    }
    const std::string device = only_device(overview.report);
    return "\n" + overview.screen.painted(device, Ink::Strong) + (device.empty() ? "" : "\n") +
           table.text(overview.screen) + more_rows(overview.screen, lines.size(), shown, "rings") +
           words_of_drivers(overview);
}

} // namespace lttng_gpu::report
