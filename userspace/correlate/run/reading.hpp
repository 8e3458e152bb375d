// SPDX-License-Identifier: MIT
//
// One reading of traces, from the beginning: the source and the pipeline that takes its
// items. Where traces tell of the clocks of devices, these are learned before, from a
// reading of their own; what is being recorded can be read once only, so its clocks are learned on
// the way.
#pragma once

#include "../trace/open/open_traces.hpp"
#include "pipeline.hpp"

#include <filesystem>

namespace lttng_gpu::run {

struct Reading {
    std::unique_ptr<Pipeline> pipeline;
    std::unique_ptr<trace::EventSource> source;
};

/// `survey` is what an earlier reading found, null if there was none; it must outlive the
/// reading. Once `should_stop` returns true, the clocks are not read any further.
/// `options.enumerations` is set here.
Expected<Reading> open_reading(
    const std::vector<std::filesystem::path>& traces, trace::ReadOptions options,
    const CaptureSurvey* survey = nullptr,
    const std::function<bool()>& should_stop = [] { return false; });

} // namespace lttng_gpu::run
