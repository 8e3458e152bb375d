// SPDX-License-Identifier: MIT
//
// See diagnosis_writer.hpp. Here: frames as text, JSON and CSV. Rows of level 0 of one frame add
// up to its latency.
#include "diagnosis_writer.hpp"

#include "../base/printable_text.hpp"
#include "../report/frame_row.hpp"
#include "../report/text_format.hpp"

#include <fmt/format.h>

namespace lttng_gpu::diagnose {
namespace {

constexpr std::size_t most_jobs_shown = 3;
constexpr std::size_t most_reasons_shown = 12;

template <typename Number> std::string number(const Known<Number>& value, const char* unknown)
{
    return value ? fmt::format("{}", value->value()) : unknown;
}

std::string_view lateness_text(const model::Frame& frame)
{
    return frame.lateness == model::Lateness::Unknown ? ""
           : frame.lateness == model::Lateness::Late  ? "yes"
                                                      : "no";
}

std::string reason_text(Reason reason, Gap gap, PlaceInFrame place)
{
    const std::string text = std::string{text_of(reason).brief}.append(place_words(place));
    return gap == Gap::None ? text : fmt::format("{}: {}", text, text_of(gap));
}

void write_jobs(const FrameDiagnosis& diagnosis, const TextPlace& place)
{
    const model::RingTable& rings = place.rings;
    const TextSink& sink = place.sink;
    for (std::size_t at = 0; at < std::min(diagnosis.jobs.size(), most_jobs_shown); ++at) {
        const Diagnosis& job = diagnosis.jobs[at];
        const double queued = static_cast<double>((job.begin - diagnosis.begin).value()) / 1e6;
        sink(fmt::format(
            "  job {}:{} on {}, queued {:.3f} ms after the frame's begin, latency {}{}\n",
            number(job.job.fence.context, "?"), number(job.job.fence.seqno, "?"),
            place_text(job.job.ring, rings), queued, report::human_duration(job.latency()),
            job.is_open ? " and not completed when the trace ended" : ""));
        std::vector<Part> parts;
        for (const Part& part : job.parts) {
            if (!part.is_before) { // what its thread did before is told above
                parts.push_back(part);
            }
        }
        write_parts(parts, job.latency(), 1, place);
    }
    const std::size_t more = diagnosis.jobs.size() + diagnosis.jobs_left_out -
                             std::min(diagnosis.jobs.size(), most_jobs_shown);
    if (more > 0) {
        sink(fmt::format("  {} more jobs of it, of lower latency, are in --format json\n", more));
    }
}

void write_frame(const FrameDiagnosis& diagnosis, Timestamp window_begin, const TextPlace& place)
{
    const TextSink& sink = place.sink;
    const model::Frame& frame = diagnosis.frame;
    const report::FrameRow row{frame, place.rings};
    const std::string title =
        fmt::format("frame {} of {} {}, surface {:#x}: begun at {:.9f} s", frame.number,
                    printable_text(row.comm().empty() ? "?" : std::string{row.comm()}),
                    number(frame.actor.pid, "?"), frame.surface,
                    static_cast<double>((diagnosis.begin - window_begin).value()) / 1e9);
    sink("\n" + place.screen.painted(title, report::Ink::Strong) + "\n");
    std::string late;
    if (frame.lateness == model::Lateness::Late) {
        late = frame.late_by == model::FramePart::Unknown
                   ? ": late"
                   : fmt::format(": late, \"{}\" took longer",
                                 report::frame_part_title(frame.late_by));
    }
    sink(fmt::format("  interval {}, usually {}{}\n", report::human_duration(*frame.interval()),
                     frame.cadence ? report::human_duration(*frame.cadence) : "unknown", late));
    sink(fmt::format("  {} {}; {} until {}{}\n", frame.jobs, frame.jobs == 1 ? "job" : "jobs",
                     report::human_duration(diagnosis.latency()),
                     diagnosis.end > frame.end
                         ? (frame.jobs == 1 ? "it ended" : "the last of them ended")
                         : "the call that ends it returned",
                     diagnosis.is_open ? ", and one had not completed when the trace ended" : ""));
    write_parts(diagnosis.parts, diagnosis.latency(), 0, place);
    write_jobs(diagnosis, place);
}

void write_totals(const FrameTotals& totals, const TextSink& sink)
{
    sink(fmt::format("\nAll {} frames, {} late: mean time by reason, with what was waited for "
                     "followed to its root.\n\n{:<78} {:>9} {:>9}\n",
                     totals.frames(), totals.late(), "reason", "late", "others"));
    std::size_t shown = 0;
    for (const FrameTotals::Total& total : totals.reasons()) {
        if (shown++ == most_reasons_shown) {
            sink("more reasons are in --format json\n");
            break;
        }
        sink(fmt::format("{:<78} {:>9} {:>9}\n",
                         report::shortened(reason_text(total.reason, total.gap, total.place), 78),
                         totals.late() == 0 ? "" : report::human_duration(totals.mean_late(total)),
                         totals.late() == totals.frames()
                             ? ""
                             : report::human_duration(totals.mean_other(total))));
    }
}

void append_frame(std::string& line, const FrameDiagnosis& diagnosis, const model::RingTable& rings)
{
    const model::Frame& frame = diagnosis.frame;
    const report::FrameRow row{frame, rings};
    const auto text = [&](std::string_view name, std::string_view value) {
        line += fmt::format("\"{}\": ", name);
        if (value.empty()) {
            line += "null";
        } else {
            report::append_json_text(line, value);
        }
        line += ", ";
    };
    line += '{';
    text("api", row.api());
    text("comm", row.comm());
    text("function", row.function());
    text("late", lateness_text(frame));
    text("late_by", report::late_by_text(frame));
    line += fmt::format(
        "\"pid\": {}, \"tid\": {}, \"surface\": {}, \"frame\": {}, \"begin_ns\": {}, "
        "\"call_begin_ns\": {}, \"call_end_ns\": {}, \"completed_ns\": {}, \"end_ns\": {}, "
        "\"interval_ns\": {}, \"cadence_ns\": {}, \"latency_ns\": {}, \"is_open\": {}, "
        "\"parts\": ",
        number(frame.actor.pid, "null"), number(frame.actor.tid, "null"), frame.surface,
        frame.number, diagnosis.begin.value(), frame.call_begin.value(), frame.end.value(),
        number(frame.completed, "null"), diagnosis.end.value(), frame.interval()->value(),
        number(frame.cadence, "null"), diagnosis.latency().value(), diagnosis.is_open);
    append_parts_json(line, diagnosis.parts, rings);
    line += fmt::format(", \"made\": {}, \"jobs_not_shown\": {}, \"jobs\": [", frame.jobs,
                        diagnosis.jobs_left_out);
    for (std::size_t at = 0; at < diagnosis.jobs.size(); ++at) {
        line += at > 0 ? ",\n  " : "\n  ";
        append_json(line, diagnosis.jobs[at], rings);
    }
    line += "]}";
}

void write_part(const FrameDiagnosis& diagnosis, const Part& part, unsigned level,
                PlaceInFrame place, const model::RingTable& rings, const TextSink& sink)
{
    const model::Frame& frame = diagnosis.frame;
    const report::FrameRow row{frame, rings};
    sink(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", row.api(),
                     number(frame.actor.pid, ""), number(frame.actor.tid, ""),
                     report::csv_cell(row.comm()), frame.surface, frame.number,
                     diagnosis.begin.value(), diagnosis.end.value(), diagnosis.latency().value(),
                     lateness_text(frame), level, text_of(place), part_csv_cells(part, rings)));
    for (const Part& root : part.root) {
        write_part(diagnosis, root, level + 1, place, rings, sink);
    }
}

} // namespace

