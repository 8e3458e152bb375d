// SPDX-License-Identifier: MIT
//
// The summary of a diagnosis as what a report shows.
#pragma once

#include "../diagnose/summary.hpp"
#include "../report/report.hpp"
#include "../rings/ring_table.hpp"

namespace lttng_gpu::run {

report::ReasonCosts reason_costs(const diagnose::Summary& summary, const model::RingTable& rings);

} // namespace lttng_gpu::run
