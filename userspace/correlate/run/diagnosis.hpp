// SPDX-License-Identifier: MIT
//
// Diagnoses of whole traces. A first reading finds what the capture lacks and how many jobs each
// ring takes at once, and diagnoses already. Where that shows that it diagnosed with all it needed
// to know, one reading is enough; else a second one diagnoses again. Who reads a trace anyway takes
// part in both: FirstDiagnosis is a sink of the first, DiagnosisStage one of the second.
//
// For all jobs of a page:       request.on_each = [&](const auto& diagnosis, const auto& rings)
//                               { diagnose::append_json(line, diagnosis, rings); … };
#pragma once

#include "../diagnose/diagnoser.hpp"
#include "../diagnose/diagnosis_writer.hpp"
#include "../diagnose/selection.hpp"
#include "reading.hpp"

namespace lttng_gpu::run {

/// The page and SQLite have the diagnosis of each job; of traces with more jobs only where that is
/// asked for.
inline constexpr std::uint64_t most_jobs_diagnosed = 200'000;

struct DiagnosisRequest {
    diagnose::Wanted wanted;
    diagnose::WantedFrames frames;
    report::WindowRequest window;
    bool reads_once = false;
    /// Gets every job, in order of completion; may be empty.
    std::function<void(const diagnose::Diagnosis&, const model::RingTable&)> on_each;
};

/// What a first reading of the whole leaves for the one that diagnoses.
struct WholeTrace {
    std::optional<CaptureSurvey> survey;
    diagnose::RingDepths depths; // finished
};

/// The diagnosis as a part of a reading: its jobs go to sink(), the states of threads come by the
/// pipeline.
class DiagnosisStage {
public:
    /// Before the reading begins. All must outlive it. `depths`: of the whole or, in a first
    /// reading, so far; null where the trace is read once.
    DiagnosisStage(const DiagnosisRequest& request, Pipeline& pipeline,
                   const report::Window& window, const diagnose::RingDepths* depths);

    model::JobSink& sink() { return m_diagnoser; }
    const diagnose::Diagnoser& diagnoser() const { return m_diagnoser; }
    /// After the reading.
    diagnose::Result finish(const Outcome& outcome);

private:
    class Collector final : public diagnose::DiagnosisSink {
    public:
        Collector(const DiagnosisRequest& request, const model::RingTable& rings,
                  diagnose::Result& result);

        void on_diagnosis(diagnose::Diagnosis&& diagnosis) override;
        void on_frame(diagnose::FrameDiagnosis&& diagnosis) override;
        void finish();

    private:
        const DiagnosisRequest& m_request;
        const model::RingTable& m_rings;
        diagnose::Result& m_result;
        diagnose::Selection m_selection;
        diagnose::FrameSelection m_frames;
    };

    const report::Window& m_window;
    diagnose::ThreadStates m_threads;
    diagnose::Result m_result;
    Collector m_collector;
    diagnose::Diagnoser m_diagnoser;
};

/// The diagnosis as a part of a first reading. It stops when it turns out that a second reading
/// must diagnose: events are missing, or a ring was taken for full that was not.
class FirstDiagnosis final : public model::JobSink {
public:
    /// Before the reading begins. All must outlive it. `whole` gets the depths.
    FirstDiagnosis(const DiagnosisRequest& request, Pipeline& pipeline,
                   const report::Window& window, WholeTrace& whole);

    void on_job(const model::Job& job) override;
    void on_dependency(const model::Dependency& dependency) override;
    void on_wait(const model::Wait& wait) override;
    void on_frame(const model::Frame& frame) override;

    /// After the reading, if no second one is needed to know the jobs. Empty: with what is known
    /// of the whole now, the reasons may be others.
    std::optional<diagnose::Result> finish(const Outcome& outcome);

private:
    bool is_diagnosing() const { return m_stage && !m_has_stopped; }

    Pipeline& m_pipeline;
    WholeTrace& m_whole;
    std::optional<DiagnosisStage> m_stage; // empty: each diagnosis is asked for
    bool m_has_stopped = false;
};

struct TraceDiagnosis {
    Outcome outcome;
    diagnose::Result result;
    std::unique_ptr<Pipeline> pipeline; // has the names of rings

    const model::RingTable& rings() const { return pipeline->rings(); }
};

using ReadingProgress = std::function<void(const trace::EventSource&)>;

/// Traces of files, none that is being recorded. `on_progress` is called with each source while
/// it is read and may be empty.
Expected<TraceDiagnosis> diagnose_traces(const std::vector<std::filesystem::path>& traces,
                                         const trace::ReadOptions& options,
                                         const DiagnosisRequest& request,
                                         const ReadingProgress& on_progress = {});

/// The second reading alone; `whole`: null where there was no first one. `observer` gets the
/// scheduler's events, too; may be null.
Expected<TraceDiagnosis> diagnose_again(const std::vector<std::filesystem::path>& traces,
                                        const trace::ReadOptions& options,
                                        const DiagnosisRequest& request, const WholeTrace* whole,
                                        const ReadingProgress& on_progress,
                                        model::ThreadObserver* observer = nullptr);

} // namespace lttng_gpu::run