void write_frames_text(const Result& result, const TextPlace& place)
{
    const TextSink& sink = place.sink;
    if (result.frame_totals.frames() == 0) {
        return;
    }
    sink(no_sched_text(result));
    if (result.frames_left_out > 0) {
        sink(fmt::format("{} more frames are not shown.\n", result.frames_left_out));
    }
    for (const FrameDiagnosis& diagnosis : result.frames) {
        write_frame(diagnosis, result.window_begin, place);
    }
    write_totals(result.frame_totals, sink);
}

void write_frames_json(const Result& result, const model::RingTable& rings, const TextSink& sink)
{
    const FrameTotals& totals = result.frame_totals;
    sink(fmt::format("{{\"schema\": \"lttng-gpu/diagnosis/1\", \"has_sched_events\": {},\n"
                     "\"frames_not_shown\": {},\n\"frames\": [",
                     result.has_sched_events, result.frames_left_out));
    std::string line;
    for (std::size_t at = 0; at < result.frames.size(); ++at) {
        line = at > 0 ? ",\n" : "\n";
        append_frame(line, result.frames[at], rings);
        sink(line);
    }
    sink(fmt::format("],\n\"summary\": {{\"frames\": {}, \"late\": {}, \"reasons\": [",
                     totals.frames(), totals.late()));
    bool is_first = true;
    for (const FrameTotals::Total& total : totals.reasons()) {
        const auto text = [](std::string_view value) {
            return value.empty() ? std::string{"null"} : fmt::format("\"{}\"", value);
        };
        sink(fmt::format("{}\n{{\"reason\": \"{}\", \"gap\": {}, \"place\": {}, \"time_ns\": {}, "
                         "\"late_ns\": {}, \"mean_late_ns\": {}, \"mean_other_ns\": {}}}",
                         is_first ? "" : ",", text_of(total.reason).name, text(text_of(total.gap)),
                         text(text_of(total.place)), total.all.value(), total.late.value(),
                         totals.mean_late(total).value(), totals.mean_other(total).value()));
        is_first = false;
    }
    sink("]}}\n");
}

void write_frames_csv(const Result& result, const model::RingTable& rings, const TextSink& sink)
{
    sink("api,pid,tid,comm,surface,frame,frame_begin_ns,frame_end_ns,latency_ns,late,level,place,"
         "reason,gap,basis,begin_ns,end_ns,time_ns,jobs,culprit_device,culprit_ring,"
         "culprit_context,culprit_seqno,culprit_pid,culprit_tid,culprit_comm,thread,by_thread,"
         "by_name,events\n");
    for (const FrameDiagnosis& diagnosis : result.frames) {
        for (const Part& part : diagnosis.parts) {
            write_part(diagnosis, part, 0, part.place, rings, sink);
        }
    }
}

} // namespace lttng_gpu::diagnose
