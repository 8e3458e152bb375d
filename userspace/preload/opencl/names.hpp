// SPDX-License-Identifier: MIT
//
// Names of kernels. Each different name is kept once and for ever, so that events may borrow it.
#pragma once

#include "opencl_headers.hpp"

namespace lttng_gpu::opencl {

/// The kept copy; null without memory.
const char* keep_name(const char* name);

} // namespace lttng_gpu::opencl
