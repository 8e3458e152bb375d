// SPDX-License-Identifier: MIT
//
// Kernels that were recorded inside (record --device-trace), as a report shows them: a row for
// each. All of it is of the whole trace, whatever the window is.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lttng_gpu::report {

/// Where a kernel spent most.
struct CostlyLocation {
    std::uint32_t number = 0;
    std::string kind; // empty: the trace does not name it
    std::string function;
    std::uint64_t line = 0; // 0: none, as for points of CUDA C++
    std::uint64_t column = 0;
    std::uint64_t executions = 0;
    std::optional<double> lanes;
    double share = 0;        // of the kernel's time, or of its executions
    bool is_of_time = false; // else of the executions
};

struct TracedKernel {
    std::string name;
    std::uint64_t program = 0;
    bool has_warps = false; // else executions are of work-items
    std::uint64_t launches = 0;
    std::uint64_t executions = 0; // of all locations
    std::uint64_t lost_records = 0;
    std::optional<double> lanes; // mean over all executions
    std::optional<CostlyLocation> costly;
    // Means over launches that have an interval on the device, the longer the heavier.
    std::optional<double> imbalance;
    std::optional<double> tail; // part of the launch
};

struct TracedKernels {
    std::vector<TracedKernel> kernels;
    std::map<std::string, std::uint64_t> untraced; // left alone, by reason
    std::uint64_t launches_unread = 0;
    std::uint64_t parts_lost = 0;
    std::uint64_t parts_damaged = 0;
    std::uint64_t conflicts = 0; // bounds of the device's timer that contradict each other
};

} // namespace lttng_gpu::report
