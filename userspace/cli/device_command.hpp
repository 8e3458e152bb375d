// SPDX-License-Identifier: MIT
//
// `lttng-gpu device`: what happened inside of kernels that were recorded with --device-trace.
#pragma once

#include "options.hpp"

namespace lttng_gpu::cli {

/// The exit code.
Expected<int> run_device(const Options& options, const report::OutputPlace& place,
                         std::ostream& errors);

} // namespace lttng_gpu::cli
