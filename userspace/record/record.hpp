// SPDX-License-Identifier: MIT
//
// lttng-gpu record: runs a command and records the GPU jobs of all processes
// meanwhile, in one LTTng session of kernel and user space.
#pragma once

#include "record_options.hpp"

#include <functional>
#include <iosfwd>

namespace lttng_gpu::record {

constexpr int exit_not_recorded = 125; // as timeout(1), env(1) and nohup(1) have it

/// Writes the report on a trace to standard output.
using Reporter = std::function<void(const std::filesystem::path& trace)>;

/// Returns the command's exit code, 128 + number when a signal ended it, 126 or 127 when it
/// cannot be run, exit_not_recorded when the recording failed, 2 for bad arguments.
int record(const RecordOptions& options, const Reporter& report, std::ostream& output,
           std::ostream& errors);

} // namespace lttng_gpu::record
