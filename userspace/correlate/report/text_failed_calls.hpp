// SPDX-License-Identifier: MIT
//
// What is said of calls of an API that returned an error.
#pragma once

#include "report.hpp"

#include <string>

namespace lttng_gpu::report {

/// "clCreateKernel: 2 calls failed: CL_INVALID_KERNEL_NAME (-46)"; empty: none did.
std::string failed_calls_text(const ApiCallReport& call);

} // namespace lttng_gpu::report
