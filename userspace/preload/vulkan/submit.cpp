// SPDX-License-Identifier: MIT
//
// Work that is given to a queue.
#include "hooks.hpp"
#include "times.hpp"

namespace lttng_gpu::vulkan {

/// Of all batches of one call.
struct Tally {
    uint32_t command_buffers = 0, waits = 0, signals = 0;
};

static Tally tally_of(uint32_t count, const VkSubmitInfo* batches)
{
    Tally tally;
    for (uint32_t i = 0; i < count; ++i) {
        tally.command_buffers += batches[i].commandBufferCount;
        tally.waits += batches[i].waitSemaphoreCount;
        tally.signals += batches[i].signalSemaphoreCount;
    }
    return tally;
}

static Tally tally_of(uint32_t count, const VkSubmitInfo2* batches)
{
    Tally tally;
    for (uint32_t i = 0; i < count; ++i) {
        tally.command_buffers += batches[i].commandBufferInfoCount;
        tally.waits += batches[i].waitSemaphoreInfoCount;
        tally.signals += batches[i].signalSemaphoreInfoCount;
    }
    return tally;
}

static Tally tally_of(uint32_t count, const VkBindSparseInfo* batches)
{
    Tally tally;
    for (uint32_t i = 0; i < count; ++i) {
        tally.waits += batches[i].waitSemaphoreCount;
        tally.signals += batches[i].signalSemaphoreCount;
    }
    return tally;
}

/// Given when the call has returned, so that numbers ascend as events do.
static uint64_t next_submission()
{
    static uint64_t newest = 0;
    return __atomic_add_fetch(&newest, 1, __ATOMIC_RELAXED);
}

static void submitted(const Call& call, Device& device, VkQueue queue, VkResult result,
                      const Tally& tally, VkFence fence, TimedSubmission* timed)
{
    const bool is_command = timed && timed->is_command() && result == VK_SUCCESS;
    const uint64_t number = next_submission();
    const uint64_t returned_ns = is_command ? read_clock_ns() : 0;
    if (EVENT_ENABLED(submit)) {
        const lttng_gpu_vulkan_submit record = {
            call.begin_ns(), result,        uint16_t(call.function()),
            handle(queue),   number,        tally.command_buffers,
            tally.waits,     tally.signals, handle(fence),
            is_command};
        events.submit(&record);
    } else {
        call.returned(result);
    }
    if (is_command)
        timed->submitted(number, returned_ns);
    describe(device, find_queue(device, queue), call.begin_ns());
    tell_counts(device, call.begin_ns(), false);
}

VkResult submit(Call& call, Device& device, PFN_vkQueueSubmit real, VkQueue queue, uint32_t count,
                const VkSubmitInfo* batches, VkFence fence)
{
    TimedSubmission timed(call, device, queue);
    const VkResult result = real(queue, count, timed.surround(count, batches), fence);
    submitted(call, device, queue, result, tally_of(count, batches), fence, &timed);
    return result;
}

VkResult submit2(Call& call, Device& device, PFN_vkQueueSubmit2 real, VkQueue queue, uint32_t count,
                 const VkSubmitInfo2* batches, VkFence fence)
{
    TimedSubmission timed(call, device, queue);
    const VkResult result = real(queue, count, timed.surround(count, batches), fence);
    submitted(call, device, queue, result, tally_of(count, batches), fence, &timed);
    return result;
}

VkResult bind_sparse(Call& call, Device& device, PFN_vkQueueBindSparse real, VkQueue queue,
                     uint32_t count, const VkBindSparseInfo* batches, VkFence fence)
{
    const VkResult result = real(queue, count, batches, fence);
    submitted(call, device, queue, result, tally_of(count, batches), fence, nullptr);
    return result;
}

} // namespace lttng_gpu::vulkan
