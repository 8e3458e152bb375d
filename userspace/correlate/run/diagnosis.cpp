// SPDX-License-Identifier: MIT
//
// See diagnosis.hpp.
#include "diagnosis.hpp"

namespace lttng_gpu::run {
namespace {

Outcome read_all(Reading& reading, report::Window& window, model::JobSink& sink,
                 const ReadingProgress& on_progress)
{
    return reading.pipeline->run(*reading.source, window, sink, nullptr, [&] {
        if (on_progress) {
            on_progress(*reading.source);
        }
        return false;
    });
}

Expected<void> survey_traces(const std::vector<std::filesystem::path>& traces,
                             const trace::ReadOptions& options, const DiagnosisRequest& request,
                             const ReadingProgress& on_progress, WholeTrace& whole)
{
    auto reading = open_reading(traces, options);
    if (!reading) {
        return Failure{reading.error()};
    }
    report::Window window{request.window};
    const Outcome outcome = read_all(*reading, window, whole.depths, on_progress);
    whole.depths.finish(reading->pipeline->rings());
    whole.survey = reading->pipeline->survey(*reading->source, outcome);
    return {};
}

} // namespace

DiagnosisStage::Collector::Collector(const DiagnosisRequest& request, const model::RingTable& rings,
                                     diagnose::Result& result)
    : m_request{request}, m_rings{rings}, m_result{result},
      m_selection{request.wanted}, m_frames{request.frames, request.wanted.worst}
{
}

void DiagnosisStage::Collector::on_diagnosis(diagnose::Diagnosis&& diagnosis)
{
    m_result.summary.add(diagnosis);
    if (m_request.on_each && diagnosis.is_counted) {
        m_request.on_each(diagnosis, m_rings);
    }
    m_selection.add(std::move(diagnosis), m_rings);
}

void DiagnosisStage::Collector::on_frame(diagnose::FrameDiagnosis&& diagnosis)
{
    m_result.frame_totals.add(diagnosis);
    m_frames.add(std::move(diagnosis));
}

void DiagnosisStage::Collector::finish()
{
    m_result.has_frames = m_request.frames.is_any;
    if (m_request.frames.is_any) {
        m_result.frames = m_frames.take();
        m_result.frames_left_out = m_frames.left_out();
        return;
    }
    m_result.jobs = m_selection.take();
    m_result.left_out = m_request.wanted.over ? m_selection.left_out() : 0;
}

DiagnosisStage::DiagnosisStage(const DiagnosisRequest& request, Pipeline& pipeline,
                               const report::Window& window, const diagnose::RingDepths* depths)
    : m_window{window}, m_collector{request, pipeline.rings(), m_result},
      m_diagnoser{pipeline.rings(), window, m_threads, m_collector}
{
    pipeline.add_thread_observer(m_threads);
    if (depths != nullptr) {
        m_diagnoser.set_known_depths(*depths);
    }
    if (request.frames.is_any) {
        m_diagnoser.set_wants_frames();
    }
    if (request.wanted.job) {
        m_diagnoser.set_wants_all(); // who names one wants it, wherever it is
    }
}

diagnose::Result DiagnosisStage::finish(const Outcome& outcome)
{
    m_diagnoser.finish(outcome.last.value_or(Timestamp{}));
    m_collector.finish();
    m_result.window_begin = m_window.begin();
    m_result.window_end = m_window.end();
    m_result.open_waits = outcome.account.open_waits;
    m_result.trace_begin = outcome.first.value_or(Timestamp{});
    m_result.trace_end = outcome.last.value_or(Timestamp{});
    m_result.has_sched_events = m_threads.has_any_events();
    return std::move(m_result);
}

Expected<TraceDiagnosis> diagnose_again(const std::vector<std::filesystem::path>& traces,
                                        const trace::ReadOptions& options,
                                        const DiagnosisRequest& request, const WholeTrace* whole,
                                        const ReadingProgress& on_progress,
                                        model::ThreadObserver* observer)
{
    const CaptureSurvey* survey = whole != nullptr && whole->survey ? &*whole->survey : nullptr;
    auto reading = open_reading(traces, options, survey);
    if (!reading) {
        return Failure{reading.error()};
    }
    report::Window window{request.window};
    if (survey != nullptr) {
        window.set_recorded(survey->recorded.span);
    }
    DiagnosisStage stage{request, *reading->pipeline, window,
                         whole != nullptr ? &whole->depths : nullptr};
    if (observer != nullptr) {
        reading->pipeline->add_thread_observer(*observer);
    }
    TraceDiagnosis made;
    made.outcome = read_all(*reading, window, stage.sink(), on_progress);
    made.result = stage.finish(made.outcome);
    made.pipeline = std::move(reading->pipeline);
    return made;
}

Expected<TraceDiagnosis> diagnose_traces(const std::vector<std::filesystem::path>& traces,
                                         const trace::ReadOptions& options,
                                         const DiagnosisRequest& request,
                                         const ReadingProgress& on_progress)
{
    if (request.reads_once) {
        return diagnose_again(traces, options, request, nullptr, on_progress);
    }
    WholeTrace whole;
    if (const auto read = survey_traces(traces, options, request, on_progress, whole); !read) {
        return Failure{read.error()};
    }
    return diagnose_again(traces, options, request, &whole, on_progress);
}

} // namespace lttng_gpu::run
