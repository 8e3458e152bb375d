// SPDX-License-Identifier: MIT
//
// What the document of `device` and the page both tell of a launch, with one name for each.
#pragma once

#include "device_trace.hpp"

#include <nlohmann/json_fwd.hpp>

namespace lttng_gpu::device {

/// `calls`, `commands` or null.
nlohmann::ordered_json bound_json(BoundBy bounds);
/// `device`: by the device's timer, or null; its `begin_ns` and `end_ns` are since `origin`.
nlohmann::ordered_json launch_facts(const LaunchSum& launch, Timestamp origin);

} // namespace lttng_gpu::device
