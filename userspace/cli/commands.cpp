// SPDX-License-Identifier: MIT
//
// See commands.hpp.
#include "commands.hpp"

#include "../correlate/base/interruption.hpp"
#include "../correlate/base/progress.hpp"
#include "../correlate/report/report_builder.hpp"
#include "../correlate/report/report_sink.hpp"
#include "../correlate/run/conclusion.hpp"
#include "../correlate/run/noted_losses.hpp"
#include "../correlate/run/reading.hpp"
#include "../correlate/run/traced_kernels.hpp"
#include "../correlate/trace/open/recognise.hpp"
#include "../doctor/doctor.hpp"
#include "../export/commands.hpp"
#include "../export/jobs/export_jobs.hpp"
#include "../record/record.hpp"
#include "device_command.hpp"
#include "diagnose_command.hpp"
#include "output_place_of.hpp"
#include "page_commands.hpp"
#include "reading_options.hpp"
#include "report_kernels.hpp"
#include "report_reasons.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <new>
#include <ostream>
#include <unistd.h>

namespace lttng_gpu::cli {
namespace {

int exit_code_of(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::UnreadableTrace:
        return exit_unreadable_trace;
    case ErrorKind::DamagedTrace:
        return exit_damaged_trace;
    case ErrorKind::BadArguments:
    case ErrorKind::Output:
        break;
    }
    return exit_bad_arguments;
}

/// Who read our standard output has seen enough (head, a pager): that is no news to anyone.
bool is_closed_pipe(const Error& error)
{
    return error.kind == ErrorKind::Output && error.message.ends_with(std::strerror(EPIPE));
}

int fail(std::ostream& errors, const Error& error)
{
    if (!is_closed_pipe(error)) {
        run::print_line(errors, error.message);
    }
    return exit_code_of(error.kind);
}

int conclude(std::ostream& errors, const run::Outcome& outcome, report::Output& output)
{
    if (const auto written = output.finish(); !written) {
        return fail(errors, written.error());
    }
    const bool is_empty = run::print_if_empty(errors, outcome);
    if (run::print_damage(errors, outcome)) {
        return exit_damaged_trace;
    }
    return is_empty ? exit_nothing_to_report : exit_fine;
}

/// Not one event came out: that is an unreadable trace, not a damaged one.
bool is_unreadable(const run::Outcome& outcome)
{
    return outcome.stopped && outcome.account.events_read == 0;
}

int fail_unreadable(std::ostream& errors, const run::Outcome& outcome)
{
    run::print_line(errors, outcome.stopped->message);
    return exit_unreadable_trace;
}

bool is_past(const report::WindowRequest& window, const trace::SourceTotals& totals)
{
    if (!window.end || !totals.last) {
        return false;
    }
    const std::int64_t origin = window.end->is_relative ? totals.first->value() : 0;
    return totals.last->value() - origin >= window.end->nanoseconds;
}

struct Run {
    const Options& options;
    Workers& workers;
    report::Output& output;
    Progress& progress;
    std::ostream& errors;
    bool is_live;               // of a session that is being recorded
    Interruption* interruption; // null: signals end the program

