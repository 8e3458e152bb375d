// SPDX-License-Identifier: MIT
//
// The commands that write traces: `lttng-gpu export` and `lttng-gpu merge`.
#pragma once

#include "../correlate/base/expected.hpp"

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace lttng_gpu::exporting {

struct ExportOptions {
    std::vector<std::filesystem::path> traces;
    std::filesystem::path output; // a folder that is made
};

struct MergeOptions {
    ExportOptions runs;
    std::string align; // an event's name; empty: the program's first call
};

/// Returns true when the output was written, but the input is lossy; `errors` says so.
Expected<bool> export_ctf(const ExportOptions& options, std::ostream& errors);

/// The same; also returns true when the runs differ too much.
Expected<bool> merge(const MergeOptions& options, std::ostream& errors);

} // namespace lttng_gpu::exporting
