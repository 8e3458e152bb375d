// SPDX-License-Identifier: MIT
//
// See text_lost.hpp.
#include "text_lost.hpp"

#include "text_details.hpp"
#include "text_recording.hpp"

#include <fmt/format.h>

namespace lttng_gpu::report {
namespace {

void add_line(std::string& text, std::uint64_t count, std::string_view meaning)
{
    if (count > 0) {
        text += fmt::format("  {:>9}  {}\n", count, meaning);
    }
}

} // namespace

std::string trace_problems(const Report& report)
{
    std::string text;
    add_line(text, report.trace.events_lost, "events lost by the tracer (larger buffers help)");
    add_line(text, report.trace.packets_lost, "packets lost by the tracer (buffers overwritten)");
    add_line(text, report.trace.losses_of_unknown_size, "gaps of unknown size");
    add_line(text, report.jobs.no_queue, "incomplete jobs: no queue event");
    add_line(text, report.jobs.no_submit, "incomplete jobs: no submit event");
    add_line(text, report.jobs.no_complete, "incomplete jobs: no completion event");
    add_line(text, report.jobs.no_times, "incomplete jobs: called, but their times are unknown");
    for (std::size_t index = 0; index < anomaly_texts.size(); ++index) {
        add_line(text, report.trace.anomalies.at(static_cast<Anomaly>(index)),
                 fmt::format("{}: {}", anomaly_texts[index].name, anomaly_texts[index].meaning));
    }
    add_line(text, report.jobs.lost, "of these jobs: the missing event is in a gap of the trace");
    add_line(text, report.intervals_out_of_order,
             "intervals came too late: depths and busy lack a part of them");
    add_line(text, report.dependencies_without_ring, "dependencies of jobs whose ring is unknown");
    return text;
}

std::string ring_problems(const Report& report)
{
    std::string text;
    for (const QueueReport& queue : report.queues) {
        const std::string ring = ring_title(queue);
        text += disorder_lines(report, queue, ring);
        add_line(text, queue.jobs_start_unknown,
                 ring + (queue.is_firmware_scheduled
                             ? ": start times unknown, the device's firmware schedules"
                         : queue.promises_order
                             ? ": start times unknown, not counted in busy and device queue"
                             : ": start times unknown, the driver does not keep jobs in order"));
    }
    return text;
}

std::string loss_text(const TraceAccount& trace)
{
    std::string text;
    const auto add = [&](std::uint64_t count, std::string_view what) {
        if (count > 0) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
        }
    };
    add(trace.events_lost, "events lost");
    add(trace.packets_lost, "packets lost");
    add(trace.losses_of_unknown_size, "gaps of unknown size");
    if (const std::uint64_t silent = trace.anomalies.unannounced_losses(); silent > 0) {
        text += fmt::format("{}events missing without notice ({} signs)", text.empty() ? "" : ", ",
                            silent);
    }
    add(trace.anomalies.at(Anomaly::LineUnread), "unreadable lines");
    if (text.empty()) {
        return trace.announces_losses ? "nothing lost" : "no loss found";
    }
    return text;
}

} // namespace lttng_gpu::report
