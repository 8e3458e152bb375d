// SPDX-License-Identifier: MIT
//
// Values of the report's JSON that several parts of it have.
#pragma once

#include "report.hpp"

#include <nlohmann/json.hpp>

namespace lttng_gpu::report {

using Json = nlohmann::ordered_json;

inline Json text_or_null(const std::string& text)
{
    return text.empty() ? Json(nullptr) : Json(text);
}

inline Json latency_json(const LatencySummary& latency)
{
    return {{"count", latency.count},
            {"min", latency.min},
            {"p50", latency.p50},
            {"p90", latency.p90},
            {"p99", latency.p99},
            {"max", latency.max},
            {"sum", latency.sum},
            {"error_ratio", latency.error_ratio > 0 ? Json(latency.error_ratio) : Json(0)}};
}

} // namespace lttng_gpu::report
