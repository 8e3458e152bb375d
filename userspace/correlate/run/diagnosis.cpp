// SPDX-License-Identifier: MIT
//
// See diagnosis.hpp.
#include "diagnosis.hpp"

#include "../diagnose/diagnoser.hpp"

namespace lttng_gpu::run {
namespace {

using Progress = std::function<void(const trace::EventSource&)>;

/// What a first reading of the whole shows.
Expected<std::optional<CaptureSurvey>>
survey_traces(const std::vector<std::filesystem::path>& traces, const trace::ReadOptions& options,
              const DiagnosisRequest& request, diagnose::RingDepths& depths,
              const Progress& on_progress)
{
    auto reading = open_reading(traces, options);
    if (!reading) {
        return Failure{reading.error()};
    }
    report::Window window{request.window};
    const Outcome outcome = reading->pipeline->run(*reading->source, window, depths, nullptr, [&] {
        if (on_progress) {
            on_progress(*reading->source);
        }
        return false;
    });
    depths.finish(reading->pipeline->rings());
    return reading->pipeline->survey(*reading->source, outcome);
}

/// The second of the two readings; what cannot be read leaves states unknown.
class ThreadReading {
public:
    explicit ThreadReading(std::unique_ptr<trace::EventSource> source) : x_source{std::move(source)}
    {
    }

    void read_until(Timestamp time)
    {
        while (!x_is_over && x_states.last() <= time) {
            x_is_over = !x_source->read_some(x_states).value_or(false);
        }
    }
    diagnose::ThreadStates& states() { return x_states; }

private:
    std::unique_ptr<trace::EventSource> x_source;
    diagnose::ThreadStates x_states;
    bool x_is_over = false;
};

Expected<std::unique_ptr<trace::EventSource>>
open_threads(const std::vector<std::filesystem::path>& traces, trace::ReadOptions options,
             const CaptureSurvey* survey)
{
    options.workers = nullptr; // they wait for the other reading while this one is asked
    options.threads = 1;
    auto source = trace::open_traces(traces, diagnose::ThreadStates::wanted(), options);
    if (source && survey != nullptr) {
        return trace::amend(std::move(*source), survey->amendments);
    }
    return source;
}

class Collector final : public diagnose::DiagnosisSink {
public:
    Collector(const DiagnosisRequest& request, const model::RingTable& rings,
              diagnose::Result& result)
        : x_request{request}, x_rings{rings}, x_result{result},
          x_selection{request.wanted}, x_frames{request.frames, request.wanted.worst}
    {
    }

    void on_diagnosis(diagnose::Diagnosis&& diagnosis) override
    {
        x_result.summary.add(diagnosis);
        if (x_request.on_each && diagnosis.is_counted) {
            x_request.on_each(diagnosis, x_rings);
        }
        x_selection.add(std::move(diagnosis), x_rings);
    }
    void on_frame(diagnose::FrameDiagnosis&& diagnosis) override
    {
        x_result.frame_totals.add(diagnosis);
        x_frames.add(std::move(diagnosis));
    }
    void finish()
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

private:
    const DiagnosisRequest& x_request;
    const model::RingTable& x_rings;
    diagnose::Result& x_result;
    diagnose::Selection x_selection;
    diagnose::FrameSelection x_frames;
};

} // namespace

Expected<TraceDiagnosis> diagnose_traces(const std::vector<std::filesystem::path>& traces,
                                         const trace::ReadOptions& options,
                                         const DiagnosisRequest& request,
                                         const Progress& on_progress)
{
    std::optional<CaptureSurvey> survey;
    diagnose::RingDepths depths;
    if (!request.reads_once) {
        auto found = survey_traces(traces, options, request, depths, on_progress);
        if (!found) {
            return Failure{found.error()};
        }
        survey = std::move(*found);
    }
    auto reading = open_reading(traces, options, survey ? &*survey : nullptr);
    if (!reading) {
        return Failure{reading.error()};
    }
    auto threads = open_threads(traces, options, survey ? &*survey : nullptr);
    if (!threads) {
        return Failure{threads.error()};
    }
    TraceDiagnosis made;
    made.pipeline = std::move(reading->pipeline);
    ThreadReading states{std::move(*threads)};
    report::Window window{request.window};
    if (survey) {
        window.set_recorded(survey->recorded.span);
    }
    Collector collector{request, made.pipeline->rings(), made.result};
    diagnose::Diagnoser diagnoser{made.pipeline->rings(), window, states.states(),
                                  [&](Timestamp time) { states.read_until(time); }, collector};
    if (!request.reads_once) {
        diagnoser.set_known_depths(depths);
    }
    if (request.frames.is_any) {
        diagnoser.set_wants_frames();
    }
    if (request.wanted.job) {
        diagnoser.set_wants_all(); // who names one wants it, wherever it is
    }
    made.outcome = made.pipeline->run(*reading->source, window, diagnoser, nullptr, [&] {
        if (on_progress) {
            on_progress(*reading->source);
        }
        return false;
    });
    diagnoser.finish(made.outcome.last.value_or(Timestamp{}));
    collector.finish();
    made.result.window_begin = window.begin();
    made.result.open_waits = made.outcome.account.open_waits;
    made.result.trace_begin = made.outcome.first.value_or(Timestamp{});
    made.result.trace_end = made.outcome.last.value_or(Timestamp{});
    made.result.window_end = window.end();
    made.result.has_sched_events = states.states().has_any_events();
    return made;
}

} // namespace lttng_gpu::run
