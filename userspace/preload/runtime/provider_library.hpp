// SPDX-License-Identifier: MIT
//
// An API's LTTng-UST provider: a library of its own beside the layer's, so that a program runs with
// the layer where LTTng-UST is not installed.
#pragma once

namespace lttng_gpu {

/// dlopen()s the library of that file name; null where it, or LTTng-UST, is not installed, which is
/// no reason to say anything, in a program that runs with more privileges than its user has, and in
/// one that has a filter of seccomp, unless the library is there already.
/// The library is never closed.
void* open_provider_library(const char* file_name);

} // namespace lttng_gpu
