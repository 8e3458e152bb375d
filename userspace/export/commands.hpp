// SPDX-License-Identifier: MIT
//
// The commands that write traces: `lttng-gpu export` and `lttng-gpu merge`.
#pragma once

#include "../correlate/cli/options.hpp"

#include <iosfwd>

namespace lttng_gpu::exporting {

/// Returns true when the output was written, but the input is lossy; `errors` says so.
Expected<bool> export_ctf(const cli::Options& options, std::ostream& errors);

/// The same; also returns true when the runs differ too much.
Expected<bool> merge(const cli::Options& options, std::ostream& errors);

} // namespace lttng_gpu::exporting
