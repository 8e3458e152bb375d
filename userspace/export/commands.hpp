// SPDX-License-Identifier: MIT
//
// The commands that write traces: `lttng-gpu export` and `lttng-gpu merge`.
#pragma once

#include "../correlate/cli/options.hpp"

#include <iosfwd>

namespace lttng_gpu::exporting {

/// True: written, but the input is lossy, which `errors` was told.
Expected<bool> export_ctf(const cli::Options& options, std::ostream& errors);

/// The same, and true also when the runs differ too much.
Expected<bool> merge(const cli::Options& options, std::ostream& errors);

} // namespace lttng_gpu::exporting
