// SPDX-License-Identifier: MIT
//
// Whether `lttng-gpu report` tells the reasons why jobs are late, and these. That takes some more
// readings of the trace, so it is done by itself only where it is quick.
#pragma once

#include "../correlate/run/pipeline.hpp"
#include "options.hpp"

namespace lttng_gpu::cli {

/// Without an option, traces with more jobs are not diagnosed.
inline constexpr std::uint64_t most_jobs_diagnosed = 200'000;

/// Nothing that goes wrong fails the report: the reasons are then not there. For traces of files.
void add_reasons(report::Report& report, const run::Outcome& outcome, const Options& options,
                 Workers& workers, const std::function<bool()>& should_stop);

} // namespace lttng_gpu::cli
