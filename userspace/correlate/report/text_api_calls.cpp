// SPDX-License-Identifier: MIT
//
// See text_api_calls.hpp.
#include "text_api_calls.hpp"

#include "text_overview.hpp"
#include "text_table.hpp"

#include <algorithm>

namespace lttng_gpu::report {
namespace {

std::vector<TableColumn> columns()
{
    constexpr std::size_t least_name = 20;
    return {{.title = "API calls",
             .side = TableColumn::Side::Left,
             .keep = TableColumn::Keep::Begin,
             .least = least_name},
            {.title = "calls"},
            {.title = "total", .above = "in the call", .gap = 2},
            {.title = "on CPU", .above = "-"},
            {.title = "count", .above = "its jobs", .gap = 2},
            {.title = "host q", .rank = 3, .above = "-"},
            {.title = "device q", .rank = 4, .above = "-"},
            {.title = "execution", .rank = 2, .above = "-"},
            {.title = "mean", .above = "learned after", .gap = 2},
            {.title = "max", .rank = 1, .above = "-"}};
}

/// Of calls of which it is not known for all, the share of what is.
std::string on_cpu_text(const ApiCallReport& call)
{
    if (call.on_cpu_known == 0) {
        return "?";
    }
    const double share =
        call.on_cpu_of > 0 ? static_cast<double>(call.on_cpu) / static_cast<double>(call.on_cpu_of)
                           : 1.0;
    return call.on_cpu_known == call.count ? short_duration(call.on_cpu)
                                           : "~" + short_percent(share);
}

/// "?": the phase is not known of any; a sum over some jobs only is a least value.
std::string sum_text(std::int64_t sum, const CallJobs& jobs)
{
    if (jobs.without_times == jobs.count && sum == 0) {
        return "?";
    }
    return (jobs.without_times > 0 ? "≥" : "") + short_duration(sum);
}

std::vector<Cell> row_of(const ApiCallReport& call, const CallJobs& jobs, std::string_view kind)
{
    std::string name = call.name.empty() ? "?" : call.name;
    name += kind;
    std::vector<Cell> row{{std::move(name), Ink::Strong},
                          {call.count > 0 ? short_count(call.count) : "-"},
                          {call.count > 0 ? short_duration(call.time) : "-"},
                          {call.count > 0 ? on_cpu_text(call) : "-"}};
    if (jobs.count == 0) {
        row.resize(columns().size(), Cell{""});
        return row;
    }
    const bool is_learned = jobs.learned > 0;
    const auto mean = is_learned ? jobs.learned_after / static_cast<std::int64_t>(jobs.learned) : 0;
    const std::string all_or_some = jobs.learned < jobs.count ? "~" : "";
    row.push_back({short_count(jobs.count)});
    row.push_back({sum_text(jobs.host_queue, jobs)});
    row.push_back({sum_text(jobs.device_queue, jobs)});
    row.push_back({sum_text(jobs.execution, jobs)});
    row.push_back({is_learned ? all_or_some + short_duration(mean) : "?"});
    row.push_back({is_learned ? short_duration(jobs.learned_after_max) : "?"});
    return row;
}

} // namespace

std::string api_call_lines(const Report& report, const Screen& screen, std::size_t most)
{
    if (report.api_calls.empty()) {
        return {};
    }
    TextTable table{columns()};
    const std::size_t shown = std::min(report.api_calls.size(), most);
    for (std::size_t place = 0; place < shown; ++place) {
        const ApiCallReport& call = report.api_calls[place];
        const bool has_both = call.jobs.count > 0 && call.commands.count > 0;
        table.add_row(row_of(call, call.commands.count > 0 ? call.commands : call.jobs, ""));
        if (has_both) {
            ApiCallReport only_jobs = call;
            only_jobs.count = 0; // said in the row before
            table.add_row(row_of(only_jobs, call.jobs, ", kernel jobs"));
        }
    }
    return "\n" + table.text(screen) +
           more_rows(screen, report.api_calls.size(), shown, "API calls");
}

} // namespace lttng_gpu::report
