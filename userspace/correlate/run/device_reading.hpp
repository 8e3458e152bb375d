// SPDX-License-Identifier: MIT
//
// The device trace of traces: a reading of its own, and another one for the times of commands where
// launches have a time on the device.
#pragma once

#include "../device/device_trace.hpp"
#include "../trace/open/open_traces.hpp"

#include <filesystem>
#include <functional>

namespace lttng_gpu::run {

struct DeviceReading {
    device::DeviceTrace trace;
    std::uint64_t losses = 0;     // gaps that the tracer announced
    std::optional<Error> stopped; // reading failed on the way
};

/// False: it is known before reading that nothing inside of kernels was recorded.
bool may_have_device_trace(const trace::EventSource& source, trace::Reader reader);

/// Of whole traces, none that is being recorded; `options.begin` and `end` are ignored. Nothing: no
/// kernel was recorded inside, and none left alone. `on_progress` is called with each source while
/// it is read and may be empty; what it throws goes on to the caller.
Expected<std::optional<DeviceReading>>
read_device_trace(const std::vector<std::filesystem::path>& traces, trace::ReadOptions options,
                  const std::function<void(const trace::EventSource&)>& on_progress = {});

} // namespace lttng_gpu::run
