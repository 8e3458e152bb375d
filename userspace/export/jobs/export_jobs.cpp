// SPDX-License-Identifier: MIT
//
// See export_jobs.hpp.
#include "export_jobs.hpp"

#include "../../correlate/base/interruption.hpp"
#include "../../correlate/base/progress.hpp"
#include "../../correlate/run/conclusion.hpp"
#include "../../correlate/run/diagnosis.hpp"
#include "../../correlate/run/job_tee.hpp"
#include "../../correlate/run/noted_losses.hpp"
#include "../../correlate/run/reading.hpp"
#include "call_merge.hpp"
#include "job_writer.hpp"

#include <fmt/format.h>

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
    InWindow(const report::Window& window, JobWriter& writer, WrittenJobs* written)
        : m_window{window}, m_writer{writer}, m_written{written}
    {
    }

    void on_job(const model::Job& job) override
    {
        const bool is_inside = m_window.counts(job);
        if (m_written != nullptr) {
            m_written->add(is_inside);
        }
        if (is_inside) {
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
    WrittenJobs* m_written; // null: nobody asks
};

class CountersInWindow final : public model::CounterSink {
public:
    CountersInWindow(const report::Window& window, JobWriter& writer)
        : m_window{window}, m_writer{writer}
    {
    }

    void on_counter(std::size_t number, const model::Counters::Name& name, Timestamp time,
                    std::int64_t value) override
    {
        if (m_window.clip(time) == time) {
            m_writer.on_counter(number, name, time, value);
        }
    }

private:
    const report::Window& m_window;
    JobWriter& m_writer;
};

class SwitchesInWindow final : public model::ThreadObserver {
public:
    SwitchesInWindow(const report::Window& window, model::ThreadObserver& next)
        : m_window{window}, m_next{next}
    {
    }

    void on_switch(const trace::RawEvent& event) override
    {
        if (m_window.clip(event.time) == event.time) {
            m_next.on_switch(event);
        }
    }
    void on_wakeup(const trace::RawEvent& event) override
    {
        if (m_window.clip(event.time) == event.time) {
            m_next.on_wakeup(event);
        }
    }
    void on_loss(const trace::Loss& loss) override { m_next.on_loss(loss); }

private:
    const report::Window& m_window;
    model::ThreadObserver& m_next;
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

/// What the first reading leaves for the one that writes.
struct FirstReading {
    run::WholeTrace whole;
    std::uint64_t jobs = 0;
};

bool may_tell_reasons(const JobExport& request)
{
    return request.format == JobFormat::Sqlite && !request.reads_once &&
           request.has_reasons.value_or(true);
}

bool tells_reasons(const JobExport& request, const FirstReading& known)
{
    return may_tell_reasons(request) &&
           (request.has_reasons || known.jobs <= run::most_jobs_diagnosed);
}

/// Rows are written while the trace is read, so what the whole of it shows must be known before.
Expected<void> read_first(const Work& work, FirstReading& known)
{
    if (work.request.reads_once) {
        return {};
    }
    auto reading = run::open_reading(work.request.traces, work.request.read);
    if (!reading) {
        return Failure{reading.error()};
    }
    report::Window window{work.request.window};
    model::NullSink nothing;
    model::JobSink& sink =
        may_tell_reasons(work.request) ? static_cast<model::JobSink&>(known.whole.depths) : nothing;
    const run::Outcome outcome =
        reading->pipeline->run(*reading->source, window, sink, nullptr, [&] {
            work.show(*reading->source, 0, 0.5);
            return work.interruption.is_requested();
        });
    known.whole.depths.finish(reading->pipeline->rings());
    known.whole.survey = reading->pipeline->survey(*reading->source, outcome);
    known.jobs = outcome.jobs;
    return {};
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

/// Everything that the pipeline gives goes to the writer.
Expected<run::Outcome> read_into(JobWriter& writer, const Work& work, const FirstReading& known,
                                 run::Reading& reading, report::Window& window)
{
    run::Pipeline& pipeline = *reading.pipeline;
    WrittenJobs written;
    std::optional<JobReasons> reasons;
    std::optional<run::JobTee> tee;
    if (tells_reasons(work.request, known)) {
        reasons.emplace(pipeline, window, known.whole.depths, written, writer);
    }
    InWindow inside{window, writer, reasons ? &written : nullptr};
    if (reasons) {
        tee.emplace(inside, reasons->sink());
    }
    CallsInWindow window_calls{window, writer};
    CallMerge calls{window_calls};
    pipeline.set_call_sink(calls);
    CountersInWindow counters{window, writer};
    pipeline.set_counter_sink(counters);
    std::optional<SwitchesInWindow> switches;
    if (model::ThreadObserver* const observer = writer.thread_observer()) {
        pipeline.add_thread_observer(switches.emplace(window, *observer));
    }
    const double begin = work.request.reads_once ? 0 : 0.5;
    model::JobSink& sink = tee ? static_cast<model::JobSink&>(*tee) : inside;
    run::Outcome outcome = pipeline.run(*reading.source, window, sink, nullptr, [&] {
        work.show(*reading.source, begin, 1 - begin);
        return writer.has_failed() || work.interruption.is_requested();
    });
    if (work.interruption.is_requested()) {
        return interrupted();
    }
    calls.finish();
    if (reasons) {
        reasons->finish(outcome);
    }
    return outcome;
}

Expected<run::Outcome> write_jobs(const Work& work, const FirstReading& known,
                                  run::Reading& reading, OutputFile& output, std::ostream& errors)
{
    report::Window window{work.request.window};
    const auto writer = make_job_writer(work.request.format,
                                        {reading.pipeline->rings(), reading.pipeline->strings(),
                                         window, output, tells_reasons(work.request, known)});
    if (const auto begun = writer->begin(); !begun) {
        return Failure{begun.error()};
    }
    auto outcome = read_into(*writer, work, known, reading, window);
    if (!outcome) {
        return outcome;
    }
    outcome->account.losses_of_unknown_size += run::noted_losses(work.request.traces);
    if (outcome->stopped && outcome->account.events_read == 0) {
        return Failure{{ErrorKind::UnreadableTrace, outcome->stopped->message}};
    }
    if (const auto finished = writer->finish(*outcome); !finished) {
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
    FirstReading known;
    if (const auto read = read_first(work, known); !read) {
        return Failure{read.error()};
    }
    if (interruption.is_requested()) {
        return interrupted();
    }
    const auto& survey = known.whole.survey;
    auto reading = run::open_reading(request.traces, request.read, survey ? &*survey : nullptr);
    if (!reading) {
        return Failure{reading.error()};
    }
    const auto outcome = write_jobs(work, known, *reading, *output, errors);
    progress.erase();
    if (!outcome) {
        return Failure{outcome.error()};
    }
    if (const auto written = output->finish(); !written) {
        return Failure{written.error()};
    }
    run::print_order_notes(errors, reading->pipeline->rings());
    if (may_tell_reasons(request) && !tells_reasons(request, known)) {
        run::print_line(errors, fmt::format("note: of {} jobs the reasons are not told; "
                                            "--reasons tells them",
                                            known.jobs));
    }
    return conclude(*outcome, request, errors);
}

} // namespace lttng_gpu::exporting
