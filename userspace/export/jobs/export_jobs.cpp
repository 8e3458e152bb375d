// SPDX-License-Identifier: MIT
//
// See export_jobs.hpp.
#include "export_jobs.hpp"

#include "../../correlate/base/interruption.hpp"
#include "../../correlate/base/progress.hpp"
#include "../../correlate/run/conclusion.hpp"
#include "../../correlate/run/noted_losses.hpp"
#include "../../correlate/run/reading.hpp"
#include "call_merge.hpp"
#include "job_writer.hpp"

namespace lttng_gpu::exporting {
namespace {

std::unique_ptr<JobWriter> make_job_writer(JobFormat format, const WriterContext& context)
{
    switch (format) {
    case JobFormat::Perfetto:
        return make_perfetto_writer(context);
    case JobFormat::Chrome:
        return make_chrome_writer(context);
    case JobFormat::Parquet:
        return make_parquet_writer(context);
    case JobFormat::Sqlite:
        break;
    }
    return make_sqlite_writer(context);
}

/// Hands on the jobs of the window, and what happens in it.
class InWindow final : public model::JobSink {
public:
    InWindow(const report::Window& window, JobWriter& writer) : m_window{window}, m_writer{writer}
    {
    }

    void on_job(const model::Job& job) override
    {
        if (m_window.counts(job)) {
            m_writer.on_job(job);
        }
    }
    void on_dependency(const model::Dependency& dependency) override
    {
        if (m_window.clip(dependency.since) == dependency.since) {
            m_writer.on_dependency(dependency);
        }
    }
    void on_wait(const model::Wait& wait) override
    {
        if (m_window.clip(wait.end) == wait.end) {
            m_writer.on_wait(wait);
        }
    }
    void on_unseen(const model::UnseenJobs& jobs) override { m_writer.on_unseen(jobs); }
    void on_frame(const model::Frame& frame) override
    {
        if (m_window.clip(frame.end) == frame.end) {
            m_writer.on_frame(frame);
        }
    }

private:
    const report::Window& m_window;
    JobWriter& m_writer;
};

/// Those that return in it: the first event of a trace may be the return of a call.
class CallsInWindow final : public model::CallSink {
public:
    CallsInWindow(const report::Window& window, JobWriter& writer)
        : m_window{window}, m_writer{writer}
    {
    }

    void on_call(const model::ApiCall& call) override
    {
        if (m_window.clip(call.end) == call.end) {
            m_writer.on_call(call);
        }
    }

private:
    const report::Window& m_window;
    JobWriter& m_writer;
};

struct Work {
    const JobExport& request;
    Progress& progress;
    const Interruption& interruption;

    void show(const trace::EventSource& source, double begin, double share) const
    {
        const auto ratio = source.progress();
        progress.update(ratio ? std::optional{begin + *ratio * share} : std::nullopt,
                        source.totals().events);
    }
};

/// Rows are written while the trace is read, so what the whole of it shows must be known before.
Expected<std::optional<run::CaptureSurvey>> survey_first(const Work& work)
{
    if (work.request.reads_once) {
        return std::optional<run::CaptureSurvey>{};
    }
    auto reading = run::open_reading(work.request.traces, work.request.read);
    if (!reading) {
        return Failure{reading.error()};
    }
    report::Window window{work.request.window};
    model::NullSink sink;
    const run::Outcome outcome =
        reading->pipeline->run(*reading->source, window, sink, nullptr, [&] {
            work.show(*reading->source, 0, 0.5);
            return work.interruption.is_requested();
        });
    return reading->pipeline->survey(*reading->source, outcome);
}

Expected<Exported> conclude(const run::Outcome& outcome, const JobExport& request,
                            std::ostream& errors)
{
    const bool is_empty = run::print_if_empty(errors, outcome, request.traces);
    if (run::print_damage(errors, outcome)) {
        return Exported::Lossy;
    }
    return is_empty ? Exported::Nothing : Exported::Whole;
}

Expected<run::Outcome> write_jobs(const Work& work, run::Reading& reading, OutputFile& output,
                                  std::ostream& errors)
{
    report::Window window{work.request.window};
    const auto writer =
        make_job_writer(work.request.format,
                        {reading.pipeline->rings(), reading.pipeline->strings(), window, output});
    if (const auto begun = writer->begin(); !begun) {
        return Failure{begun.error()};
    }
    InWindow sink{window, *writer};
    CallsInWindow window_calls{window, *writer};
    CallMerge calls{window_calls};
    reading.pipeline->set_call_sink(calls);
    const double begin = work.request.reads_once ? 0 : 0.5;
    run::Outcome outcome = reading.pipeline->run(*reading.source, window, sink, nullptr, [&] {
        work.show(*reading.source, begin, 1 - begin);
        return writer->has_failed() || work.interruption.is_requested();
    });
    if (work.interruption.is_requested()) {
        return interrupted();
    }
    calls.finish();
    outcome.account.losses_of_unknown_size += run::noted_losses(work.request.traces);
    if (outcome.stopped && outcome.account.events_read == 0) {
        return Failure{{ErrorKind::UnreadableTrace, outcome.stopped->message}};
    }
    if (const auto finished = writer->finish(outcome); !finished) {
        return Failure{finished.error()};
    }
    if (const model::RingNames* const names = writer->shown_names()) {
        run::print_name_notes(errors, *names);
    }
    return outcome;
}

} // namespace

Expected<Exported> export_jobs(const JobExport& request, std::ostream& errors)
{
    const Interruption interruption{Interruption::Purpose::TidyUp};
    Progress progress{progress_terminal(false)};
    const Work work{request, progress, interruption};
    if (request.format == JobFormat::Parquet) {
        if (const auto reason = why_no_parquet()) {
            return Failure{*reason};
        }
    }
    const bool is_database = request.format == JobFormat::Sqlite;
    if (is_database && request.output.is_stream()) {
        return Failure{{ErrorKind::BadArguments,
                        "a SQLite database is a file: name one with -o (see --help)"}};
    }
    auto output = OutputFile::create(request.output, is_database); // before hours of reading
    if (!output) {
        return Failure{output.error()};
    }
    const auto survey = survey_first(work);
    if (!survey) {
        return Failure{survey.error()};
    }
    if (interruption.is_requested()) {
        return interrupted();
    }
    auto reading = run::open_reading(request.traces, request.read, *survey ? &**survey : nullptr);
    if (!reading) {
        return Failure{reading.error()};
    }
    const auto outcome = write_jobs(work, *reading, *output, errors);
    progress.erase();
    if (!outcome) {
        return Failure{outcome.error()};
    }
    if (const auto written = output->finish(); !written) {
        return Failure{written.error()};
    }
    run::print_order_notes(errors, reading->pipeline->rings());
    return conclude(*outcome, request, errors);
}

} // namespace lttng_gpu::exporting
