// SPDX-License-Identifier: MIT
//
// See diagnosis.hpp.
#include "diagnosis.hpp"

namespace lttng_gpu::run {
namespace {

Outcome read_all(Pipeline& pipeline, trace::EventSource& source, report::Window& window,
                 model::JobSink& sink, const ReadingProgress& on_progress)
{
    return pipeline.run(source, window, sink, nullptr, [&] {
        if (on_progress) {
            on_progress(source);
        }
        return false;
    });
}

/// Empty: a second reading must diagnose, with what `whole` has.
Expected<std::optional<TraceDiagnosis>>
diagnose_first(const std::vector<std::filesystem::path>& traces, const trace::ReadOptions& options,
               const DiagnosisRequest& request, const ReadingProgress& on_progress,
               WholeTrace& whole)
{
    auto reading = open_reading(traces, options);
    if (!reading) {
        return Failure{reading.error()};
    }
    TraceDiagnosis made;
    made.pipeline = std::move(reading->pipeline);
    report::Window window{request.window};
    FirstDiagnosis first{request, *made.pipeline, window, whole};
    made.outcome = read_all(*made.pipeline, *reading->source, window, first, on_progress);
    whole.survey = made.pipeline->survey(*reading->source, made.outcome);
    auto result = first.finish(made.outcome);
    if (whole.survey || !result) {
        return std::optional<TraceDiagnosis>{};
    }
    made.result = std::move(*result);
    return std::optional{std::move(made)};
}

} // namespace

FirstDiagnosis::FirstDiagnosis(const DiagnosisRequest& request, Pipeline& pipeline,
                               const report::Window& window, WholeTrace& whole)
    : m_pipeline{pipeline}, m_whole{whole}
{
    // who gets each diagnosis at once gets none that may be another one
    if (!request.on_each) {
        m_stage.emplace(request, pipeline, window, &whole.depths);
    }
}

void FirstDiagnosis::on_job(const model::Job& job)
{
    m_whole.depths.on_job(job);
    if (!is_diagnosing()) {
        return;
    }
    m_stage->sink().on_job(job);
    m_has_stopped = m_pipeline.has_found_losses() ||
                    (job.ring && !m_stage->diagnoser().has_right_depth(*job.ring));
}

void FirstDiagnosis::on_dependency(const model::Dependency& dependency)
{
    if (is_diagnosing()) {
        m_stage->sink().on_dependency(dependency);
    }
}

void FirstDiagnosis::on_wait(const model::Wait& wait)
{
    if (is_diagnosing()) {
        m_stage->sink().on_wait(wait);
    }
}

void FirstDiagnosis::on_frame(const model::Frame& frame)
{
    if (is_diagnosing()) {
        m_stage->sink().on_frame(frame);
    }
}

std::optional<diagnose::Result> FirstDiagnosis::finish(const Outcome& outcome)
{
    std::optional<diagnose::Result> result;
    if (is_diagnosing()) {
        result = m_stage->finish(outcome);
    }
    m_whole.depths.finish(m_pipeline.rings());
    return result && m_stage->diagnoser().has_right_depths() ? std::move(result) : std::nullopt;
}

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
    made.outcome =
        read_all(*reading->pipeline, *reading->source, window, stage.sink(), on_progress);
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
    auto first = diagnose_first(traces, options, request, on_progress, whole);
    if (!first) {
        return Failure{first.error()};
    }
    if (*first) {
        return std::move(**first);
    }
    return diagnose_again(traces, options, request, &whole, on_progress);
}

} // namespace lttng_gpu::run
