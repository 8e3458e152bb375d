// SPDX-License-Identifier: MIT
//
// What decides how the source of a program is read and changed for a device.
#pragma once

#include "device.hpp"

namespace lttng_gpu::device {

/// What decides how a program is changed for a device.
struct Traits {
    char* extensions;     ///< and features; null without memory
    const char* standard; ///< option for the OpenCL C that it takes if none is given; or empty
    Warps warps;
};

/// `has_standard`: the build has an option for the version of OpenCL C.
Traits traits_of(cl_program program, cl_device_id device, bool has_standard);
bool are_same(const Traits& one, const Traits& other);

} // namespace lttng_gpu::device
