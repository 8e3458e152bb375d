// SPDX-License-Identifier: MIT
//
// Kernels that were recorded inside, for reports and pages: another reading, where there are any.
#pragma once

#include "../correlate/report/report.hpp"
#include "../correlate/run/device_reading.hpp"
#include "options.hpp"

#include <functional>

namespace lttng_gpu::cli {

/// Nothing: nothing was recorded inside, the traces can be read once only, or `should_stop` has
/// become true. Nothing that goes wrong fails the report: `device` says what it is.
std::optional<run::DeviceReading>
read_inside_of_kernels(const Options& options, Workers& workers,
                       const std::function<bool(const trace::EventSource&)>& should_stop);

} // namespace lttng_gpu::cli
