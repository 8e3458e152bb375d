// SPDX-License-Identifier: MIT
//
// `lttng-gpu report`, but for the page. A capture that lacks more than its tracer says is read
// twice, and one whose reasons are told.
#pragma once

#include "command_run.hpp"

namespace lttng_gpu::cli {

/// `reading` is the first one. The exit code.
int run_report(const Run& run, run::Reading reading);

} // namespace lttng_gpu::cli
