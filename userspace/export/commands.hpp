// SPDX-License-Identifier: MIT
//
// The commands that write traces: `lttng-gpu export` and `lttng-gpu merge`.
#pragma once

#include "../correlate/report/output_place.hpp"

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace lttng_gpu::exporting {

struct ExportOptions {
    std::vector<std::filesystem::path> traces;
    report::OutputPlace output; // a folder that is made
};

struct MergeOptions {
    ExportOptions runs;
    std::string align; // an event's name; empty: the program's first call
};

enum class Exported { Whole, Lossy, Nothing };

/// Lossy: the output was written, but the input is lossy. Nothing: there was nothing to
/// write, and there is no output. `errors` says so.
Expected<Exported> export_ctf(const ExportOptions& options, std::ostream& errors);

/// Returns true when the output was written, but the input is lossy or the runs differ too
/// much; `errors` says so.
Expected<bool> merge(const MergeOptions& options, std::ostream& errors);

} // namespace lttng_gpu::exporting
