// SPDX-License-Identifier: MIT
//
// How to record what a trace lacks, in the words of what recorded it: who uses trace-cmd or
// Perfetto has no use for options of `lttng-gpu record`.
#pragma once

#include "../trace/recorder.hpp"

#include <string>
#include <string_view>

namespace lttng_gpu::model {

/// The scheduler's events, too.
std::string_view scheduler_advice(trace::Recorder recorder);
/// So that fewer events are lost.
std::string_view buffer_advice(trace::Recorder recorder);
/// The events of which jobs are made. `is_root`: the reader need not be told to become root.
std::string job_advice(trace::Recorder recorder, bool is_root);

} // namespace lttng_gpu::model
