// SPDX-License-Identifier: MIT
//
// The summary of a diagnosis as what a report shows.
#pragma once

#include "../diagnose/summary.hpp"
#include "../report/report.hpp"
#include "../rings/ring_table.hpp"
#include "../trace/recorder.hpp"

namespace lttng_gpu::run {

/// The advice is for who records as `recorder` does.
report::ReasonCosts reason_costs(const diagnose::Summary& summary, const model::RingTable& rings,
                                 trace::Recorder recorder);

} // namespace lttng_gpu::run
