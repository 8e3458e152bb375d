// SPDX-License-Identifier: MIT
//
// See reading.hpp.
#include "reading.hpp"

#include "../trace/open/recognise.hpp"

#include <algorithm>

namespace lttng_gpu::run {
namespace {

/// Another reading costs nothing where no trace has anything to tell of clocks.
Expected<void> learn_clocks(const std::vector<std::filesystem::path>& traces,
                            const trace::ReadOptions& options, const Reading& reading,
                            const std::function<bool()>& should_stop)
{
    if (std::any_of(traces.begin(), traces.end(), trace::is_live)) {
        return {};
    }
    trace::ReadOptions whole; // clocks are learned from the whole trace
    whole.workers = options.workers;
    whole.enumerations = options.enumerations;
    whole.may_mix_boots = options.may_mix_boots;
    bool has_clocks = Pipeline::has_clocks(*reading.source);
    if (options.reader == trace::Reader::Babeltrace2) { // it learns that on the way only
        const auto ours = trace::open_traces(traces, Pipeline::wanted_for_clocks(), whole);
        has_clocks = ours && Pipeline::has_clocks(**ours);
    }
    if (!has_clocks) {
        return {};
    }
    whole.reader = options.reader;
    const auto clocks = trace::open_traces(traces, Pipeline::wanted_for_clocks(), whole);
    if (!clocks) {
        return Failure{clocks.error()};
    }
    reading.pipeline->learn_clocks(**clocks, should_stop);
    return {};
}

} // namespace

Expected<Reading> open_reading(const std::vector<std::filesystem::path>& traces,
                               trace::ReadOptions options, const CaptureSurvey* survey,
                               const std::function<bool()>& should_stop)
{
    Reading reading{std::make_unique<Pipeline>(survey), nullptr};
    options.enumerations = &reading.pipeline->enumerations();
    reading.pipeline->set_estimates_calls(options.estimates_calls);
    auto source = trace::open_traces(traces, Pipeline::wanted(), options);
    if (!source) {
        return Failure{source.error()};
    }
    reading.source = survey != nullptr ? trace::amend(std::move(*source), survey->amendments)
                                       : std::move(*source);
    if (const auto learned = learn_clocks(traces, options, reading, should_stop); !learned) {
        return Failure{learned.error()};
    }
    return reading;
}

} // namespace lttng_gpu::run
