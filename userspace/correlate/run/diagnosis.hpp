// SPDX-License-Identifier: MIT
//
// Diagnoses of whole traces. Traces are read twice at once: one reading makes the rows of jobs,
// another follows it with the states of threads, which the first has no use for. A capture that
// lacks more than its tracer says is read before, as for `jobs`.
//
// For the reasons of a report:  diagnose_traces(traces, options, {}, …)->result.summary.total()
// For all jobs of a page:       request.on_each = [&](const auto& diagnosis, const auto& rings)
//                               { diagnose::append_json(line, diagnosis, rings); … };
#pragma once

#include "../diagnose/diagnosis_writer.hpp"
#include "../diagnose/selection.hpp"
#include "reading.hpp"

namespace lttng_gpu::run {

struct DiagnosisRequest {
    diagnose::Wanted wanted;
    diagnose::WantedFrames frames;
    report::WindowRequest window;
    bool reads_once = false;
    /// Gets every job, in order of completion; may be empty.
    std::function<void(const diagnose::Diagnosis&, const model::RingTable&)> on_each;
};

struct TraceDiagnosis {
    Outcome outcome;
    diagnose::Result result;
    std::unique_ptr<Pipeline> pipeline; // has the names of rings

    const model::RingTable& rings() const { return pipeline->rings(); }
};

/// Traces of files, none that is being recorded. `on_progress` is called with each source while
/// it is read and may be empty.
Expected<TraceDiagnosis>
diagnose_traces(const std::vector<std::filesystem::path>& traces, const trace::ReadOptions& options,
                const DiagnosisRequest& request,
                const std::function<void(const trace::EventSource&)>& on_progress = {});

} // namespace lttng_gpu::run
