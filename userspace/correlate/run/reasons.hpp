// SPDX-License-Identifier: MIT
//
// The summary of a diagnosis as what a report shows.
#pragma once

#include "../diagnose/summary.hpp"
#include "../model/ring_table.hpp"
#include "../report/report.hpp"

namespace lttng_gpu::run {

report::ReasonCosts reason_costs(const diagnose::Summary& summary, const model::RingTable& rings);

} // namespace lttng_gpu::run
