// SPDX-License-Identifier: MIT
//
// OpenCL C as C++, as far as the kernels here use it.
#pragma once

#include "warp.hpp"

#define kernel static
#define global
#define local
#define __global
#define __local
#define __private
#define CLK_LOCAL_MEM_FENCE 0
#define barrier(what) lockstep::meet()
#define get_global_id(dimension)                                                                   \
    static_cast<int>(lockstep::group * lockstep::items + lockstep::item)
