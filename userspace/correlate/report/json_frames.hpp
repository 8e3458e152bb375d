// SPDX-License-Identifier: MIT
//
// The parts of the JSON report about frames and API calls.
#pragma once

#include "report.hpp"

#include <nlohmann/json_fwd.hpp>

namespace lttng_gpu::report {

/// Adds what there is: the keys `frames` and `api_calls`.
void add_frames_json(nlohmann::ordered_json& target, const Report& report);

} // namespace lttng_gpu::report
