// SPDX-License-Identifier: MIT
//
// A device trace as the rows that a report shows.
#pragma once

#include "../device/device_trace.hpp"
#include "../report/traced_kernels.hpp"

namespace lttng_gpu::run {

report::TracedKernels traced_kernels(const device::DeviceTrace& trace);

} // namespace lttng_gpu::run
