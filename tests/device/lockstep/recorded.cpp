// SPDX-License-Identifier: MIT
//
// The kernels as lttng-gpu-instrument changes them for a device with warps, with the recorder.
#include "kernels.hpp"

#include "opencl_c.hpp"

#define LTTNG_GPU_GLOBAL volatile
#define LTTNG_GPU_PLAIN
#define LTTNG_GPU_LOCAL volatile
#define LTTNG_GPU_SETTLED const
#define LTTNG_GPU_PRIVATE
#define LTTNG_GPU_INLINE static inline
#define LTTNG_GPU_RARE static inline
static inline uint add(volatile uint* place, uint value)
{
    const uint before = *place;
    *place = before + value;
    return before;
}
static inline uint swap(volatile uint* place, uint value)
{
    const uint before = *place;
    *place = value;
    return before;
}
#define LTTNG_GPU_ADD(place, value) add(place, value)
#define LTTNG_GPU_SWAP(place, value) swap(place, value)
#define LTTNG_GPU_FENCE() ((void)0)
#define LTTNG_GPU_BARRIER() lockstep::meet()
#define LTTNG_GPU_POPCOUNT(value) static_cast<uint>(__builtin_popcount(value))
#define LTTNG_GPU_CLZ(value) ((value) != 0 ? static_cast<uint>(__builtin_clz(value)) : 32u)
#define LTTNG_GPU_LOWEST(value) (31u - LTTNG_GPU_CLZ((value) & (0u - (value))))
#define LTTNG_GPU_WIDTH(value) (32u - LTTNG_GPU_CLZ(value))
#define LTTNG_GPU_ITEM() lockstep::item
#define LTTNG_GPU_ITEMS() lockstep::items
#define LTTNG_GPU_GROUP() lockstep::group
#define LTTNG_GPU_SIZE(i) ((i) == 0u ? lockstep::items : 1u)
#define LTTNG_GPU_GROUPS(i) ((i) == 0u ? lockstep::groups : 1u)
#define LTTNG_GPU_WARPS
#define LTTNG_GPU_LOCKSTEP
static uint lttng_gpu_active()
{
    return lockstep::active();
}
static ulong lttng_gpu_time()
{
    return 1;
}
static uint lttng_gpu_time_low()
{
    return 1;
}
static uint lttng_gpu_place()
{
    return 7;
}
static uint lttng_gpu_of_lane(uint value, uint lane, uint lanes)
{
    return lockstep::of_lane(value, lane, lanes);
}
static uint lttng_gpu_where(uint value, uint lanes)
{
    return lockstep::where(value, lanes);
}
static uint lttng_gpu_any(uint value, uint lanes)
{
    return lockstep::any(value, lanes);
}
static void lttng_gpu_sync(uint lanes)
{
    lockstep::sync(lanes);
}

#include "lttng_gpu_recorder.h"

namespace {
#include "recorded.inc"
} // namespace

const std::vector<lockstep::Kernel> lockstep::recorded = {
    {"counted", counted}, {"paths", paths}, {"nested", nested}, {"meeting", meeting}};
