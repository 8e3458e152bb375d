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
    : x_request{request}, x_rings{rings}, x_result{result},
      x_selection{request.wanted}, x_frames{request.frames, request.wanted.worst}
{
}

void DiagnosisStage::Collector::on_diagnosis(diagnose::Diagnosis&& diagnosis)
{
    x_result.summary.add(diagnosis);
    if (x_request.on_each && diagnosis.is_counted) {
        x_request.on_each(diagnosis, x_rings);
    }
    x_selection.add(std::move(diagnosis), x_rings);
}

void DiagnosisStage::Collector::on_frame(diagnose::FrameDiagnosis&& diagnosis)
{
    x_result.frame_totals.add(diagnosis);
    x_frames.add(std::move(diagnosis));
}

void DiagnosisStage::Collector::finish()
{
    x_result.has_frames = x_request.frames.is_any;
    if (x_request.frames.is_any) {
        x_result.frames = x_frames.take();
        x_result.frames_left_out = x_frames.left_out();
        return;
    }
    x_result.jobs = x_selection.take();
    x_result.left_out = x_request.wanted.over ? x_selection.left_out() : 0;
}

DiagnosisStage::DiagnosisStage(const DiagnosisRequest& request, Pipeline& pipeline,
                               const report::Window& window, const diagnose::RingDepths* depths)
    : x_window{window}, x_collector{request, pipeline.rings(), x_result},
      x_diagnoser{pipeline.rings(), window, x_threads, x_collector}
{
    pipeline.add_thread_observer(x_threads);
    if (depths != nullptr) {
        x_diagnoser.set_known_depths(*depths);
    }
    if (request.frames.is_any) {
        x_diagnoser.set_wants_frames();
    }
    if (request.wanted.job) {
        x_diagnoser.set_wants_all(); // who names one wants it, wherever it is
    }
}

diagnose::Result DiagnosisStage::finish(const Outcome& outcome)
{
    x_diagnoser.finish(outcome.last.value_or(Timestamp{}));
    x_collector.finish();
    x_result.window_begin = x_window.begin();
    x_result.window_end = x_window.end();
    x_result.open_waits = outcome.account.open_waits;
    x_result.trace_begin = outcome.first.value_or(Timestamp{});
    x_result.trace_end = outcome.last.value_or(Timestamp{});
    x_result.has_sched_events = x_threads.has_any_events();
    return std::move(x_result);
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
