// SPDX-License-Identifier: MIT
//
// See commands.hpp.
#include "commands.hpp"

#include "../correlate/base/printable_text.hpp"
#include "../correlate/report/report_sink.hpp"
#include "../correlate/report/screen.hpp"
#include "../correlate/run/conclusion.hpp"
#include "../correlate/run/noted_losses.hpp"
#include "../correlate/run/reading.hpp"
#include "../correlate/trace/open/recognise.hpp"
#include "../doctor/doctor.hpp"
#include "../export/commands.hpp"
#include "../export/jobs/export_jobs.hpp"
#include "../record/record.hpp"
#include "command_run.hpp"
#include "device_command.hpp"
#include "diagnose_command.hpp"
#include "output_place_of.hpp"
#include "page_commands.hpp"
#include "reading_options.hpp"
#include "report_command.hpp"

#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <new>
#include <ostream>

namespace lttng_gpu::cli {
namespace {

/// Texts that are written line by line, whatever the screen's width is.
void prepare_text(const Options& options, report::Output& output)
{
    if (options.format == report::Format::Text && text_options(options).screen.is_ascii) {
        output.write_ascii();
    }
}

/// Rows are written while the trace is read, so what the whole of it shows must be known before the
/// first: that is what `reading` is for, which is then another one. Nothing when all is well, else
/// the exit code.
std::optional<int> prepare_rows(const Run& run, run::Reading& reading,
                                std::optional<run::CaptureSurvey>& survey)
{
    if (run.is_live || run.options.reads_once) {
        return {};
    }
    report::Window window{run.options.window};
    model::NullSink sink;
    const run::Outcome outcome = reading.pipeline->run(*reading.source, window, sink, nullptr, [&] {
        run.show_progress(*reading.source);
        return run.is_interrupted();
    });
    survey = reading.pipeline->survey(*reading.source, outcome);
    auto second = open_reading(run.options, run.workers, survey ? &*survey : nullptr);
    if (!second) {
        return fail(run.errors, second.error());
    }
    reading = std::move(*second);
    return {};
}

run::Outcome write_rows(const Run& run, const run::Reading& reading, report::Window& window,
                        model::JobSink& sink)
{
    run::Outcome outcome = reading.pipeline->run(*reading.source, window, sink, nullptr, [&] {
        run.show_progress(*reading.source);
        if (run.is_live) {
            run.output.flush();
        }
        return run.output.has_failed() || run.has_seen_enough(*reading.source);
    });
    run.progress.erase();
    outcome.account.losses_of_unknown_size += run::noted_losses(run.options.traces);
    return outcome;
}

int run_jobs(const Run& run, run::Reading reading)
{
    std::optional<run::CaptureSurvey> survey;
    if (const auto code = prepare_rows(run, reading, survey)) {
        return *code;
    }
    report::Window window{run.options.window};
    prepare_text(run.options, run.output);
    const auto sink =
        make_jobs_sink(run.options.format, reading.pipeline->rings(), window, run.output);
    sink->begin();
    const run::Outcome outcome = write_rows(run, reading, window, *sink);
    if (run.is_abandoned()) {
        return run.abandon();
    }
    if (is_unreadable(outcome)) {
        return fail_unreadable(run.errors, outcome);
    }
    sink->end();
    run::print_order_notes(run.errors, reading.pipeline->rings());
    run::print_name_notes(run.errors, sink->names());
    return conclude(run.errors, outcome, run.options, run.output);
}

/// Of frames that were asked for.
int conclude_frames(std::ostream& errors, const run::TraceDiagnosis& made, report::Output& output)
{
    const auto& result = made.result;
    if (const auto written = output.finish(); !written) {
        return fail(errors, written.error());
    }
    bool is_empty = run::print_if_no_frames(errors, made.outcome, result.frame_totals.frames());
    if (!is_empty && result.frames.empty()) {
        run::print_line(errors, "there is no such frame in the trace, or it is not in the window");
        is_empty = true;
    }
    if (run::print_damage(errors, made.outcome)) {
        return exit_damaged_trace;
    }
    return is_empty ? exit_nothing_to_report : exit_fine;
}

int run_diagnose(const Options& options, const report::OutputPlace& place, std::ostream& errors)
{
    auto output = report::Output::open(place);
    if (!output) {
        return fail(errors, output.error());
    }
    Workers workers{options.threads};
    auto made = make_diagnosis(options, read_options(options, workers));
    if (!made) {
        return fail(errors, made.error());
    }
    if (is_unreadable(made->outcome)) {
        return fail_unreadable(errors, made->outcome);
    }
    prepare_text(options, *output);
    write_diagnosis(*made, options.format, text_options(options).screen, *output);
    run::print_order_notes(errors, made->rings());
    if (options.diagnosed_frames.is_any) {
        return conclude_frames(errors, *made, *output);
    }
    const int code = conclude(errors, made->outcome, options, *output);
    if (options.diagnosed.job && made->result.jobs.empty() && code == exit_fine) {
        run::print_line(errors, "there is no such job in the trace, or it is not in the window");
        return exit_nothing_to_report;
    }
    return code;
}

int run_frames(const Run& run, run::Reading reading)
{
    std::optional<run::CaptureSurvey> survey;
    if (const auto code = prepare_rows(run, reading, survey)) {
        return *code;
    }
    report::Window window{run.options.window};
    prepare_text(run.options, run.output);
    const auto sink = make_frames_sink(run.options.format, reading.pipeline->rings(), window,
                                       run.output, run.options.frames);
    sink->begin();
    const run::Outcome outcome = write_rows(run, reading, window, *sink);
    if (run.is_abandoned()) {
        return run.abandon();
    }
    if (is_unreadable(outcome)) {
        return fail_unreadable(run.errors, outcome);
    }
    sink->end();
    if (const auto written = run.output.finish(); !written) {
        return fail(run.errors, written.error());
    }
    const bool is_empty = run::print_if_no_frames(run.errors, outcome, sink->frames());
    if (run::print_damage(run.errors, outcome)) {
        return exit_damaged_trace;
    }
    return is_empty ? exit_nothing_to_report : exit_fine;
}

int run_doctor(const Options& options, const report::OutputPlace& place, std::ostream& errors)
{
    auto output = report::Output::open(place);
    if (!output) {
        return fail(errors, output.error());
    }
    const auto findings = doctor::examine(options.root, doctor::find_environment());
    output->write(options.format == report::Format::Json ? findings_json(findings)
                                                         : findings_text(findings));
    if (const auto written = output->finish(); !written) {
        return fail(errors, written.error());
    }
    return is_ready(findings) ? exit_fine : exit_nothing_to_report;
}

Expected<exporting::Exported>
export_to_viewer(const Options& options, const report::OutputPlace& place, std::ostream& errors)
{
    Workers workers{options.threads};
    return exporting::export_jobs({place, options.traces, *options.job_format, options.window,
                                   read_options(options, workers), options.reads_once,
                                   options.has_reasons},
                                  errors);
}

int run_export(const Options& options, const report::OutputPlace& place, std::ostream& errors)
{
    const auto exported = options.job_format
                              ? export_to_viewer(options, place, errors)
                              : exporting::export_ctf({options.traces, place}, errors);
    if (!exported) {
        return fail(errors, exported.error());
    }
    switch (*exported) {
    case exporting::Exported::Nothing:
        return exit_nothing_to_report;
    case exporting::Exported::Lossy:
        return exit_damaged_trace;
    case exporting::Exported::Whole:
        break;
    }
    return exit_fine;
}

int run_merge(const Options& options, const report::OutputPlace& place, std::ostream& errors)
{
    const auto is_doubtful = exporting::merge({{options.traces, place}, options.align}, errors);
    if (!is_doubtful) {
        return fail(errors, is_doubtful.error());
    }
    return *is_doubtful ? exit_damaged_trace : exit_fine;
}

bool is_any_live(const Options& options)
{
    return std::any_of(options.traces.begin(), options.traces.end(), trace::is_live);
}

int run_options(const Options& options, std::ostream& errors);

/// The exit code of `work`, or `code` when an exception leaves it, which is then told.
template <typename Work> int guarded(std::ostream& errors, int code, const Work& work)
{
    try {
        return work();
    } catch (const std::bad_alloc&) {
        errors << "lttng-gpu: out of memory\n"; // and nothing that takes more
    } catch (const std::exception& error) {
        run::print_line(errors, fmt::format("internal error: {}", error.what()));
    }
    return code;
}

/// Of a file that is not complete when a signal comes, nothing stays; what is being recorded is
/// told as far as it was read.
void take_signals(const report::OutputPlace& place, bool is_live,
                  std::optional<Interruption>& interruption)
{
    if (is_live) {
        interruption.emplace(Interruption::Purpose::StopReading);
    } else if (!place.is_stream()) {
        interruption.emplace(Interruption::Purpose::TidyUp);
    }
}

int run_reading(const Options& options, const report::OutputPlace& place, std::ostream& errors)
{
    const bool is_of_rows = options.command == Command::Jobs || options.command == Command::Frames;
    Progress progress{progress_terminal(is_of_rows && place.is_standard_output())};
    Workers workers{options.threads};
    auto reading = open_reading(options, workers);
    if (!reading) {
        return fail(errors, reading.error());
    }
    run::print_unknown_boots(errors, options.traces, *reading->source);
    std::optional<Interruption> interruption;
    take_signals(place, is_any_live(options), interruption);
    auto output = report::Output::open(place);
    if (!output) {
        return fail(errors, output.error());
    }
    const Run run{options,
                  workers,
                  *output,
                  progress,
                  errors,
                  is_any_live(options),
                  interruption ? &*interruption : nullptr};
    switch (options.command) {
    case Command::Jobs:
        return run_jobs(run, std::move(*reading));
    case Command::Frames:
        return run_frames(run, std::move(*reading));
    default:
        return run_report(run, std::move(*reading));
    }
}

int report_recorded(const Options& options, const std::filesystem::path& trace,
                    std::ostream& errors)
{
    Options read = options;
    read.command = Command::Report;
    read.traces = {trace};
    read.output.clear();
    read.details_follow = !options.record.device.kernels.empty();
    const int code = run_options(read, errors);
    if (options.record.device.kernels.empty() || options.format == report::Format::Csv) {
        return code;
    }
    read.command = Command::Device;
    return std::max(code, run_options(read, errors));
}

/// Of one snapshot among others. Other formats are not for people.
void write_heading(const Options& options, const record::RecordedTrace& trace, bool is_first,
                   std::ostream& output)
{
    if (trace.heading.empty() || options.format != report::Format::Text) {
        return;
    }
    const report::Screen screen = text_options(options).screen;
    const std::string text = report::wrapped(printable_text(trace.heading), screen.width);
    output << (is_first ? "" : "\n")
           << screen.painted(screen.is_ascii ? report::as_ascii(text) : text, report::Ink::Strong)
           << '\n'
           << std::flush;
}

/// A report that fails does not change what became of the command and its recording.
int run_record(const Options& options, std::ostream& output, std::ostream& errors)
{
    const auto report = [&](const std::vector<record::RecordedTrace>& traces) {
        for (const record::RecordedTrace& trace : traces) {
            guarded(errors, exit_internal_error, [&] {
                write_heading(options, trace, &trace == &traces.front(), output);
                return report_recorded(options, trace.place, errors);
            });
        }
    };
    return guarded(errors, record::exit_not_recorded,
                   [&] { return record::record(options.record, report, output, errors); });
}

int run_options(const Options& options, std::ostream& errors)
{
    const auto place = output_place_of(options);
    if (!place) {
        return fail(errors, place.error());
    }
    switch (options.command) {
    case Command::Doctor:
        return run_doctor(options, *place, errors);
    case Command::Export:
        return run_export(options, *place, errors);
    case Command::Merge:
        return run_merge(options, *place, errors);
    case Command::Diagnose:
        return run_diagnose(options, *place, errors);
    case Command::Device: {
        const auto code = run_device(options, *place, errors);
        return code ? *code : fail(errors, code.error());
    }
    default:
        return place->kind() == report::OutputKind::Page ? run_html_report(options, *place, errors)
                                                         : run_reading(options, *place, errors);
    }
}

int run_arguments(int argc, const char* const* argv, std::ostream& help, std::ostream& errors)
{
    const auto parsed = parse_options(argc, argv, help);
    if (!parsed) {
        return fail(errors, parsed.error());
    }
    if (const auto* options = std::get_if<Options>(&*parsed)) {
        if (options->command == Command::Record) {
            if (const auto place = record_report_place(*options); !place) {
                return fail(errors, place.error());
            }
            return run_record(*options, help, errors);
        }
        if (options->command == Command::View) {
            return run_view(*options, help, errors);
        }
        return run_options(*options, errors);
    }
    return exit_fine;
}

} // namespace

int run_command_line(int argc, const char* const* argv, std::ostream& help, std::ostream& errors)
{
    return guarded(errors, exit_internal_error,
                   [&] { return run_arguments(argc, argv, help, errors); });
}

} // namespace lttng_gpu::cli
