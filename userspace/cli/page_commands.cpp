// SPDX-License-Identifier: MIT
//
// See page_commands.hpp.
#include "page_commands.hpp"

#include "../correlate/base/progress.hpp"
#include "../correlate/report/report_builder.hpp"
#include "../correlate/run/conclusion.hpp"
#include "../correlate/run/diagnosis.hpp"
#include "../correlate/run/noted_losses.hpp"
#include "../correlate/run/reading.hpp"
#include "../view/call_collector.hpp"
#include "../view/html_page.hpp"
#include "../view/page_server.hpp"
#include "../view/thread_spans.hpp"
#include "commands.hpp"
#include "reading_options.hpp"
#include "report_reasons.hpp"

#include <algorithm>
#include <exception>

namespace lttng_gpu::cli {
namespace {

/// What one reading gave. No page: there is nothing to show, or nothing could be read.
struct ReadPage {
    run::Outcome outcome;
    std::optional<view::PageData> page;
    std::optional<run::CaptureSurvey> survey; // another reading is called for
};

/// Sinks are called on the workers' threads; they are done when a reading is over.
class PageReader {
public:
    explicit PageReader(const Options& options)
        : x_options{options}, x_workers{options.threads}, x_progress{progress_terminal(false)}
    {
    }

    /// As for the report, a capture that lacks more than its tracer says is read twice.
    Expected<ReadPage> read()
    {
        auto first = read_once(nullptr);
        if (!first || !first->survey) {
            return first;
        }
        const run::CaptureSurvey survey = std::move(*first->survey);
        return read_once(&survey);
    }

private:
    Expected<ReadPage> read_once(const run::CaptureSurvey* survey)
    {
        auto reading =
            run::open_reading(x_options.traces, read_options(x_options, x_workers), survey);
        if (!reading) {
            return Failure{reading.error()};
        }
        report::Window window{x_options.window};
        if (survey != nullptr) {
            window.set_recorded(survey->recorded.span);
        }
        report::ReportBuilder builder{reading->pipeline->rings(), window};
        const bool is_part = x_options.window.begin || x_options.window.end;
        view::PageSink sink{builder, window, is_part};
        view::CallCollector calls;
        reading->pipeline->set_call_sink(calls);
        ReadPage result;
        result.outcome = reading->pipeline->run(*reading->source, window, sink, &x_workers, [&] {
            x_progress.update(reading->source->progress(), reading->source->totals().events);
            return false;
        });
        x_progress.erase();
        run::Outcome& outcome = result.outcome;
        outcome.account.losses_of_unknown_size += run::noted_losses(x_options.traces);
        if (outcome.stopped && outcome.account.events_read == 0) {
            return Failure{*outcome.stopped};
        }
        if (survey == nullptr && !x_options.reads_once) {
            result.survey = reading->pipeline->survey(*reading->source, outcome);
            if (result.survey) {
                return result;
            }
        }
        if ((outcome.jobs == 0 && sink.frames().is_empty()) || !outcome.has_window) {
            return result;
        }
        calls.give(sink.tables(), sink.calls());
        view::ThreadSpans threads{sink.tables(), [&](StringId id) {
                                      return std::string{reading->pipeline->rings().text(id)};
                                  }};
        read_threads(threads, survey);
        sink.states() = std::move(threads.spans());
        sink.finish(outcome.last.value_or(window.end()));
        report::Report report = builder.finish(outcome.account, &x_workers);
        report.recording = run::recording_note(outcome, survey);
        std::optional<view::JobDiagnoses> diagnoses;
        if (wants_diagnoses(outcome)) {
            diagnoses = diagnose({sink, reading->pipeline->rings()});
        }
        result.page =
            make_page_data(sink, {x_options.traces, reading->pipeline->rings(), report, outcome,
                                  threads.others(), diagnoses ? &*diagnoses : nullptr});
        return result;
    }

