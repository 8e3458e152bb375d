// SPDX-License-Identifier: MIT
//
// This library has a dlsym() of its own, through which programs that open their OpenGL libraries
// get wrappers.
#pragma once

namespace lttng_gpu::gl {

/// The C library's, or that of the next library that has one.
void* real_dlsym(void* handle, const char* name);

} // namespace lttng_gpu::gl
