// SPDX-License-Identifier: MIT
//
// A reading of the scheduler's events alone, for an observer of threads, where no other reading of
// the traces can give them.
#pragma once

#include "../system/thread_observer.hpp"
#include "../trace/open/open_traces.hpp"
#include "capture_survey.hpp"

#include <filesystem>
#include <functional>

namespace lttng_gpu::run {

/// `survey`: null if there was none. `may_go_on` is called now and then; false ends the reading.
/// What cannot be read is not told.
void read_threads(const std::vector<std::filesystem::path>& traces, trace::ReadOptions options,
                  const CaptureSurvey* survey, model::ThreadObserver& observer,
                  const std::function<bool(const trace::EventSource&)>& may_go_on);

} // namespace lttng_gpu::run
