// SPDX-License-Identifier: MIT
//
// Items of a trace → correlator → sink. Owns what the layers share (texts, rings,
// anomalies) and tells how it went. run() draws the items from a source; a Pass is
// for whoever is handed them.
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
    /// CPUs whose buffers begin later than others because they were overwritten.
    std::vector<trace::Loss> late_begins;
    std::uint64_t jobs = 0;
    bool has_window = false;      // some part of the window lies inside the trace
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
    /// Reads what tells of the clocks of devices, all of it, if there is any: run() then
    /// maps with all that is known. `source` is another reading of the same traces,
    /// opened for wanted_for_clocks(); what is odd in it is told by run() alone.
    void learn_clocks(trace::EventSource& source);

    /// Reads to the end, or until `is_in_vain` says that nobody listens. With workers
    /// the sink is called on their threads, so it may look at nothing that changes.
    Outcome run(trace::EventSource& source, report::Window& window, model::JobSink& sink,
                Workers* workers, const std::function<bool()>& is_in_vain);

    /// After run() over all of `source`: what a second reading should know, if it would tell more.
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
