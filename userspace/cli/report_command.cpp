// SPDX-License-Identifier: MIT
//
// See report_command.hpp.
#include "report_command.hpp"

#include "../correlate/base/printable_text.hpp"
#include "../correlate/diagnose/worst_job.hpp"
#include "../correlate/report/report_builder.hpp"
#include "../correlate/report/report_sink.hpp"
#include "../correlate/run/conclusion.hpp"
#include "../correlate/run/diagnosis.hpp"
#include "../correlate/run/job_tee.hpp"
#include "../correlate/run/noted_losses.hpp"
#include "../correlate/run/reasons.hpp"
#include "../correlate/run/traced_kernels.hpp"
#include "../correlate/trace/open/recognise.hpp"
#include "reading_options.hpp"
#include "report_kernels.hpp"

#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lttng_gpu::cli {
namespace {

bool tells_reasons(const Options& options)
{
    const bool is_screen = options.format == report::Format::Text && options.text.rings.empty();
    const bool is_json = options.format == report::Format::Json;
    const bool has_place = is_screen || (is_json && options.has_reasons);
    return has_place && !options.reads_once && options.has_reasons.value_or(true);
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

/// One reading for a report, and what it made of the jobs. `survey`: null in the first.
class ReportReading {
public:
    ReportReading(const Run& run, run::Reading reading, const run::CaptureSurvey* survey)
        : m_run{run}, m_survey{survey}, m_reading{std::move(reading)}, m_window{run.options.window},
          m_builder{m_reading.pipeline->rings(), m_window}
    {
        if (survey != nullptr) {
            m_window.set_recorded(survey->recorded.span);
        }
        m_builder.keep_longest(std::max(run.options.text.top.value_or(0), report::default_longest));
    }

    run::Pipeline& pipeline() { return *m_reading.pipeline; }
    const report::Window& window() const { return m_window; }
    const run::Outcome& outcome() const { return m_outcome; }
    std::optional<run::CaptureSurvey> survey()
    {
        return pipeline().survey(*m_reading.source, m_outcome);
    }

    /// Another sink gets the jobs, too. Nothing, or the exit code of a trace that cannot be read.
    std::optional<int> read(model::JobSink& beside, Workers* workers)
    {
        run::JobTee sinks{m_builder, beside};
        m_outcome = pipeline().run(*m_reading.source, m_window, sinks, workers, [&] {
            m_run.show_progress(*m_reading.source);
            return m_run.has_seen_enough(*m_reading.source);
        });
        m_run.progress.erase();
        m_outcome.account.losses_of_unknown_size += run::noted_losses(m_run.options.traces);
        if (m_run.is_abandoned()) {
            return m_run.abandon();
        }
        if (is_unreadable(m_outcome)) {
            return fail_unreadable(m_run.errors, m_outcome);
        }
        return {};
    }

    report::Report make()
    {
        report::Report report = m_builder.finish(m_outcome.account, &m_run.workers);
        report.recording = run::recording_note(m_outcome, m_survey);
        return report;
    }

private:
    const Run& m_run;
    const run::CaptureSurvey* m_survey;
    run::Reading m_reading;
    report::Window m_window;
    report::ReportBuilder m_builder;
    run::Outcome m_outcome;
};

int write_report(const Run& run, report::Report report, const run::Outcome& outcome)
{
    const report::TextOptions text = text_options(run.options);
    if (const auto checked = check_rings(report, text); !checked) {
        return fail(run.errors, checked.error());
    }
    add_kernels(run, report);
    if (run.is_abandoned()) {
        return run.abandon();
    }
    run::write_report(report, outcome, run.options.format, text, run.options.traces, run.output);
    return conclude(run.errors, outcome, run.options, run.output);
}

/// As a shell takes it for one word.
std::string shell_word(const std::string& word)
{
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789_-+=./:,@%";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
        return word;
    }
    std::string text{"'"};
    for (const char letter : word) {
        text += letter == '\'' ? std::string{"'\\''"} : std::string{letter};
    }
    return text + "'";
}

void add_reasons(report::Report& report, const Run& run, const diagnose::Result& result,
                 const model::RingTable& rings)
{
    report.reasons =
        run::reason_costs(result.summary, rings, trace::recorder_of(run.options.traces));
    report.worst = diagnose::worst_job(result.jobs, rings);
    if (!report.worst) {
        return;
    }
    std::string& command = report.worst->command;
    command = "lttng-gpu diagnose";
    if (!report.worst->name.empty()) {
        command += " --job " + shell_word(report.worst->name);
    }
    for (const std::filesystem::path& trace : run.options.traces) {
        command += " " + shell_word(trace.string());
    }
    command = printable_text(command);
}

/// Nothing that goes wrong fails the report: the reasons are then not there, and `diagnose` says
/// what it is.
void read_reasons(const Run& run, const run::DiagnosisRequest& request,
                  const run::WholeTrace& whole, report::Report& report)
{
    struct Stopped final : std::exception {};
    try {
        const auto made =
            run::diagnose_again(run.options.traces, read_options(run.options, run.workers), request,
                                &whole, [&](const trace::EventSource& source) {
                                    run.show_progress(source);
                                    if (run.is_interrupted()) {
                                        throw Stopped{};
                                    }
                                });
        run.progress.erase();
        if (made) {
            add_reasons(report, run, made->result, made->rings());
        }
    } catch (const std::exception&) {
        run.progress.erase();
    }
}

/// With what the first reading has shown; only then everything before it can be told right. The
/// reasons come from the same reading.
int report_again(const Run& run, const run::DiagnosisRequest& request, const run::WholeTrace& whole,
                 bool has_reasons)
{
    auto reading = open_reading(run.options, run.workers, &*whole.survey);
    if (!reading) {
        return fail(run.errors, reading.error());
    }
    ReportReading second{run, std::move(*reading), &*whole.survey};
    std::optional<run::DiagnosisStage> stage;
    model::NullSink nothing;
    if (has_reasons) {
        stage.emplace(request, second.pipeline(), second.window(), &whole.depths);
    }
    // A diagnosis looks at what the reading changes, so that both are of one thread.
    if (const auto code =
            stage ? second.read(stage->sink(), nullptr) : second.read(nothing, &run.workers)) {
        return *code;
    }
    report::Report report = second.make();
    if (stage) {
        const diagnose::Result result = stage->finish(second.outcome());
        add_reasons(report, run, result, second.pipeline().rings());
    }
    return write_report(run, std::move(report), second.outcome());
}

} // namespace

