// SPDX-License-Identifier: MIT
//
// The device trace as text and as JSON.
#pragma once

#include "../report/screen.hpp"
#include "device_trace.hpp"

namespace lttng_gpu::device {

std::string text_of(const DeviceTrace& trace, const report::Screen& screen);
/// Schema lttng-gpu/device/1.
std::string json_of(const DeviceTrace& trace);

} // namespace lttng_gpu::device
