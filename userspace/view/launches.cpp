// SPDX-License-Identifier: MIT
//
// See launches.hpp.
#include "launches.hpp"

#include "../correlate/device/launch_facts.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace lttng_gpu::view {
namespace {

using Json = nlohmann::ordered_json;
using device::LaunchSum;

constexpr std::size_t launches_of_piece = 256;

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

Json launch_json(const LaunchSum& launch, Timestamp origin)
{
    Json locations = Json::array();
    for (const device::LocationCount& count : launch.locations) {
        const auto lanes = device::mean_lanes(count.lanes, count.executions);
        locations.push_back(
            {count.location, count.executions, lanes ? Json(*lanes) : Json(nullptr), count.ns});
    }
    Json json{{"kernel", launch.kernel},
              {"is_read", launch.is_read},
              {"locations", std::move(locations)}};
    json.update(device::launch_facts(launch, origin));
    return json;
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
    Json chunks = Json::array();
    for (std::size_t place = 0; place < launches.size();) {
        const LaunchSum& first = *launches[place];
        std::uint64_t last = 0;
        std::string piece = "{";
        for (std::size_t count = 0; count < launches_of_piece && place < launches.size() &&
                                    launches[place]->pid == first.pid;
             ++count, ++place) {
            last = *launches[place]->command;
            piece += (count > 0 ? ",\"" : "\"") + std::to_string(last) +
                     "\":" + dump(launch_json(*launches[place], origin));
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