    bool is_interrupted() const { return interruption != nullptr && interruption->is_requested(); }
    /// What is being recorded has no other end, and what was read of it is told.
    bool is_abandoned() const { return is_interrupted() && !is_live; }
    /// The file does not get its name.
    int abandon() const { return fail(errors, interrupted().value()); }
    void show_progress(const trace::EventSource& source) const
    {
        progress.update(source.progress(), source.totals().events);
    }
    /// Of a session that is being recorded nothing is told later than it is known; the
    /// reader stops where it is told to, since nothing else will end it.
    bool has_seen_enough(const trace::EventSource& source) const
    {
        return is_interrupted() || (is_live && is_past(options.window, source.totals()));
    }
};

Expected<run::Reading> open_reading(const Options& options, Workers& workers,
                                    const run::CaptureSurvey* survey = nullptr)
{
    return run::open_reading(options.traces, read_options(options, workers), survey);
}

report::TextOptions text_options(const Options& options)
{
    report::TextOptions text = options.text;
    text.screen = options.output.empty() ? report::screen_of(STDOUT_FILENO, options.colour)
                                         : report::screen_of_file(options.colour);
    text.screen.is_ascii |= options.is_ascii;
    return text;
}

/// Texts that are written line by line, whatever the screen's width is.
void prepare_text(const Options& options, report::Output& output)
{
    if (options.format == report::Format::Text && text_options(options).screen.is_ascii) {
        output.write_ascii();
    }
}

/// Names of rings that no ring has.
Expected<void> check_rings(const report::Report& report, const report::TextOptions& text)
{
    if (text.rings.empty() || report.queues.empty() || !chosen_rings(report, text).empty()) {
        return {};
    }
    constexpr std::size_t most_named = 12;
    std::vector<std::string> names;
    for (const std::size_t place : chosen_rings(report, {})) {
        if (names.size() < most_named) {
            names.push_back("`" + report.queues[place].ring + "`");
        }
    }
    const bool has_more = names.size() < report.queues.size();
    return Failure{{ErrorKind::BadArguments,
                    fmt::format("--ring: no ring is called `{}` (rings: {}{})", text.rings.front(),
                                fmt::join(names, ", "), has_more ? ", ..." : "")}};
}

/// What is told of kernels that were recorded inside; a report of chosen rings has no place for it.
void add_kernels(const Run& run, report::Report& report)
{
    const bool has_place = run.options.format == report::Format::Json ||
                           (run.options.format == report::Format::Text &&
                            run.options.text.rings.empty() && !run.options.details_follow);
    if (!has_place || run.is_live) {
        return;
    }
    const auto read =
        read_inside_of_kernels(run.options, run.workers, [&](const trace::EventSource& source) {
            run.show_progress(source);
            return run.is_interrupted();
        });
    run.progress.erase();
    if (read) {
        report.traced_kernels = run::traced_kernels(read->trace);
    }
}

/// Nothing when a second reading is called for, which `survey` then tells what it needs.
std::optional<int> report_on(const Run& run, const run::Reading& reading,
                             std::optional<run::CaptureSurvey>& survey)
{
    const bool is_second = survey.has_value();
    report::Window window{run.options.window};
    if (is_second) {
        window.set_recorded(survey->recorded.span);
    }
    report::ReportBuilder builder{reading.pipeline->rings(), window};
    builder.keep_longest(std::max(run.options.text.top.value_or(0), report::default_longest));
    run::Outcome outcome =
        reading.pipeline->run(*reading.source, window, builder, &run.workers, [&] {
            run.show_progress(*reading.source);
            return run.has_seen_enough(*reading.source);
        });
    run.progress.erase();
    outcome.account.losses_of_unknown_size += run::noted_losses(run.options.traces);
    if (run.is_abandoned()) {
        return run.abandon();
    }
    if (is_unreadable(outcome)) {
        return fail_unreadable(run.errors, outcome);
    }
    if (!run.is_live && !run.options.reads_once && !is_second) {
        survey = reading.pipeline->survey(*reading.source, outcome);
        if (survey) {
            return {};
        }
    }
    report::Report report = builder.finish(outcome.account, &run.workers);
    report.recording = run::recording_note(outcome, survey ? &*survey : nullptr);
    const report::TextOptions text = text_options(run.options);
    if (const auto checked = check_rings(report, text); !checked) {
        return fail(run.errors, checked.error());
    }
    add_kernels(run, report);
    if (!run.is_live) {
        add_reasons(report, outcome, run.options, run.workers,
                    [&] { return run.is_interrupted(); });
    }
    if (run.is_abandoned()) {
        return run.abandon();
    }
    run::write_report(report, outcome, run.options.format, text, run.output);
    return conclude(run.errors, outcome, run.output);
}

/// A capture that lacks more than its tracer says is read again, with what the first reading
/// has shown; only then everything before it can be told right.
int run_report(const Run& run, run::Reading reading)
{
    std::optional<run::CaptureSurvey> survey;
    if (const auto code = report_on(run, reading, survey)) {
        return *code;
    }
    reading = {}; // with what it knows of each ring
    auto second = open_reading(run.options, run.workers, &*survey);
    if (!second) {
        return fail(run.errors, second.error());
    }
    return report_on(run, *second, survey).value_or(exit_internal_error);
}

/// Rows are written while the trace is read, so what the whole of it shows must be known before.
Expected<std::optional<run::CaptureSurvey>> survey_first(const Run& run)
{
    auto reading = open_reading(run.options, run.workers);
    if (!reading) {
        return Failure{reading.error()};
    }
    report::Window window{run.options.window};
    model::NullSink sink;
    const run::Outcome outcome =
        reading->pipeline->run(*reading->source, window, sink, nullptr, [&] {
            run.show_progress(*reading->source);
            return run.is_interrupted();
        });
    return reading->pipeline->survey(*reading->source, outcome);
}

/// What the whole of the trace shows must be known before the first row: `reading` is then
/// another one, with that. Nothing when all is well, else the exit code.
std::optional<int> prepare_rows(const Run& run, run::Reading& reading,
                                std::optional<run::CaptureSurvey>& survey)
{
    if (run.is_live || run.options.reads_once) {
        return {};
    }
    auto found = survey_first(run);
    if (!found) {
        return fail(run.errors, found.error());
    }
    survey = std::move(*found);
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
    return conclude(run.errors, outcome, run.output);
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
    const int code = conclude(errors, made->outcome, *output);
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
    const auto findings = doctor::examine(options.root, doctor::find_surroundings());
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
                                   read_options(options, workers), options.reads_once},
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

/// A report that fails does not change what became of the command and its recording.
int run_record(const Options& options, std::ostream& output, std::ostream& errors)
{
    const auto report = [&](const std::filesystem::path& trace) {
        guarded(errors, exit_internal_error, [&] {
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
        });
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
