// SPDX-License-Identifier: MIT
//
// The sinks of `report`: the finished numbers as JSON (schema
// lttng-gpu/report/1), flat CSV or text for a terminal of 100 columns. Pure
// functions from report to text.
#pragma once

#include "report.hpp"

namespace lttng_gpu::report {

std::string report_json(const Report& report);
std::string report_csv(const Report& report);
std::string report_text(const Report& report);

/// "2 events lost, 1 packets lost", or "nothing lost".
std::string loss_text(const TraceAccount& trace);

} // namespace lttng_gpu::report
