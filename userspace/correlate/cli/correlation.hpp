// SPDX-License-Identifier: MIT
//
// Items of a trace → correlator → sink. Owns what the layers share (texts, rings,
// anomalies) and returns the outcome. run() reads the items from a source; a Pass
// takes items that the caller reads.
#pragma once

#include "../base/workers.hpp"
#include "../model/correlator.hpp"
#include "../report/report.hpp"
#include "capture_survey.hpp"

#include <functional>

namespace lttng_gpu::cli {

struct Outcome {
    report::TraceAccount account;
    std::optional<Timestamp> first;
    std::optional<Timestamp> last;
    /// CPUs whose buffers start later than others because they were overwritten.
    std::vector<trace::Loss> late_begins;
    std::uint64_t jobs = 0;
    bool has_window = false;      // some part of the window is inside the trace
    std::optional<Error> stopped; // reading failed on the way
};

class Correlation {
public:
    class Pass;

    Correlation() = default;
    /// A second reading of a capture; `survey` must outlive this.
    explicit Correlation(const CaptureSurvey* survey) : x_survey{survey} {}

    /// For the sources that this reads from (ReadOptions).
    trace::EnumerationTable& enumerations() { return x_enumerations; }
    static std::vector<trace::WantedEvent> wanted() { return model::Correlator::wanted(); }
    const model::RingTable& rings() const { return x_rings; }

    static std::vector<trace::WantedEvent> wanted_for_clocks()
    {
        return model::Correlator::wanted_for_clocks();
    }
    static bool has_clocks(const trace::EventSource& source)
    {
        return model::Correlator::has_clocks(source);
    }
    /// Reads all events about the clocks of devices, if there are any: run() then uses
    /// all of them for the mapping. `source` is another reading of the same traces,
    /// opened for wanted_for_clocks(); its anomalies are counted by run() only.
    void learn_clocks(trace::EventSource& source);

    /// Reads to the end, or until `should_stop` returns true. With workers
    /// the sink is called on their threads, so it may look at nothing that changes.
    Outcome run(trace::EventSource& source, report::Window& window, model::JobSink& sink,
                Workers* workers, const std::function<bool()>& should_stop);

    /// After run() over all of `source`: what a second reading needs, if it would improve the
    /// result.
    std::optional<CaptureSurvey> survey(const trace::EventSource& source, const Outcome& outcome);

private:
    const CaptureSurvey* x_survey = nullptr;
    model::CaptureFindings x_findings;
    trace::EnumerationTable x_enumerations;
    StringPool x_strings;
    model::RingTable x_rings{x_strings};
    AnomalyCounters x_anomalies;
    model::DeviceClocks x_clocks;
};

} // namespace lttng_gpu::cli
