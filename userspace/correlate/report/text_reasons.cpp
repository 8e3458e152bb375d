// SPDX-License-Identifier: MIT
//
// The part of the first screen that says why jobs were late: the reasons that cost most of all
// jobs' time from queued to completed. What each job has, its execution above all, is one line.
#include "text_format.hpp"
#include "text_overview.hpp"
#include "text_table.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace lttng_gpu::report {
namespace {

double share_of(const ReasonCost& cost, const ReasonCosts& costs)
{
    return costs.time > 0 ? static_cast<double>(cost.time) / static_cast<double>(costs.time) : 0.0;
}

std::string place_of(const ReasonCost& cost, bool is_only)
{
    const std::string ring = cost.ring.empty() ? "?" : cost.ring;
    return fmt::format("{}{}, {} {}", is_only || cost.device.empty() ? "" : cost.device + " ", ring,
                       cost.pid ? std::to_string(cost.pid->value()) : "?",
                       thread_name(cost.comm, cost.tid));
}

std::string usual_line(const Overview& overview, const ReasonCosts& costs)
{
    std::string text;
    for (const ReasonCost& cost : costs.reasons) {
        if (cost.is_usual) {
            text += fmt::format("{} {} {}", text.empty() ? "normal:" : ",", cost.words,
                                short_percent(share_of(cost, costs)));
        }
    }
    return text.empty()
               ? text
               : overview.screen.painted(cut_end(text, overview.screen.width), Ink::Faint) + "\n";
}

/// Jobs that have no reasons, since an event of them is missing.
std::string left_out_line(const Overview& overview, const ReasonCosts& costs)
{
    std::string text;
    const auto add = [&](std::uint64_t jobs, std::string_view cause) {
        if (jobs > 0) {
            text += fmt::format("{} {} {}", text.empty() ? "left out:" : ",", jobs, cause);
        }
    };
    add(costs.no_queue, "not seen to be queued");
    add(costs.no_submit, "not submitted");
    add(costs.no_complete, "not completed");
    add(costs.no_times, "without times");
    return text.empty()
               ? text
               : overview.screen.painted(cut_end(text, overview.screen.width), Ink::Faint) + "\n";
}

/// Of the first that is shown: it is the one that costs most.
std::string advice_line(const Overview& overview, const std::vector<const ReasonCost*>& shown)
{
    for (const ReasonCost* cost : shown) {
        if (!cost->advice.empty()) {
            // It is a command: it must be whole.
            const std::string text = fmt::format("to know more: {}", cost->advice);
            return overview.screen.painted(wrapped(text, overview.screen.width), Ink::Faint) + "\n";
        }
    }
    return {};
}

std::string table_text(const Overview& overview, const ReasonCosts& costs,
                       const std::vector<const ReasonCost*>& shown)
{
    using Side = TableColumn::Side;
    using Keep = TableColumn::Keep;
    TextTable table{{{.title = "reasons", .side = Side::Left, .keep = Keep::Begin, .least = 12},
                     {.title = "share"},
                     {.title = "time"},
                     {.title = "jobs", .rank = 1},
                     {.title = "worst ring, process",
                      .side = Side::Left,
                      .rank = 3,
                      .keep = Keep::End,
                      .least = 12,
                      .gap = 2},
                     {.title = "there", .rank = 2}}};
    const bool is_only = !only_device(overview.report).empty();
    for (const ReasonCost* cost : shown) {
        table.add_row({{cost->words, cost->cause.empty() ? Ink::Strong : Ink::Plain},
                       {short_percent(share_of(*cost, costs))},
                       {short_duration(cost->time)},
                       {short_count(cost->jobs)},
                       {place_of(*cost, is_only)},
                       {short_duration(cost->time_there)}});
    }
    return table.text(overview.screen);
}

} // namespace

std::string reasons_section(const Overview& overview)
{
    const Report& report = overview.report;
    if (!report.reasons) {
        return report.has_reasons_elsewhere
                   ? "\n" +
                         overview.screen.painted("reasons: lttng-gpu diagnose TRACE", Ink::Faint) +
                         "\n"
                   : std::string{};
    }
    const ReasonCosts& costs = *report.reasons;
    std::vector<const ReasonCost*> shown;
    for (const ReasonCost& cost : costs.reasons) {
        if (!cost.is_usual && shown.size() < overview.rows.reasons) {
            shown.push_back(&cost);
        }
    }
    if (costs.reasons.empty()) {
        return left_out_line(overview, costs);
    }
    if (shown.empty()) {
        return "\n" + overview.screen.painted("reasons: nothing delayed jobs", Ink::Faint) + "\n" +
               usual_line(overview, costs) + left_out_line(overview, costs);
    }
    return "\n" + table_text(overview, costs, shown) + usual_line(overview, costs) +
           left_out_line(overview, costs) + advice_line(overview, shown);
}

} // namespace lttng_gpu::report
