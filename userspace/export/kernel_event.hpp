// SPDX-License-Identifier: MIT
//
// Something that happened inside of a launch of a kernel, to be written as an event of the device.
#pragma once

#include "../correlate/device/device_trace.hpp"
#include "../correlate/jobs/job.hpp"

namespace lttng_gpu::exporting {

enum class KernelStage : std::uint8_t { Begin, WarpBegin, Record, WarpEnd, Location, End };
inline constexpr std::size_t kernel_stages = 6;

/// A record, or the begin or end of a warp. Millions of them are in memory.
struct KernelRecord {
    Timestamp time;
    std::uint32_t location = 0; // of a Location its place in the launch's list
    std::uint32_t lanes = 0;    // a bit each; without warps the work-item's number
    std::uint32_t count = 0;
    std::uint32_t group = 0;
    std::uint16_t place = 0; // multiprocessor
    std::uint8_t warp = 0;
    KernelStage stage = KernelStage::Begin;
    model::Basis basis = model::Basis::Unknown;
};

struct KernelEvent {
    KernelRecord record;
    const device::LaunchSum* launch = nullptr;
    const device::KernelSum* kernel = nullptr;
};

} // namespace lttng_gpu::exporting
