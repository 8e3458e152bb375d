// SPDX-License-Identifier: MIT
#include "queues.hpp"

#include <stdlib.h>
#include <string.h>

#include "lifecycle.hpp"
#include "objects.hpp"
#include "provider.hpp"
#include "runtime/handle_table.hpp"
#include "runtime/recent.hpp"
#include "tables.hpp"

namespace lttng_gpu::opencl {

/// A program that never waits for its commands is its own to blame; the layer's memory stays
/// bounded.
static constexpr uint32_t most_pending = 1 << 16;
static constexpr unsigned commands_at_once = 64;

static HandleTable<Queue*> queues_by_handle;
static Queue* first_queue = nullptr;
static SpinLock list_lock;

Queue* all_queues()
{
    return __atomic_load_n(&first_queue, __ATOMIC_ACQUIRE);
}

static uint32_t queues_forgotten = 0;
static thread_local Recent<Queue*> recent_queue
    __attribute__((tls_model("initial-exec"))) = {nullptr, nullptr, 0};

/// Without a lock.
static Queue* find_in_list(cl_command_queue handle)
{
    for (Queue* queue = all_queues(); queue; queue = queue->next) {
        if (queue->handle == handle && !queue->is_released)
            return queue;
    }
    return nullptr;
}

Queue* known_queue(cl_command_queue handle)
{
    if (is_in_section())
        return find_in_list(handle);
    return find_recent(recent_queue, queues_forgotten, handle, [&] {
        Queue* found = nullptr;
        queues_by_handle.with(handle, [&](Queue* queue) { found = queue; });
        return found;
    });
}

/// The list lock is held. Is nobody's: released, nothing pending, nobody at it.
static bool is_unused(Queue& queue)
{
    Guard guard(queue.lock);
    return queue.is_released && !queue.pending.first && !queue.is_harvested_now;
}

static Queue* take_record()
{
    for (Queue* queue = first_queue; queue; queue = queue->next) {
        if (is_unused(*queue)) {
            queue->is_released = false;
            return queue;
        }
    }
    auto* queue = static_cast<Queue*>(calloc(1, sizeof(Queue)));
    if (!queue)
        return nullptr;
    queue->next = first_queue;
    __atomic_store_n(&first_queue, queue, __ATOMIC_RELEASE);
    return queue;
}

/// False without memory.
static bool copy_array(Queue& queue, const cl_queue_properties* array)
{
    free(queue.array);
    queue.array = nullptr;
    queue.array_bytes = 0;
    if (!array)
        return true;
    size_t count = 0;
    while (array[count])
        count += 2;
    const size_t bytes = (count + 1) * sizeof(*array);
    queue.array = static_cast<cl_queue_properties*>(malloc(bytes));
    if (!queue.array)
        return false;
    memcpy(queue.array, array, bytes);
    queue.array_bytes = bytes;
    return true;
}

/// `keeps_known`: another thread may have noted the queue meanwhile, and its record stays.
static Queue* add(cl_command_queue handle, lttng_gpu_opencl_profiling profiling,
                  cl_command_queue_properties properties, const cl_queue_properties* array,
                  cl_uint references, bool keeps_known)
{
    start_tracking();
    cl_context context = nullptr;
    cl_device_id device = nullptr;
    if (core().clGetCommandQueueInfo(handle, CL_QUEUE_CONTEXT, sizeof(context), &context,
                                     nullptr) != CL_SUCCESS)
        return nullptr;
    core().clGetCommandQueueInfo(handle, CL_QUEUE_DEVICE, sizeof(device), &device, nullptr);
    Queue* older = nullptr;
    Queue* queue;
    {
        Guard guard(list_lock);
        queues_by_handle.with(handle, [&](Queue* known) { older = known; });
        if (older && keeps_known)
            return older;
        if (older)
            forget_queue(*older);
        queue = take_record();
        if (!queue)
            return nullptr;
        queue->handle = handle;
        queue->context = context;
        queue->device = device;
        queue->properties = properties;
        queue->profiling = profiling;
        queue->is_out_of_order = properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
        queue->references = references;
        queue->described_ns = 0;
        queue->describe_again_after_ns = 0;
        queue->used_ns = 0;
        queue->has_command = false;
        memset(queue->last_times, 0, sizeof(queue->last_times));
        if (copy_array(*queue, array) && queues_by_handle.set(handle, queue))
            return queue;
    }
    forget_queue(*queue); // for another one
    return nullptr;
}

Queue* add_queue(cl_command_queue handle, lttng_gpu_opencl_profiling profiling,
                 cl_command_queue_properties properties, const cl_queue_properties* array)
{
    return add(handle, profiling, properties, array, 1, false);
}

Queue* find_queue(cl_command_queue handle)
{
    Queue* queue = known_queue(handle);
    if (queue || !handle)
        return queue;
    cl_command_queue_properties properties = 0;
    if (core().clGetCommandQueueInfo(handle, CL_QUEUE_PROPERTIES, sizeof(properties), &properties,
                                     nullptr) != CL_SUCCESS)
        return nullptr;
    cl_uint references = 1;
    core().clGetCommandQueueInfo(handle, CL_QUEUE_REFERENCE_COUNT, sizeof(references), &references,
                                 nullptr);
    return add(handle,
               properties & CL_QUEUE_PROFILING_ENABLE ? LTTNG_GPU_OPENCL_PROFILING_APPLICATION
                                                      : LTTNG_GPU_OPENCL_PROFILING_OFF,
               properties, nullptr, references, true);
}

void forget_queue(Queue& queue)
{
    queues_by_handle.remove_if(queue.handle, [&](Queue* known) { return known == &queue; });
    __atomic_add_fetch(&queues_forgotten, 1, __ATOMIC_RELEASE);
    Guard guard(queue.lock);
    queue.is_released = true;
}

constexpr uint64_t first_pause_ns = 1'000'000, longest_pause_ns = 1'000'000'000;
/// Longer than a program at work leaves between two commands.
constexpr uint64_t new_session_after_ns = 20'000'000;

/// Another thread may have read the clock later and come here earlier.
static bool is_later(uint64_t time, uint64_t other)
{
    return int64_t(time - other) >= 0;
}

void describe_queue(Queue& queue, uint64_t now)
{
    const uint64_t used = __atomic_load_n(&queue.used_ns, __ATOMIC_RELAXED);
    __atomic_store_n(&queue.used_ns, now, __ATOMIC_RELAXED);
    const uint64_t described = __atomic_load_n(&queue.described_ns, __ATOMIC_RELAXED);
    uint64_t pause = __atomic_load_n(&queue.describe_again_after_ns, __ATOMIC_RELAXED);
    const bool is_anew = !described || is_later(now, used + new_session_after_ns);
    if (is_anew)
        pause = 0;
    else if (!is_later(now, described + pause))
        return;
    const uint64_t next_pause = pause ? 10 * pause : first_pause_ns;
    __atomic_store_n(&queue.described_ns, now, __ATOMIC_RELAXED);
    __atomic_store_n(&queue.describe_again_after_ns,
                     next_pause < longest_pause_ns ? next_pause : longest_pause_ns,
                     __ATOMIC_RELAXED);
    describe_device(queue.device, now, pause ? pause : first_pause_ns);
    if (!EVENT_ENABLED(queue))
        return;
    const lttng_gpu_opencl_queue record = {handle(queue.handle), handle(queue.context),
                                           handle(queue.device), queue.properties,
                                           uint8_t(queue.profiling)};
    events.queue(&record);
}

/// The queue's lock is held.
static Command* take_free_command(Queue& queue)
{
    if (!queue.free_commands) {
        auto* commands = static_cast<Command*>(calloc(commands_at_once, sizeof(Command)));
        for (unsigned i = 0; commands && i < commands_at_once; ++i) {
            commands[i].next = queue.free_commands;
            queue.free_commands = &commands[i];
        }
    }
    Command* command = queue.free_commands;
    if (command)
        queue.free_commands = command->next;
    return command;
}

bool append_command(Queue& queue, const Command& command)
{
    Guard guard(queue.lock);
    const bool has_room = queue.pending_count < most_pending;
    Command* copy = has_room ? take_free_command(queue) : nullptr;
    if (!copy) {
        const auto reason = has_room ? LTTNG_GPU_OPENCL_NO_MEMORY : LTTNG_GPU_OPENCL_BACKLOG;
        __atomic_fetch_add(&queue.untimed[reason], 1, __ATOMIC_RELAXED);
        return false;
    }
    *copy = command;
    queue.pending.append(copy);
    ++queue.pending_count;
    __atomic_fetch_add(&queue.untold, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&queue.enqueued_since_poll, queue.enqueued_since_poll + 1, __ATOMIC_RELAXED);
    return true;
}

bool take_untold(Queue& queue, uint32_t count)
{
    uint32_t left = __atomic_load_n(&queue.untold, __ATOMIC_RELAXED);
    while (left >= count) {
        if (__atomic_compare_exchange_n(&queue.untold, &left, left - count, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return true;
    }
    return false;
}

uint32_t take_all_untold(Queue& queue)
{
    return __atomic_exchange_n(&queue.untold, 0, __ATOMIC_RELAXED);
}

void drop_pending(Queue& queue)
{
    while (Command* command = queue.pending.take_first()) {
        command->next = queue.free_commands;
        queue.free_commands = command;
    }
    queue.pending = {};
    queue.pending_count = 0;
    queue.untold = 0;
    queue.is_harvested_now = false;
    for (uint64_t& count : queue.untimed)
        count = 0;
}

void count_untimed(Queue& queue, lttng_gpu_opencl_untimed_reason reason)
{
    Guard guard(queue.lock);
    __atomic_fetch_add(&queue.untimed[reason], 1, __ATOMIC_RELAXED);
    __atomic_store_n(&queue.enqueued_since_poll, queue.enqueued_since_poll + 1, __ATOMIC_RELAXED);
}

void lock_queues()
{
    list_lock.lock();
    queues_by_handle.lock_all();
    for (Queue* queue = first_queue; queue; queue = queue->next)
        queue->lock.lock();
}

void unlock_queues()
{
    for (Queue* queue = first_queue; queue; queue = queue->next)
        queue->lock.unlock();
    queues_by_handle.unlock_all();
    list_lock.unlock();
}

} // namespace lttng_gpu::opencl
