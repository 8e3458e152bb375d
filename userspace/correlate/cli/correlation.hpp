// SPDX-License-Identifier: MIT
//
// One pass over a trace: source → correlator → sink. Owns what the
// layers share (texts, rings, anomalies) and tells how the pass went.
#pragma once

#include "../model/correlator.hpp"
#include "../report/report.hpp"

#include <functional>

namespace lttng_gpu::cli {

struct Outcome {
    report::TraceAccount account;
    std::optional<Timestamp> first;
    std::optional<Timestamp> last;
    std::uint64_t jobs = 0;
    bool has_window = false;      // some part of the window lies inside the trace
    std::optional<Error> stopped; // reading failed on the way
};

class Correlation {
public:
    static std::vector<trace::WantedEvent> wanted() { return model::Correlator::wanted(); }
    const model::RingTable& rings() const { return x_rings; }

    /// Reads to the end, or until `is_in_vain` says that nobody listens.
    Outcome run(trace::EventSource& source, report::Window& window, model::JobSink& sink,
                const std::function<bool()>& is_in_vain);

private:
    class Pass;

    StringPool x_strings;
    model::RingTable x_rings{x_strings};
    AnomalyCounters x_anomalies;
};

} // namespace lttng_gpu::cli
