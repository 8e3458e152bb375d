// SPDX-License-Identifier: MIT
//
// The report for people: the first screen, and with details each ring and everything that was
// lost, incomplete or odd. With names of rings only these are told.
#include "report_sink.hpp"
#include "text_api_calls.hpp"
#include "text_call_account.hpp"
#include "text_clocks.hpp"
#include "text_counters.hpp"
#include "text_details.hpp"
#include "text_others.hpp"
#include "text_relations.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fnmatch.h>

namespace lttng_gpu::report {
namespace {

bool is_called(const QueueReport& queue, const std::string& name)
{
    const std::string whole = fmt::format("{} {}", queue.device, queue.ring);
    return name == queue.ring || name == whole ||
           fnmatch(name.c_str(), queue.ring.c_str(), 0) == 0 ||
           fnmatch(name.c_str(), whole.c_str(), 0) == 0;
}

std::string lost_section(const Report& report)
{
    const std::string lines = trace_problems(report) + ring_problems(report);
    return "\nlost or incomplete, and why\n" + (lines.empty() ? "  nothing\n" : lines);
}

void write_rings(const Report& report, const TextOptions& options, const TextSink& sink)
{
    for (const std::size_t place : chosen_rings(report, options)) {
        sink(ring_text(report, report.queues[place]));
    }
}

void write_letters(const Report& report, const TextOptions& options, const TextSink& sink)
{
    if (!options.rings.empty()) {
        sink(recorded_section(report, options.screen));
        write_rings(report, options, sink);
        return;
    }
    sink(overview_text(report, options));
    if (options.has_details) {
        write_rings(report, options, sink);
        sink(foreign_wait_lines(report));
        sink(open_wait_lines(report));
        sink(api_call_lines(report, options.screen, options.top.value_or(20)));
        sink(call_account_lines(report));
        sink(clock_lines(report));
    }
    sink(counter_lines(report.trace.counters)); // who sampled them asked for them
    sink(other_event_lines(report.trace.others, options.has_details));
    if (options.has_details) {
        sink(lost_section(report));
    }
}

} // namespace

std::vector<std::size_t> chosen_rings(const Report& report, const TextOptions& options)
{
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < report.queues.size(); ++place) {
        if (options.rings.empty() ||
            std::ranges::any_of(options.rings, [&](const std::string& name) {
                return is_called(report.queues[place], name);
            })) {
            places.push_back(place);
        }
    }
    std::ranges::stable_sort(places, [&](std::size_t left, std::size_t right) {
        const QueueReport& one = report.queues[left];
        const QueueReport& other = report.queues[right];
        return one.device != other.device ? is_naturally_before(one.device, other.device)
                                          : is_naturally_before(one.ring, other.ring);
    });
    return places;
}

void write_text(const Report& report, const TextOptions& options, const TextSink& sink)
{
    if (options.screen.is_ascii) {
        write_letters(report, options, [&sink](std::string_view piece) { sink(as_ascii(piece)); });
    } else {
        write_letters(report, options, sink);
    }
}

std::string report_json(const Report& report)
{
    std::string text;
    write_json(report, [&text](std::string_view piece) { text += piece; });
    return text;
}

std::string report_text(const Report& report, const TextOptions& options)
{
    std::string text;
    write_text(report, options, [&text](std::string_view piece) { text += piece; });
    return text;
}

} // namespace lttng_gpu::report
