// SPDX-License-Identifier: MIT
//
// The parts of the report's JSON that are lists beside the rings: the longest jobs, the calls,
// the reasons, and the occupancy of a ring over time.
#pragma once

#include "json_values.hpp"

namespace lttng_gpu::report {

Json over_time_json(const QueueReport& queue);
/// Null: all jobs of the ring ended, as far as they are known.
Json stall_json(const QueueReport& queue);
Json longest_json(const Report& report);
Json calls_json(const Report& report);
Json reasons_json(const ReasonCosts& costs);

} // namespace lttng_gpu::report
