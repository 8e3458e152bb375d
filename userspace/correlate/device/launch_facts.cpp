// SPDX-License-Identifier: MIT
//
// See launch_facts.hpp.
#include "launch_facts.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace lttng_gpu::device {
namespace {

using Json = nlohmann::ordered_json;

Json since(const std::optional<Timestamp>& time, Timestamp origin)
{
    return time ? Json((*time - origin).value()) : Json(nullptr);
}

Json rounded(const std::vector<double>& values)
{
    Json list = Json::array();
    for (const double value : values) {
        list.push_back(std::round(value * 100) / 100);
    }
    return list;
}

Json device_facts(const LaunchSum& launch, Timestamp origin)
{
    if (!launch.has_interval()) {
        return nullptr;
    }
    return {{"begin_ns", since(launch.begin_on_trace, origin)},
            {"end_ns", since(launch.end_on_trace, origin)},
            {"error_ns", launch.begin_on_trace ? Json(launch.error.value()) : Json(nullptr)},
            {"bounded_by", bound_json(launch.bound_by)},
            {"is_contradicted", launch.is_contradicted},
            {"duration_ns", launch.end - launch.begin},
            {"warps", launch.warps},
            {"warps_mean", launch.mean_warps()},
            {"warps_most", launch.most_warps},
            {"waves", launch.waves()},
            {"multiprocessors", launch.places},
            {"imbalance", launch.imbalance},
            {"tail_ns", launch.tail_ns},
            {"over_time",
             {{"warps", rounded(launch.over_time.warps)},
              {"multiprocessors", rounded(launch.over_time.places)}}}};
}

} // namespace

Json bound_json(BoundBy bounds)
{
    switch (bounds) {
    case BoundBy::Calls:
        return "calls";
    case BoundBy::Commands:
        return "commands";
    case BoundBy::Nothing:
        break;
    }
    return nullptr;
}

Json launch_facts(const LaunchSum& launch, Timestamp origin)
{
    return {{"local_size", launch.local_size}, {"groups", launch.groups},
            {"records", launch.records},       {"records_lost", launch.lost_records},
            {"parts_lost", launch.parts_lost}, {"device", device_facts(launch, origin)}};
}

} // namespace lttng_gpu::device