    /// As for the report: more readings are made where they are quick, or where they are asked for.
    bool wants_diagnoses(const run::Outcome& outcome) const
    {
        return !x_options.reads_once &&
               x_options.has_reasons.value_or(outcome.jobs <= most_jobs_diagnosed);
    }

    /// Nothing that goes wrong fails the page: it then has no diagnoses.
    std::optional<view::JobDiagnoses> diagnose(view::JobDiagnoses diagnoses)
    {
        run::DiagnosisRequest request;
        request.wanted.worst = 0;
        request.window = x_options.window;
        request.on_each = [&diagnoses](const auto& diagnosis, const auto& rings) {
            diagnoses.add(diagnosis, rings);
        };
        try {
            const auto made = run::diagnose_traces(
                x_options.traces, read_options(x_options, x_workers), request,
                [this](const trace::EventSource& source) {
                    x_progress.update(source.progress(), source.totals().events);
                });
            x_progress.erase();
            if (made) {
                return diagnoses;
            }
        } catch (const std::exception&) {
            x_progress.erase(); // `diagnose` says what it is
        }
        return {};
    }

    /// What cannot be read a second time leaves the states of threads unknown.
    void read_threads(view::ThreadSpans& threads, const run::CaptureSurvey* survey)
    {
        trace::ReadOptions options = read_options(x_options, x_workers);
        trace::EnumerationTable enumerations;
        options.enumerations = &enumerations;
        auto source = trace::open_traces(x_options.traces, view::ThreadSpans::wanted(), options);
        // What is known before reading need not be read.
        if (!source || ((*source)->as_ctf_source() && !(*source)->has_event("sched_switch"))) {
            return;
        }
        auto amended = survey != nullptr ? trace::amend(std::move(*source), survey->amendments)
                                         : std::move(*source);
        while (amended->read_some(threads).value_or(false)) {
        }
        threads.finish();
    }

    const Options& x_options;
    Workers x_workers;
    Progress x_progress;
};

int fail(std::ostream& errors, const Error& error)
{
    run::print_line(errors, error.message);
    return error.kind == ErrorKind::UnreadableTrace ? exit_unreadable_trace
           : error.kind == ErrorKind::DamagedTrace  ? exit_damaged_trace
                                                    : exit_bad_arguments;
}

std::optional<Error> why_not(const Options& options)
{
    if (auto error = view::why_no_page()) {
        return error;
    }
    if (std::ranges::any_of(options.traces, trace::is_live)) {
        return Error{ErrorKind::BadArguments,
                     "a session that is being recorded has no page yet: stop it first"};
    }
    return {};
}

int conclude(std::ostream& errors, const run::Outcome& outcome)
{
    const bool is_empty = run::print_if_empty(errors, outcome);
    if (run::print_damage(errors, outcome)) {
        return exit_damaged_trace;
    }
    return is_empty ? exit_nothing_to_report : exit_fine;
}

} // namespace

int run_html_report(const Options& options, std::ostream& errors)
{
    if (const auto error = why_not(options)) {
        return fail(errors, *error);
    }
    const auto read = PageReader{options}.read();
    if (!read) {
        return fail(errors, read.error());
    }
    if (read->page) {
        auto output = report::Output::open(options.html == "-" ? "" : options.html);
        if (!output) {
            return fail(errors, output.error());
        }
        view::write_page(*read->page, *output);
        if (const auto written = output->finish(); !written) {
            return fail(errors, written.error());
        }
    }
    return conclude(errors, read->outcome);
}

int run_view(const Options& options, std::ostream& output, std::ostream& errors)
{
    for (const auto& error : {view::why_no_server(), why_not(options)}) {
        if (error) {
            return fail(errors, *error);
        }
    }
    const auto read = PageReader{options}.read();
    if (!read) {
        return fail(errors, read.error());
    }
    const int code = conclude(errors, read->outcome);
    if (!read->page) {
        return code;
    }
    const auto served =
        view::serve(*read->page, {options.port, options.opens_browser}, output, errors);
    return served ? code : fail(errors, served.error());
}

} // namespace lttng_gpu::cli