int run_report(const Run& run, run::Reading reading)
{
    run::WholeTrace whole;
    run::DiagnosisRequest request;
    request.wanted.worst = 1;
    request.window = run.options.window;
    const bool has_reasons = !run.is_live && tells_reasons(run.options);
    std::optional<ReportReading> first;
    first.emplace(run, std::move(reading), nullptr);
    std::optional<run::FirstDiagnosis> diagnosis;
    model::NullSink nothing;
    if (has_reasons) {
        diagnosis.emplace(request, first->pipeline(), first->window(), whole);
    }
    // A diagnosis looks at what the reading changes, so that both are of one thread.
    if (const auto code =
            diagnosis ? first->read(*diagnosis, nullptr) : first->read(nothing, &run.workers)) {
        return *code;
    }
    std::optional<diagnose::Result> result;
    if (diagnosis) {
        result = diagnosis->finish(first->outcome());
    }
    const bool has_any = has_reasons && first->outcome().jobs > 0;
    if (!run.is_live && !run.options.reads_once) {
        whole.survey = first->survey();
    }
    if (whole.survey) {
        diagnosis.reset();
        first.reset(); // with what it knows of each ring
        return report_again(run, request, whole, has_any);
    }
    report::Report report = first->make();
    report.has_reasons_elsewhere = has_any;
    if (has_any && result) {
        add_reasons(report, run, *result, first->pipeline().rings());
    } else if (has_any) {
        read_reasons(run, request, whole, report);
    }
    return write_report(run, std::move(report), first->outcome());
}

} // namespace lttng_gpu::cli
