// SPDX-License-Identifier: MIT
//
// This library has a dlsym() of its own, through which programs that open their OpenGL libraries
// get wrappers.
#pragma once

/// The address sanitizer calls dlsym() before it is ready for functions that it checks.
#define LTTNG_GPU_BEFORE_SANITIZERS __attribute__((no_sanitize("address", "undefined", "thread")))

namespace lttng_gpu::gl {

/// The C library's, or that of the next library that has one.
void* real_dlsym(void* handle, const char* name);

} // namespace lttng_gpu::gl
