// SPDX-License-Identifier: MIT
//
// Where a command writes, and that nothing is lost there.
#pragma once

#include "../correlate/report/output_place.hpp"
#include "options.hpp"

namespace lttng_gpu::cli {

/// Checked against what the command reads, before it opens anything.
Expected<report::OutputPlace> output_place_of(const Options& options);
/// Of the report of record, which opens it.
Expected<report::OutputPlace> record_report_place(const Options& options);

} // namespace lttng_gpu::cli
