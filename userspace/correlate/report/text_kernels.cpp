// SPDX-License-Identifier: MIT
//
// The section of kernels that were recorded inside.
#include "text_overview.hpp"
#include "text_table.hpp"

#include <fmt/format.h>

namespace lttng_gpu::report {
namespace {

std::string lanes_text(const std::optional<double>& lanes)
{
    return lanes ? fmt::format("{:.1f}", *lanes) : "-";
}

std::string place_text(const CostlyLocation& location)
{
    if (location.kind.empty()) {
        return fmt::format("location {}", location.number);
    }
    return location.line == 0 ? fmt::format("{} {}", location.function, location.kind)
                              : fmt::format("{}:{}:{} {}", location.function, location.line,
                                            location.column, location.kind);
}

std::string table_text(const TracedKernels& traced, std::size_t rows, const Screen& screen)
{
    using Side = TableColumn::Side;
    using Keep = TableColumn::Keep;
    TextTable table{
        {{.title = "inside of kernels", .side = Side::Left, .keep = Keep::Begin, .least = 12},
         {.title = "launches"},
         {.title = "lanes"},
         {.title = "most at", .side = Side::Left, .keep = Keep::End, .least = 12, .gap = 2},
         {.title = "share"},
         {.title = "of", .side = Side::Left, .rank = 4},
         {.title = "lanes", .rank = 3},
         {.title = "imbalance", .rank = 1},
         {.title = "tail", .rank = 1},
         {.title = "lost"}}};
    for (std::size_t place = 0; place < std::min(rows, traced.kernels.size()); ++place) {
        const TracedKernel& kernel = traced.kernels[place];
        const auto& costly = kernel.costly;
        table.add_row(
            {{kernel.name, Ink::Strong},
             {short_count(kernel.launches)},
             {lanes_text(kernel.lanes)},
             {costly ? place_text(*costly) : "-"},
             {costly ? short_percent(costly->share) : "-"},
             {!costly              ? "-"
              : costly->is_of_time ? "time"
              : kernel.has_warps   ? "warps"
                                   : "work-items"},
             {costly ? lanes_text(costly->lanes) : "-"},
             {kernel.imbalance ? fmt::format("{:.2f}", *kernel.imbalance) : "-"},
             {kernel.tail ? short_percent(*kernel.tail) : "-"},
             {short_count(kernel.lost_records), kernel.lost_records > 0 ? Ink::Bad : Ink::Plain}});
    }
    return table.text(screen);
}

std::string missing_line(const TracedKernels& traced, const Screen& screen)
{
    std::string text;
    const auto add = [&text](std::uint64_t count, std::string_view what) {
        if (count > 0) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
        }
    };
    add(traced.launches_unread, "launches without an end");
    add(traced.parts_lost, "parts lost by the tracer");
    add(traced.parts_damaged, "parts damaged");
    add(traced.conflicts, "times bounds of the device's timer contradict each other");
    std::uint64_t alone = 0;
    for (const auto& [reason, count] : traced.untraced) {
        alone += count;
    }
    if (alone > 0) {
        text += fmt::format("{}left alone {} times", text.empty() ? "" : ", ", alone);
    }
    return text.empty() ? text : screen.painted(text, Ink::Warning) + "\n";
}

} // namespace

std::string kernels_section(const Overview& overview)
{
    const auto& traced = overview.report.traced_kernels;
    if (!traced) {
        return {};
    }
    const Screen& screen = overview.screen;
    std::string text = "\n";
    if (!traced->kernels.empty()) {
        text += table_text(*traced, overview.rows.kernels, screen) +
                more_rows(screen, traced->kernels.size(), overview.rows.kernels, "kernels");
    }
    return text + missing_line(*traced, screen) +
           screen.painted("each location and launch: lttng-gpu device TRACE", Ink::Faint) + "\n";
}

} // namespace lttng_gpu::report
