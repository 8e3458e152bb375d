// SPDX-License-Identifier: MIT
//
// See writers.hpp.
#include "launch_facts.hpp"
#include "writers.hpp"

#include <nlohmann/json.hpp>

namespace lttng_gpu::device {
namespace {

using Json = nlohmann::ordered_json;

Json text_json(const std::string& text)
{
    return text.empty() ? Json(nullptr) : Json(text);
}

Json location_json(std::uint32_t number, const LocationSum& location, const KernelSum& kernel)
{
    const bool is_named = !location.kind.empty();
    const auto lanes = location.mean_lanes();
    return {{"location", number},
            {"kind", text_json(location.kind)},
            {"function", text_json(location.function)},
            {"line", is_named ? Json(location.line) : Json(nullptr)},
            {"column", is_named ? Json(location.column) : Json(nullptr)},
            {"executions", location.executions},
            {"lanes_mean", lanes ? Json(*lanes) : Json(nullptr)},
            {"time_ns", kernel.has_warps && kernel.has_times ? Json(location.ns) : Json(nullptr)}};
}

Json kernel_json(const KernelSum& kernel)
{
    Json locations = Json::array();
    for (const auto& [number, location] : kernel.locations) {
        locations.push_back(location_json(number, location, kernel));
    }
    return {{"name", kernel.name},
            {"program", kernel.program},
            {"unit", kernel.has_warps ? "warp" : "work-item"},
            {"launches", kernel.launches},
            {"records", kernel.records},
            {"records_lost", kernel.lost_records},
            {"locations", std::move(locations)}};
}

Json timer_json(const TimerSum& timer)
{
    return {{"pid", timer.pid},
            {"device", timer.device != 0 ? Json(timer.device) : Json(nullptr)},
            {"queue", timer.device == 0 ? Json(timer.queue) : Json(nullptr)},
            {"launches", timer.launches},
            {"launches_with_command", timer.with_command},
            {"launches_mapped", timer.mapped},
            {"bounded_by", bound_json(timer.bound_by)},
            {"call_conflicts", timer.call_conflicts},
            {"command_conflicts", timer.command_conflicts},
            {"offset_ns", timer.offset ? Json(timer.offset->value()) : Json(nullptr)},
            {"error_max_ns", timer.mapped > 0 ? Json(timer.error_most.value()) : Json(nullptr)}};
}

Json counts_json(const LaunchSum& launch)
{
    Json list = Json::array();
    for (const LocationCount& count : launch.locations) {
        const auto lanes = mean_lanes(count.lanes, count.executions);
        list.push_back(
            {{"location", count.location},
             {"executions", count.executions},
             {"lanes_mean", lanes ? Json(*lanes) : Json(nullptr)},
             {"time_ns", launch.has_warps && launch.has_times ? Json(count.ns) : Json(nullptr)}});
    }
    return list;
}

Json launch_json(const LaunchSum& launch)
{
    Json json{{"launch", launch.number},
              {"kernel", launch.name},
              {"program", launch.program},
              {"queue", launch.queue},
              {"device_handle", launch.device != 0 ? Json(launch.device) : Json(nullptr)},
              {"command", launch.command ? Json(*launch.command) : Json(nullptr)},
              {"called_ns", launch.called.value()},
              {"observed_ns", launch.is_read ? Json(launch.observed.value()) : Json(nullptr)},
              {"status", launch.is_read ? Json(launch.status) : Json(nullptr)}};
    json.update(launch_facts(launch, Timestamp{}));
    json.update(
        Json{{"parts", launch.parts}, {"pid", launch.pid}, {"locations", counts_json(launch)}});
    return json;
}

} // namespace

std::string json_of(const DeviceTrace& trace)
{
    Json untraced = Json::array();
    for (const auto& [reason, left] : trace.untraced) {
        untraced.push_back(
            {{"reason", reason}, {"count", left.count}, {"example", text_json(left.example)}});
    }
    Json kernels = Json::array();
    for (const KernelSum& kernel : trace.kernels) {
        kernels.push_back(kernel_json(kernel));
    }
    Json launches = Json::array();
    for (const LaunchSum& launch : trace.launches) {
        launches.push_back(launch_json(launch));
    }
    Json timers = Json::array();
    for (const TimerSum& timer : trace.timers) {
        timers.push_back(timer_json(timer));
    }
    const Json document{{"schema", "lttng-gpu/device/1"},
                        {"accounting",
                         {{"untraced", std::move(untraced)},
                          {"launches_unread", trace.launches_unread},
                          {"parts_lost", trace.parts_lost},
                          {"parts_damaged", trace.parts_damaged}}},
                        {"kernels", std::move(kernels)},
                        {"launches", std::move(launches)},
                        {"timers", std::move(timers)}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace lttng_gpu::device
