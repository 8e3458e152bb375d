// SPDX-License-Identifier: MIT
//
// lttng-gpu record: runs a command and records the GPU jobs of all processes
// meanwhile, in one LTTng session of kernel and user space.
#pragma once

#include "record_options.hpp"

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace lttng_gpu::record {

constexpr int exit_not_recorded = 125; // as timeout(1), env(1) and nohup(1) have it

struct RecordedTrace {
    std::filesystem::path place;
    std::string heading; // of its part of the report; empty: it is all of the recording
};

/// Writes the report on traces, one below the other, to standard output.
using Reporter = std::function<void(const std::vector<RecordedTrace>& traces)>;

/// Returns the command's exit code, 128 + number when a signal ended it, 126 or 127 when it
/// cannot be run, exit_not_recorded when the recording failed, 2 for bad arguments.
int record(const RecordOptions& options, const Reporter& report, std::ostream& output,
           std::ostream& errors);

} // namespace lttng_gpu::record
