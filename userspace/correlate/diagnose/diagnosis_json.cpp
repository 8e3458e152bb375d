// SPDX-License-Identifier: MIT
//
// See diagnosis_writer.hpp. Here: JSON. null is unknown.
#include "diagnosis_writer.hpp"

#include "../report/job_words.hpp"
#include "../report/text_format.hpp"

#include <fmt/format.h>

namespace lttng_gpu::diagnose {
namespace {

void append_text(std::string& line, std::string_view name, std::string_view text)
{
    line += fmt::format("\"{}\": ", name);
    if (text.empty()) {
        line += "null";
    } else {
        report::append_json_text(line, text);
    }
}

template <typename Number> std::string number(const Known<Number>& value)
{
    return value ? fmt::format("{}", value->value()) : "null";
}

void append_ring(std::string& line, const Known<RingId>& ring, const model::RingTable& rings)
{
    const model::Ring* known = ring ? &rings.at(*ring) : nullptr;
    append_text(line, "device", known != nullptr ? rings.text(known->device) : "");
    line += ", ";
    append_text(line, "ring", known != nullptr ? rings.text(known->shown) : "");
}

void append_fence(std::string& line, const FenceId& fence, const model::Actor& actor,
                  const model::RingTable& rings)
{
    line += fmt::format(", \"context\": {}, \"seqno\": {}, \"pid\": {}, \"tid\": {}, ",
                        number(fence.context), number(fence.seqno), number(actor.pid),
                        number(actor.tid));
    append_text(line, "comm", rings.text(actor.comm));
}

void append_part(std::string& line, const Part& part, const model::RingTable& rings)
{
    line +=
        fmt::format("{{\"reason\": \"{}\", \"time_ns\": {}, \"begin_ns\": {}, \"end_ns\": {}, "
                    "\"before\": {}, \"in_window\": {}, \"basis\": \"{}\", ",
                    text_of(part.reason).name, part.length.value(), part.begin.value(),
                    part.end.value(), part.is_before, !part.is_outside,
                    part.reason == Reason::Unknown || part.reason == Reason::Unexplained ? "unknown"
                    : part.is_inferred ? "inferred"
                                       : "observed");
    append_text(line, "gap", text_of(part.gap));
    line += ", ";
    if (part.place != PlaceInFrame::None) {
        append_text(line, "place", text_of(part.place));
        line += ", ";
    }
    append_text(line, "text", sentence(part, rings));
    line += ", ";
    append_text(line, "events", text_of(part.reason).events);
    if (part.jobs > 0) {
        line += fmt::format(", \"culprit\": {{\"jobs\": {}, ", part.jobs);
        append_ring(line, part.ring, rings);
        append_fence(line, part.fence, part.actor, rings);
        line += '}';
    }
    if (part.thread) {
        line += fmt::format(", \"thread\": {}, \"by_thread\": {}, ", number(part.thread),
                            number(part.by));
        append_text(line, "by_name", part.by_name.view());
    }
    if (!part.root.empty()) {
        line += ", \"root\": ";
        append_parts_json(line, part.root, rings);
    }
    line += '}';
}

void append_totals(std::string& line, const Totals& totals)
{
    line += fmt::format(
        "\"jobs\": {}, \"time_ns\": {}, \"before_ns\": {}, \"jobs_ended\": {}, "
        "\"latency_ns\": {}, \"mean_latency_ns\": {}, \"jobs_left_out\": {{\"no_queue\": {}, "
        "\"no_submit\": {}, \"no_complete\": {}, \"no_times\": {}}}, \"reasons\": [",
        totals.jobs, totals.time.value(), totals.before.value(), totals.ended,
        totals.latency.value(), totals.mean().value(), totals.left_out.no_queue,
        totals.left_out.no_submit, totals.left_out.no_complete, totals.left_out.no_times);
    bool is_first = true;
    for (const ReasonTotal& total : totals.reasons()) {
        line += is_first ? "" : ", ";
        is_first = false;
        line += fmt::format("{{\"reason\": \"{}\", ", text_of(total.reason).name);
        append_text(line, "gap", text_of(total.gap));
        line +=
            fmt::format(", \"jobs\": {}, \"time_ns\": {}, \"before_ns\": {}, "
                        "\"as_root_ns\": {}, \"worst_ns\": {}, \"mean_latency_without_ns\": {}}}",
                        total.jobs, total.time.value(), total.before.value(), total.as_root.value(),
                        total.worst.value(), totals.mean_without(total).value());
    }
    line += ']';
}

void append_open_wait(std::string& line, const model::OpenWait& wait)
{
    line +=
        fmt::format("\"pid\": {}, \"tid\": {}, ", number(wait.actor.pid), number(wait.actor.tid));
    append_text(line, "comm", wait.comm);
    line += fmt::format(", \"context\": {}, \"seqno\": {}, ", number(wait.fence.context),
                        number(wait.fence.seqno));
    append_text(line, "driver", wait.driver);
    line += ", ";
    append_text(line, "timeline", wait.timeline);
    line += fmt::format(", \"begin_ns\": {}", wait.begin.value());
}

} // namespace

void append_parts_json(std::string& line, const std::vector<Part>& parts,
                       const model::RingTable& rings)
{
    line += '[';
    for (std::size_t at = 0; at < parts.size(); ++at) {
        line += at > 0 ? ", " : "";
        append_part(line, parts[at], rings);
    }
    line += ']';
}

void append_json(std::string& line, const Diagnosis& diagnosis, const model::RingTable& rings)
{
    const model::Job& job = diagnosis.job;
    line += '{';
    append_ring(line, job.ring, rings);
    append_fence(line, job.fence, job.actor, rings);
    line += fmt::format(", \"interval\": {}, \"queued_ns\": {}, \"submitted_ns\": {}, "
                        "\"started_ns\": {}, \"completed_ns\": {}, \"status\": \"{}\", "
                        "\"begin_ns\": {}, \"end_ns\": {}, \"latency_ns\": {}, \"is_open\": {}, "
                        "\"latency_known\": {}, \"clock_error_ns\": {}, \"parts\": ",
                        job.interval, number(job.queued), number(job.submitted),
                        number(job.started), number(job.completed), report::status_text(job),
                        diagnosis.begin.value(), diagnosis.end.value(), diagnosis.latency().value(),
                        diagnosis.is_open, diagnosis.is_known(), number(job.clock_error));
    append_parts_json(line, diagnosis.parts, rings);
    line += '}';
}

void write_json(const Result& result, const model::RingTable& rings, const TextSink& sink)
{
    if (result.has_frames) {
        write_frames_json(result, rings, sink);
        return;
    }
    std::string line;
    sink(fmt::format("{{\"schema\": \"lttng-gpu/diagnosis/1\", \"has_sched_events\": {},\n"
                     "\"window\": {{\"begin_ns\": {}, \"end_ns\": {}}},\n"
                     "\"jobs_not_shown\": {},\n\"jobs\": [",
                     result.has_sched_events, result.window_begin.value(),
                     result.window_end.value(), result.left_out));
    for (std::size_t at = 0; at < result.jobs.size(); ++at) {
        line = at > 0 ? ",\n" : "\n";
        append_json(line, result.jobs[at], rings);
        sink(line);
    }
    sink("],\n\"open_waits\": [");
    for (const model::OpenWait& wait : result.open_waits) {
        line = &wait == result.open_waits.data() ? "\n{" : ",\n{";
        append_open_wait(line, wait);
        line += '}';
        sink(line);
    }
    line = "],\n\"summary\": {";
    append_totals(line, result.summary.total());
    line +=
        fmt::format(", \"ungrouped_jobs\": {},\n\"groups\": [", result.summary.ungrouped_jobs());
    sink(line);
    bool is_first = true;
    for (const auto& [key, group] : result.summary.groups()) {
        line = is_first ? "\n{" : ",\n{";
        is_first = false;
        append_ring(line, key.ring, rings);
        line += fmt::format(", \"pid\": {}, \"tid\": {}, ", number(key.process.pid),
                            number(key.process.tid));
        append_text(line, "comm", rings.text(group.comm));
        line += ", ";
        append_totals(line, group.totals);
        line += '}';
        sink(line);
    }
    sink("]}}\n");
}

} // namespace lttng_gpu::diagnose
