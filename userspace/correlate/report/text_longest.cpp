// SPDX-License-Identifier: MIT
//
// The part of the first screen about the jobs that took longest, and in which phase they were
// meanwhile. The longest phase stands out.
#include "../base/apis.hpp"
#include "job_words.hpp"
#include "text_format.hpp"
#include "text_overview.hpp"
#include "text_table.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace lttng_gpu::report {
namespace {

/// The process has a column of its own, so it is not in the name of an API's queue.
std::string place_of(const LongJob& job, bool is_only)
{
    std::string_view ring = job.ring.empty() ? std::string_view{"?"} : job.ring;
    if (find_api(job.driver) != nullptr) {
        ring = ring.substr(0, ring.find(" of pid "));
    }
    return is_only || job.device.empty() ? std::string{ring}
                                         : fmt::format("{} {}", job.device, ring);
}

/// As --job takes it; without a context with the ring before it.
std::string name_of(const LongJob& job)
{
    if (!job.seqno) {
        return "?";
    }
    return job.context ? fmt::format("{}:{}", job.context->value(), job.seqno->value())
                       : std::to_string(job.seqno->value());
}

std::string end_of(const LongJob& job)
{
    std::string text;
    const auto add = [&text](std::string_view part) {
        text += (text.empty() ? "" : ", ") + std::string{part};
    };
    if (job.is_open) {
        add(job.is_on_device ? "on the device at the end" : "in the host queue at the end");
    }
    if (job.fault != model::Fault::None) {
        add(job.fault == model::Fault::TimedOut ? "timed out"
            : job.fault == model::Fault::Error  ? "failed"
                                                : "banned");
    }
    if (job.intervals > 1) {
        add("preempted");
    }
    return text;
}

/// Host queue, device queue, execution.
std::array<Cell, 3> phase_cells(const LongJob& job)
{
    const std::array lengths{job.host_queue, job.device_queue, job.execution};
    std::array<Cell, 3> cells;
    const auto longest = std::max_element(lengths.begin(), lengths.end());
    for (std::size_t phase = 0; phase < lengths.size(); ++phase) {
        const bool is_longest = lengths[phase] && lengths[phase] == *longest;
        cells[phase] = {lengths[phase] ? short_duration(*lengths[phase]) : "?",
                        is_longest ? Ink::Warning : Ink::Plain};
    }
    return cells;
}

std::vector<TableColumn> columns_for(const std::vector<LongJob>& jobs)
{
    using Side = TableColumn::Side;
    using Keep = TableColumn::Keep;
    constexpr std::size_t least_name = 12;
    constexpr std::size_t least_process = 17; // a number of five digits and the most of a name
    std::vector<TableColumn> columns{
        {.title = "slowest jobs", .side = Side::Left, .keep = Keep::End, .least = least_name},
        {.title = "process",
         .side = Side::Left,
         .rank = 1,
         .keep = Keep::Begin,
         .least = least_process},
        {.title = "job"},
        {.title = "total"},
        {.title = "host q", .gap = 2},
        {.title = "device q"},
        {.title = "execution"},
        {.title = "queued at", .rank = 3, .gap = 2}};
    if (std::ranges::any_of(jobs, [](const LongJob& job) { return !job.api_call.empty(); })) {
        columns.push_back({.title = "API call",
                           .side = Side::Left,
                           .rank = 2,
                           .keep = Keep::Begin,
                           .least = 8,
                           .gap = 2});
    }
    if (std::ranges::any_of(jobs, [](const LongJob& job) { return !end_of(job).empty(); })) {
        columns.push_back({.title = "note",
                           .side = Side::Left,
                           .rank = 4,
                           .keep = Keep::Begin,
                           .least = 9,
                           .gap = 2});
    }
    return columns;
}

} // namespace

std::string longest_section(const Overview& overview)
{
    const Report& report = overview.report;
    const std::size_t shown = std::min(report.longest_jobs.size(), overview.rows.jobs);
    if (shown == 0) {
        return {};
    }
    const std::vector<LongJob> jobs{report.longest_jobs.begin(),
                                    report.longest_jobs.begin() +
                                        static_cast<std::ptrdiff_t>(shown)};
    const bool is_only = !only_device(report).empty();
    std::vector<TableColumn> columns = columns_for(jobs);
    const auto has = [&](std::string_view title) {
        return std::ranges::find(columns, title, &TableColumn::title) != columns.end();
    };
    const bool has_calls = has("API call");
    const bool has_notes = has("note");
    TextTable table{std::move(columns)};
    constexpr std::int64_t long_window = 10'000'000'000;
    const int decimals = (report.end - report.begin).value() < long_window ? 6 : 3;
    for (const LongJob& job : jobs) {
        constexpr double nanoseconds = 1e9;
        const double since = static_cast<double>((job.queued - report.recording.begin).value());
        auto [host_queue, device_queue, execution] = phase_cells(job);
        std::vector<Cell> row{
            {place_of(job, is_only), Ink::Strong},
            {fmt::format("{} {}", job.pid ? std::to_string(job.pid->value()) : "?",
                         thread_name(job.comm, job.pid ? Known<Tid>{} : job.tid))},
            {name_of(job)},
            {(job.is_open ? "≥" : "") + short_duration(job.total), Ink::Strong},
            host_queue,
            device_queue,
            execution,
            {fmt::format("+{:.{}f}", since / nanoseconds, decimals)}};
        if (has_calls) {
            row.push_back({call_words(job.api_call, job.debug_group)});
        }
        if (has_notes) {
            row.push_back({end_of(job), Ink::Bad});
        }
        table.add_row(std::move(row));
    }
    return "\n" + table.text(overview.screen);
}

} // namespace lttng_gpu::report
