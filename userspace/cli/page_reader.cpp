// SPDX-License-Identifier: MIT
//
// See page_reader.hpp.
#include "page_reader.hpp"

#include "../correlate/run/conclusion.hpp"
#include "../correlate/run/job_tee.hpp"
#include "../correlate/run/noted_losses.hpp"
#include "../correlate/run/thread_reading.hpp"
#include "../correlate/run/traced_kernels.hpp"
#include "../view/launches.hpp"
#include "reading_options.hpp"
#include "report_kernels.hpp"

#include <exception>
#include <nlohmann/json.hpp>

namespace lttng_gpu::cli {
namespace {

/// Ends a reading that nobody waits for.
struct IsOver final : std::exception {};

} // namespace

PageReader::PageReader(const Options& options, const PageListener* listener)
    : m_options{options}, m_listener{listener}, m_workers{options.threads},
      m_progress{progress_terminal(false)}
{
}

Expected<ReadPage> PageReader::read()
{
    auto first = read_once();
    return first && m_whole.survey && !is_over() ? read_once() : std::move(first);
}

Expected<ReadPage> PageReader::read_once()
{
    const bool is_first = !m_whole.survey;
    auto reading = run::open_reading(m_options.traces, read_options(m_options, m_workers), survey(),
                                     [this] { return is_over(); });
    if (!reading) {
        return Failure{reading.error()};
    }
    report::Window window{m_options.window};
    if (!is_first) {
        window.set_recorded(survey()->recorded.span);
    }
    ReadPage result;
    result.blobs = m_listener != nullptr
                       ? std::make_shared<view::Blobs>(view::Blobs::Form::Plain, m_next_piece)
                       : std::make_shared<view::Blobs>();
    report::ReportBuilder builder{reading->pipeline->rings(), window};
    const bool is_part = m_options.window.begin || m_options.window.end;
    view::PageSink sink{builder, window, is_part, *result.blobs};
    view::CallCollector calls;
    if (const auto read = read_jobs(*reading, window, sink, calls, result); !read) {
        return Failure{read.error()};
    }
    m_next_piece = result.blobs->end();
    run::Outcome& outcome = result.outcome;
    if (is_over()) {
        return result;
    }
    if (is_first && !m_options.reads_once) {
        m_whole.depths.finish(reading->pipeline->rings());
        m_whole.survey = reading->pipeline->survey(*reading->source, outcome);
        if (m_whole.survey) {
            return result;
        }
    }
    if ((outcome.jobs == 0 && sink.frames().is_empty()) || !outcome.has_window) {
        return result;
    }
    calls.give(sink.tables(), sink.calls());
    sink.finish(outcome.last.value_or(window.end()));
    report::Report report = builder.finish(outcome.account, &m_workers);
    report.recording = run::recording_note(outcome, survey());
    make_page(*reading, sink, report, result);
    return result;
}

Expected<void> PageReader::read_jobs(run::Reading& reading, report::Window& window,
                                     view::PageSink& sink, view::CallCollector& calls,
                                     ReadPage& result)
{
    reading.pipeline->set_call_sink(calls);
    run::Outcome& outcome = result.outcome;
    model::NullSink nothing;
    model::JobSink& beside =
        m_whole.survey ? static_cast<model::JobSink&>(nothing) : m_whole.depths;
    if (m_listener == nullptr) {
        run::JobTee sinks{sink, beside};
        outcome = reading.pipeline->run(*reading.source, window, sinks, &m_workers, [&] {
            update_progress(*reading.source);
            return false;
        });
    } else {
        view::GuardedSink guarded{sink};
        run::JobTee sinks{guarded, beside};
        view::Snapshots snapshots{m_listener->page, guarded, result.blobs};
        outcome = reading.pipeline->run(*reading.source, window, sinks, &m_workers, [&] {
            update_progress(*reading.source);
            if (snapshots.update(m_options.traces, reading.pipeline->rings(), *reading.source) &&
                !m_is_shown) {
                m_is_shown = true;
                m_progress.erase();
                m_listener->on_first();
            }
            return m_listener->is_over();
        });
    }
    m_progress.erase();
    outcome.account.losses_of_unknown_size += run::noted_losses(m_options.traces);
    if (outcome.stopped && outcome.account.events_read == 0) {
        return Failure{*outcome.stopped};
    }
    return {};
}

/// After the jobs.
void PageReader::make_page(const run::Reading& reading, const view::PageSink& sink,
                           report::Report& report, ReadPage& result)
{
    const auto inside =
        read_inside_of_kernels(m_options, m_workers, [this](const trace::EventSource& source) {
            update_progress(source);
            return is_over();
        });
    m_progress.erase();
    nlohmann::ordered_json launches;
    if (inside) {
        report.traced_kernels = run::traced_kernels(inside->trace);
        launches = view::write_launches(inside->trace, sink.origin(), *result.blobs);
    }
    view::PageContents contents{m_options.traces, reading.pipeline->rings()};
    contents.report = &report;
    contents.report_piece = add_report(*result.blobs, report);
    contents.outcome = &result.outcome;
    contents.device_trace = inside ? &launches : nullptr;
    contents.stage = view::Stage::Reasons;
    show(sink, contents, result);
    view::ThreadSpans threads{
        sink.names(), [&](StringId id) { return std::string{reading.pipeline->rings().text(id)}; },
        view::SpanChunks{*result.blobs, sink.origin()}};
    std::optional<view::JobDiagnoses> diagnoses;
    if (wants_diagnoses(result.outcome)) {
        diagnoses = diagnose({sink, reading.pipeline->rings()}, threads);
    } else {
        read_threads(threads);
    }
    threads.finish();
    contents.states = &threads;
    contents.diagnoses = diagnoses ? &*diagnoses : nullptr;
    contents.stage = view::Stage::All;
    if (m_listener == nullptr) {
        result.page = make_page_data(sink, contents);
        return;
    }
    result.page.emplace();
    show(sink, contents, result);
}

/// A version of the page for the listener.
void PageReader::show(const view::PageSink& sink, const view::PageContents& contents,
                      const ReadPage& result)
{
    if (m_listener == nullptr) {
        return;
    }
    m_listener->page.publish(make_page_data(sink, contents).index, result.blobs);
    if (!m_is_shown) {
        m_is_shown = true;
        m_progress.erase();
        m_listener->on_first();
    }
}

/// As for the report: more readings are made where they are quick, or where they are asked for.
bool PageReader::wants_diagnoses(const run::Outcome& outcome) const
{
    return !m_options.reads_once &&
           m_options.has_reasons.value_or(outcome.jobs <= run::most_jobs_diagnosed);
}

/// Nothing that goes wrong fails the page: it then has no diagnoses.
std::optional<view::JobDiagnoses> PageReader::diagnose(view::JobDiagnoses diagnoses,
                                                       view::ThreadSpans& threads)
{
    run::DiagnosisRequest request;
    request.wanted.worst = 0;
    request.window = m_options.window;
    request.on_each = [&diagnoses](const auto& diagnosis, const auto& rings) {
        diagnoses.add(diagnosis, rings);
    };
    try {
        const auto made = run::diagnose_again(
            m_options.traces, read_options(m_options, m_workers), request, &m_whole,
            [this](const trace::EventSource& source) {
                if (is_over()) {
                    throw IsOver{};
                }
                update_progress(source);
            },
            &threads);
        m_progress.erase();
        if (made) {
            return diagnoses;
        }
    } catch (const std::exception&) {
        m_progress.erase(); // `diagnose` says what it is
    }
    return {};
}

void PageReader::read_threads(view::ThreadSpans& threads)
{
    run::read_threads(m_options.traces, read_options(m_options, m_workers), survey(), threads,
                      [this](const trace::EventSource& source) {
                          update_progress(source);
                          return !is_over();
                      });
    m_progress.erase();
}

void PageReader::update_progress(const trace::EventSource& source)
{
    m_progress.update(source.progress(), source.totals().events);
    if (m_listener != nullptr && m_is_shown) {
        m_listener->page.set_progress(source.progress());
    }
}

} // namespace lttng_gpu::cli
