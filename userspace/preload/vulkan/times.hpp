// SPDX-License-Identifier: MIT
//
// When the GPU ran a submission, on request (LTTNG_GPU_VULKAN_TIMES=1 and a session with
// command_times): two command buffers of the layer stand around the program's, each of which writes
// one timestamp. They are made with the queue and used again and again, so that a submission
// allocates nothing. Times are read without waiting: at later submissions, where the program waits,
// and at its end.
#pragma once

#include "calls.hpp"
#include "devices.hpp"

namespace lttng_gpu::vulkan {

/// One submission under way, and its two queries.
struct TimesSlot {
    VkCommandBuffer before, after;
    uint64_t submission, begin_ns, returned_ns;
    /// Of the use before this one: a query has them until the GPU begins with the new one.
    uint64_t old_start, old_end;
};

/// Of one queue. The program lets no two submissions of it overlap.
struct Times {
    static constexpr uint32_t slots_count = 128; ///< a power of 2
    static constexpr uint32_t most_batches = 16, most_buffers = 128;

    VkCommandPool commands;
    VkQueryPool queries;
    TimesSlot slots[slots_count];
    uint32_t submitted, reported; ///< so many; what is between both is under way
    uint32_t since_poll;
    bool is_harvested_now;
    uint64_t untimed[lttng_gpu_vulkan_untimed_reason_count];
    union {
        VkSubmitInfo batches[most_batches];
        VkSubmitInfo2 batches2[most_batches];
    };
    /// Of the first batch and of the last one.
    union {
        VkCommandBuffer buffers[2][most_buffers + 2];
        VkCommandBufferSubmitInfo buffers2[2][most_buffers + 2];
    };
};

/// What the program's environment asks for.
enum class TimesWish : uint8_t {
    none,
    calibrated,
    uncalibrated, ///< without the extension that reads both clocks
};
TimesWish find_wish();

/// When a queue is got: null where its family writes no timestamps.
Times* make_times(Device& device, uint32_t family, VkQueueFlags flags, uint32_t timestamp_bits);
/// The device is idle and goes.
void free_times(Device& device, Times& times);

class TimedSubmission {
public:
    TimedSubmission(const Call& call, Device& device, VkQueue queue);

    /// What is to be submitted: the layer's own batches where there is something to time.
    const VkSubmitInfo* surround(uint32_t count, const VkSubmitInfo* batches);
    const VkSubmitInfo2* surround(uint32_t count, const VkSubmitInfo2* batches);

    /// Whether the submission is one whose times are told, or missed.
    bool is_command() const { return m_slot || m_is_missed; }
    /// It was given to the queue.
    void submitted(uint64_t submission, uint64_t returned_ns);

private:
    template <class Batch> const Batch* surround_batches(uint32_t count, const Batch* batches);
    template <class Batch> bool is_possible(uint32_t count, const Batch* batches);
    void miss(lttng_gpu_vulkan_untimed_reason reason);

    const Call& m_call;
    Queue* m_queue = nullptr;
    Times* m_times = nullptr;
    TimesSlot* m_slot = nullptr;
    bool m_is_missed = false;
    lttng_gpu_vulkan_untimed_reason m_reason = LTTNG_GPU_VULKAN_UNSUPPORTED;
};

} // namespace lttng_gpu::vulkan
