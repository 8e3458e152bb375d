// SPDX-License-Identifier: MIT
//
// See launches.hpp.
#include "launches.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

namespace lttng_gpu::view {
namespace {

using Json = nlohmann::ordered_json;
using device::LaunchSum;

constexpr std::size_t launches_of_piece = 256;
/// Process and device.
using Timer = std::pair<std::int64_t, std::uint64_t>;

Timer timer_of(const LaunchSum& launch)
{
    return {launch.pid, launch.device};
}

Json kernel_json(const device::KernelSum& kernel)
{
    Json locations = Json::object();
    for (const auto& [number, location] : kernel.locations) {
        if (!location.kind.empty()) {
            locations[std::to_string(number)] = {location.kind, location.function, location.line,
                                                 location.column};
        }
    }
    return {{"name", kernel.name},
            {"unit", kernel.has_warps ? "warp" : "work-item"},
            {"has_times", kernel.has_warps && kernel.has_times},
            {"locations", std::move(locations)}};
}

Json rounded(const std::vector<double>& values)
{
    Json list = Json::array();
    for (const double value : values) {
        list.push_back(std::round(value * 100) / 100);
    }
    return list;
}

std::string_view basis_of(const LaunchSum& launch)
{
    switch (launch.bound_by) {
    case device::BoundBy::Commands:
        return "commands";
    case device::BoundBy::Calls:
        return "calls";
    case device::BoundBy::Nothing:
        break;
    }
    return "unknown";
}

/// By the device's timer. `begin` and `end` are since the page's origin.
Json device_json(const LaunchSum& launch, Timestamp origin, bool is_contradicted)
{
    if (!launch.has_interval()) {
        return nullptr;
    }
    const bool is_mapped = launch.begin_on_trace.has_value();
    return {{"begin", is_mapped ? Json((*launch.begin_on_trace - origin).value()) : Json(nullptr)},
            {"end", is_mapped ? Json((*launch.end_on_trace - origin).value()) : Json(nullptr)},
            {"error", is_mapped ? Json(launch.error.value()) : Json(nullptr)},
            {"basis", basis_of(launch)},
            {"is_contradicted", is_contradicted},
            {"duration", launch.end - launch.begin},
            {"warps", launch.warps},
            {"warps_mean", launch.mean_warps()},
            {"warps_most", launch.most_warps},
            {"waves", launch.waves()},
            {"multiprocessors", launch.places},
            {"imbalance", launch.imbalance},
            {"tail", launch.tail_ns},
            {"warps_over_time", rounded(launch.over_time.warps)},
            {"multiprocessors_over_time", rounded(launch.over_time.places)}};
}

Json launch_json(const LaunchSum& launch, Timestamp origin, bool is_contradicted)
{
    Json locations = Json::array();
    for (const device::LocationCount& count : launch.locations) {
        const auto lanes = device::mean_lanes(count.lanes, count.executions);
        locations.push_back(
            {count.location, count.executions, lanes ? Json(*lanes) : Json(nullptr), count.ns});
    }
    return {{"kernel", launch.kernel},
            {"is_read", launch.is_read},
            {"local_size", launch.local_size},
            {"groups", launch.groups},
            {"records", launch.records},
            {"records_lost", launch.lost_records},
            {"parts_lost", launch.parts_lost},
            {"locations", std::move(locations)},
            {"device", device_json(launch, origin, is_contradicted)}};
}

std::string dump(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace

Json write_launches(const device::DeviceTrace& trace, Timestamp origin, Blobs& blobs)
{
    std::vector<const LaunchSum*> launches;
    for (const LaunchSum& launch : trace.launches) {
        if (launch.command) {
            launches.push_back(&launch);
        }
    }
    std::ranges::stable_sort(launches, [](const LaunchSum* one, const LaunchSum* other) {
        return std::pair{one->pid, *one->command} < std::pair{other->pid, *other->command};
    });
    std::set<Timer> contradicted;
    for (const device::TimerSum& timer : trace.timers) {
        if (timer.command_conflicts > 0 && timer.bound_by == device::BoundBy::Calls) {
            contradicted.insert({timer.pid, timer.device});
        }
    }
    Json chunks = Json::array();
    for (std::size_t place = 0; place < launches.size();) {
        const LaunchSum& first = *launches[place];
        std::uint64_t last = 0;
        std::string piece = "{";
        for (std::size_t count = 0; count < launches_of_piece && place < launches.size() &&
                                    launches[place]->pid == first.pid;
             ++count, ++place) {
            last = *launches[place]->command;
            piece += (count > 0 ? ",\"" : "\"") + std::to_string(last) + "\":" +
                     dump(launch_json(*launches[place], origin,
                                      contradicted.contains(timer_of(*launches[place]))));
        }
        chunks.push_back({blobs.add(piece + '}'), first.pid, *first.command, last});
    }
    Json kernels = Json::array();
    for (const device::KernelSum& kernel : trace.kernels) {
        kernels.push_back(kernel_json(kernel));
    }
    return {{"kernels", std::move(kernels)},
            {"chunks", std::move(chunks)},
            {"without_command", trace.launches.size() - launches.size()}};
}

} // namespace lttng_gpu::view
