// SPDX-License-Identifier: MIT
//
// One call of a Vulkan function that is recorded.
#pragma once

#include "functions.hpp"
#include "provider.hpp"
#include "runtime/recorded_call.hpp"

namespace lttng_gpu::vulkan {

struct CallEvents {
    using Function = Name;
    using Result = VkResult;

    static const int* call_state() { return events.call_state; }
    static const int* call_begin_state() { return events.call_begin_state; }
    static void write_call(uint64_t begin_ns, VkResult result, Name function)
    {
        const lttng_gpu_vulkan_call record = {begin_ns, result, uint16_t(function)};
        events.call(&record);
    }
    static void write_call_begin(Name function)
    {
        const lttng_gpu_vulkan_call_begin record = {uint16_t(function)};
        events.call_begin(&record);
    }
};

using Call = RecordedCall<CallEvents>;

} // namespace lttng_gpu::vulkan
