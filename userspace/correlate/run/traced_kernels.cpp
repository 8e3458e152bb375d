// SPDX-License-Identifier: MIT
//
// See traced_kernels.hpp.
#include "traced_kernels.hpp"

namespace lttng_gpu::run {
namespace {

/// The location with the most time where times were recorded, else with the most executions.
std::optional<report::CostlyLocation> costly_of(const device::KernelSum& kernel)
{
    std::uint64_t ns = 0;
    std::uint64_t executions = 0;
    for (const auto& [number, location] : kernel.locations) {
        ns += location.ns;
        executions += location.executions;
    }
    const auto cost_of = [&](const device::LocationSum& location) {
        return ns > 0 ? location.ns : location.executions;
    };
    const std::uint64_t whole = ns > 0 ? ns : executions;
    const std::pair<const std::uint32_t, device::LocationSum>* most = nullptr;
    for (const auto& entry : kernel.locations) {
        if (most == nullptr || cost_of(entry.second) > cost_of(most->second)) {
            most = &entry;
        }
    }
    if (most == nullptr || whole == 0) {
        return {};
    }
    const device::LocationSum& location = most->second;
    report::CostlyLocation costly;
    costly.number = most->first;
    costly.kind = location.kind;
    costly.function = location.function;
    costly.line = location.line;
    costly.column = location.column;
    costly.executions = location.executions;
    costly.lanes = location.mean_lanes();
    costly.share = static_cast<double>(cost_of(location)) / static_cast<double>(whole);
    costly.is_of_time = ns > 0;
    return costly;
}

report::TracedKernel row_of(const device::KernelSum& kernel)
{
    report::TracedKernel row;
    row.name = kernel.name;
    row.program = kernel.program;
    row.has_warps = kernel.has_warps;
    row.launches = kernel.launches;
    row.lost_records = kernel.lost_records;
    std::uint64_t lanes = 0;
    for (const auto& [number, location] : kernel.locations) {
        row.executions += location.executions;
        lanes += location.lanes;
    }
    row.lanes = device::mean_lanes(lanes, row.executions);
    row.costly = costly_of(kernel);
    return row;
}

struct OnDevice {
    double ns = 0;
    double imbalance = 0; // times ns
    double tail = 0;      // ns
};

} // namespace

report::TracedKernels traced_kernels(const device::DeviceTrace& trace)
{
    report::TracedKernels traced;
    std::vector<OnDevice> on_device(trace.kernels.size());
    for (const device::LaunchSum& launch : trace.launches) {
        if (launch.has_interval()) {
            const auto ns = static_cast<double>(launch.end - launch.begin);
            OnDevice& sum = on_device[launch.kernel];
            sum.ns += ns;
            sum.imbalance += launch.imbalance * ns;
            sum.tail += static_cast<double>(launch.tail_ns);
        }
    }
    for (std::size_t place = 0; place < trace.kernels.size(); ++place) {
        report::TracedKernel row = row_of(trace.kernels[place]);
        if (const OnDevice& sum = on_device[place]; sum.ns > 0) {
            row.imbalance = sum.imbalance / sum.ns;
            row.tail = sum.tail / sum.ns;
        }
        traced.kernels.push_back(std::move(row));
    }
    for (const auto& [reason, untraced] : trace.untraced) {
        traced.untraced[reason] = untraced.count;
    }
    traced.launches_unread = trace.launches_unread;
    traced.parts_lost = trace.parts_lost;
    traced.parts_damaged = trace.parts_damaged;
    for (const device::TimerSum& timer : trace.timers) {
        traced.conflicts += timer.call_conflicts + timer.command_conflicts;
    }
    return traced;
}

} // namespace lttng_gpu::run
