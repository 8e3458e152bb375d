// SPDX-License-Identifier: MIT
//
// Kernels that were recorded inside, in the report's JSON.
#pragma once

#include "json_values.hpp"

namespace lttng_gpu::report {

Json traced_kernels_json(const TracedKernels& traced);

} // namespace lttng_gpu::report
