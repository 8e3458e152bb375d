// SPDX-License-Identifier: MIT
//
// The part of the report about counters of devices. Empty if there were none.
#pragma once

#include "json_values.hpp"
#include "report.hpp"

namespace lttng_gpu::report {

std::string counter_lines(const std::vector<model::CounterAccount>& counters);
Json counters_json(const Report& report);

} // namespace lttng_gpu::report
