// SPDX-License-Identifier: MIT
//
// The part of the first screen about API calls and kernels: how often each was enqueued, and how
// long its jobs waited and ran.
#include "../base/apis.hpp"
#include "job_words.hpp"
#include "text_overview.hpp"
#include "text_table.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace lttng_gpu::report {
namespace {

std::string title_of(std::string_view driver)
{
    const Api* api = find_api(driver);
    return api != nullptr ? fmt::format("{} commands", api->title)
                          : fmt::format("jobs of {}, by the call that led to them", driver);
}

/// In units of thousands, as makers of memories count; three digits.
std::string short_bytes(double bytes)
{
    constexpr std::array<std::string_view, 6> units{"B", "kB", "MB", "GB", "TB", "PB"};
    constexpr double thousand = 1000;
    constexpr double rounded_up = 999.5;
    std::size_t unit = 0;
    for (; bytes >= rounded_up && unit + 1 < units.size(); ++unit) {
        bytes /= thousand;
    }
    constexpr double two_places = 9.995;
    constexpr double one_place = 99.95;
    const int places = unit == 0 ? 0 : bytes < two_places ? 2 : bytes < one_place ? 1 : 0;
    return fmt::format("{:.{}f}{}", bytes, places, units[unit]);
}

/// Which columns there are besides those of all tables.
struct MoreColumns {
    bool bytes = false;
    bool failed = false;
};

std::vector<TableColumn> columns_for(std::string_view title, const MoreColumns& more)
{
    using Side = TableColumn::Side;
    constexpr std::size_t least_name = 20;
    std::vector<TableColumn> columns{{.title = std::string{title},
                                      .side = Side::Left,
                                      .keep = TableColumn::Keep::Begin,
                                      .least = least_name},
                                     {.title = "count"},
                                     {.title = "total", .above = "execution", .gap = 2},
                                     {.title = "share", .above = "-"},
                                     {.title = "mean", .rank = 3, .above = "-"},
                                     {.title = "p50", .rank = 2, .above = "-"},
                                     {.title = "p99", .rank = 1, .above = "-"},
                                     {.title = "p50", .rank = 4, .above = "waited", .gap = 2},
                                     {.title = "p99", .rank = 5, .above = "-"}};
    if (more.bytes) {
        columns.push_back({.title = "bytes", .rank = 2, .above = "moved", .gap = 2});
        columns.push_back({.title = "rate", .rank = 4, .above = "-"});
    }
    if (more.failed) {
        columns.push_back({.title = "failed"});
    }
    return columns;
}

std::vector<Cell> row_of(const CallReport& call, const MoreColumns& more)
{
    using Summary = LatencySummary;
    const Summary& execution = call.execution;
    const bool is_known = execution.count > 0;
    const auto mean = is_known ? execution.sum / static_cast<std::int64_t>(execution.count) : 0;
    std::vector<Cell> row{
        {call.call.empty() ? "others" : call_words(call.call, call.debug_group), Ink::Strong},
        {short_count(call.count)},
        {short_quantile(execution, &Summary::sum)},
        {is_known ? short_percent(call.share) : "-"},
        {is_known ? short_duration(mean) : "-"},
        {short_quantile(execution, &Summary::p50)},
        {short_quantile(execution, &Summary::p99)},
        {short_quantile(call.waited, &Summary::p50)},
        {short_quantile(call.waited, &Summary::p99)}};
    if (more.bytes) {
        row.push_back({call.bytes > 0 ? short_bytes(static_cast<double>(call.bytes)) : ""});
        row.push_back({call.bytes_per_second ? short_bytes(*call.bytes_per_second) + "/s" : ""});
    }
    if (more.failed) {
        row.push_back({call.failed > 0 ? short_count(call.failed) : "",
                       call.failed > 0 ? Ink::Bad : Ink::Plain});
    }
    return row;
}

std::string driver_table(const Overview& overview, const std::vector<CallReport>& calls,
                         std::string_view title)
{
    const MoreColumns more{
        .bytes = std::ranges::any_of(calls, [](const CallReport& call) { return call.bytes > 0; }),
        .failed =
            std::ranges::any_of(calls, [](const CallReport& call) { return call.failed > 0; })};
    TextTable table{columns_for(title, more)};
    const std::size_t shown = std::min(calls.size(), overview.rows.calls);
    for (std::size_t place = 0; place < shown; ++place) {
        table.add_row(row_of(calls[place], more));
    }
    return "\n" + table.text(overview.screen) +
           more_rows(overview.screen, calls.size(), shown, "calls");
}

} // namespace

std::string calls_section(const Overview& overview)
{
    std::string text;
    const std::vector<CallReport>& calls = overview.report.calls;
    for (auto first = calls.begin(); first != calls.end();) {
        const auto end = std::find_if(first, calls.end(), [&](const CallReport& call) {
            return call.driver != first->driver;
        });
        text += driver_table(overview, {first, end}, title_of(first->driver));
        first = end;
    }
    return text;
}

} // namespace lttng_gpu::report
