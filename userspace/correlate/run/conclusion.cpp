// SPDX-License-Identifier: MIT
//
// See conclusion.hpp.
#include "conclusion.hpp"

#include "../base/gpu_drivers.hpp"
#include "../base/printable_text.hpp"
#include "../coverage/recording_advice.hpp"
#include "../report/report_sink.hpp"
#include "../report/text_format.hpp"
#include "../report/text_frames.hpp"
#include "../report/text_relations.hpp"
#include "../trace/open/recognise.hpp"
#include "nothing_submitted.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ostream>
#include <unistd.h>

namespace lttng_gpu::run {
namespace {

std::string no_jobs_text(trace::Recorder recorder)
{
    std::vector<std::string_view> systems;
    systems.reserve(std::size(gpu_drivers));
    for (const GpuDriver& driver : gpu_drivers) {
        systems.push_back(driver.system);
    }
    return fmt::format("no GPU jobs in the trace: looked for the events of {}; {}",
                       fmt::join(systems, ", "), model::job_advice(recorder, geteuid() == 0));
}

} // namespace

void print_line(std::ostream& errors, std::string_view message)
{
    errors << "lttng-gpu: " << printable_text(message) << '\n';
}

report::RecordingNote recording_note(const Outcome& outcome, const CaptureSurvey* survey)
{
    report::RecordingNote note;
    note.begin = outcome.first.value_or(Timestamp{});
    note.end = outcome.last.value_or(note.begin);
    if (survey != nullptr) {
        note.gaps = survey->recorded.gaps;
        note.has_unexplained_clocks = !survey->unexplained_clocks.empty();
        for (const model::CpuOffset& clock : survey->clock_errors) {
            note.clocks.push_back({clock.cpu, clock.offset, clock.error});
        }
    }
    return note;
}

void print_unknown_boots(std::ostream& errors, const std::vector<std::filesystem::path>& inputs,
                         const trace::EventSource& source)
{
    std::vector<std::string> unknown;
    for (const std::filesystem::path& input : inputs) {
        std::error_code error;
        if (std::filesystem::is_regular_file(input, error)) { // ftrace's, perf's or Perfetto's
            unknown.push_back(input.string());
        }
    }
    for (const auto& [trace, facts] : source.trace_facts()) {
        if (facts.machine.boot_id.empty() && !facts.path.empty()) {
            unknown.push_back(facts.path);
        }
    }
    if (inputs.size() > 1 && !unknown.empty()) {
        print_line(errors,
                   fmt::format("note: {}: nothing tells of which boot; times of all inputs are "
                               "taken to be of one",
                               fmt::join(unknown, ", ")));
    }
}

void write_report(const report::Report& report, const Outcome& outcome, report::Format format,
                  const report::TextOptions& text, const std::vector<std::filesystem::path>& inputs,
                  report::Output& output)
{
    const auto sink = [&output](std::string_view piece) { output.write(piece); };
    switch (format) {
    case report::Format::Json:
        write_json(report, sink);
        break;
    case report::Format::Csv:
        write_csv(report, sink);
        break;
    case report::Format::Text:
        if (outcome.jobs > 0 && outcome.has_window) {
            write_text(report, text, sink);
        } else if (outcome.jobs == 0 && outcome.has_window) {
            // Frames are known without any job.
            const std::string frames = frame_lines(report, text.screen.width);
            sink(text.screen.is_ascii ? report::as_ascii(frames) : frames);
            sink(report::open_wait_lines(report));
            sink(nothing_submitted_text(outcome, report, trace::recorder_of(inputs), text.screen));
        }
        break;
    }
}

bool print_damage(std::ostream& errors, const Outcome& outcome)
{
    const report::TraceAccount& account = outcome.account;
    if (outcome.stopped) {
        print_line(errors, "the trace is damaged; the result covers only what could be read: " +
                               outcome.stopped->message);
    }
    // Damage is one line, although what cannot be read is a gap, too: the line about
    // gaps is for what the tracer says that it dropped, and for gaps of no other cause.
    const bool tells_losses = account.events_lost > 0 || account.packets_lost > 0;
    if (tells_losses || (account.has_losses() && !outcome.stopped)) {
        print_line(errors, "the trace has gaps (" + report::loss_text(account) +
                               "); jobs and times near them are missing");
    }
    return outcome.stopped || account.has_losses();
}

bool print_if_outside(std::ostream& errors, const Outcome& outcome)
{
    // First, because packets outside of the window may not have been read at all.
    if (!outcome.has_window && outcome.first) {
        const std::string end =
            outcome.last ? fmt::format("to {} ns", outcome.last->value()) : "ns and later";
        print_line(errors, fmt::format("nothing to report: no part of the window is inside the "
                                       "trace ({} {})",
                                       outcome.first->value(), end));
        return true;
    }
    return false;
}

bool print_if_no_frames(std::ostream& errors, const Outcome& outcome, std::uint64_t frames)
{
    if (print_if_outside(errors, outcome)) {
        return true;
    }
    if (frames == 0) {
        print_line(errors, "no frames in the trace: the layers of APIs that show something on a "
                           "surface record them; `lttng-gpu record` loads these layers");
    }
    return frames == 0;
}

bool print_if_empty(std::ostream& errors, const Outcome& outcome,
                    const std::vector<std::filesystem::path>& inputs)
{
    if (print_if_outside(errors, outcome)) {
        return true;
    }
    if (outcome.jobs == 0) {
        print_line(errors, no_jobs_text(trace::recorder_of(inputs)));
        return true;
    }
    return false;
}

void print_order_notes(std::ostream& errors, const model::RingTable& rings)
{
    for (const model::Ring& ring : rings.all()) {
        if (ring.fifo_violations > 0 && !ring.is_order_known) {
            print_line(errors,
                       fmt::format("note: {} {} is not FIFO ({} jobs completed before an earlier "
                                   "one): do not trust starts inferred before the first of these",
                                   rings.text(ring.device), rings.text(ring.shown),
                                   ring.fifo_violations));
        }
    }
}

void print_name_notes(std::ostream& errors, const model::RingNames& names)
{
    const model::RingTable& rings = names.rings();
    for (std::uint32_t index = 0; index < rings.all().size(); ++index) {
        const model::Ring& ring = rings.at(RingId{index});
        if (names.is_late(RingId{index})) {
            print_line(errors, fmt::format("note: {} {} is called {}; this name became known only "
                                           "after its first row",
                                           rings.text(ring.device), rings.text(ring.name),
                                           rings.text(ring.shown)));
        }
    }
}

} // namespace lttng_gpu::run
