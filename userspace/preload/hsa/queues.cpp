// SPDX-License-Identifier: MIT
#include "queues.hpp"

#include <stdlib.h>
#include <string.h>

#include "devices.hpp"
#include "provider.hpp"
#include "runtime/clock.hpp"
#include "runtime/handle_table.hpp"
#include "tables.hpp"

namespace lttng_gpu::hsa {

static HandleTable<Queue*> by_handle, by_doorbell;
static SpinLock records_lock;
static Queue* records = nullptr;

static constexpr uint64_t first_pause_ns = 1'000'000;
static constexpr uint64_t longest_pause_ns = 1'000'000'000;

/// Of a queue that is gone, or a new one.
static Queue* take_record(hsa_queue_t* handle)
{
    Guard guard(records_lock);
    Queue* queue = records;
    while (queue && queue->handle)
        queue = queue->next_record;
    if (!queue) {
        queue = static_cast<Queue*>(calloc(1, sizeof(Queue)));
        if (!queue)
            return nullptr;
        queue->next_record = records;
        records = queue;
    }
    queue->handle = handle;
    return queue;
}

Queue* add_queue(hsa_queue_t* handle, hsa_agent_t agent)
{
    Queue* queue = take_record(handle);
    if (!queue)
        return nullptr;
    {
        Guard guard(queue->lock);
        if (queue->places < handle->size) {
            free(queue->reserved_ns);
            queue->reserved_ns = static_cast<uint64_t*>(calloc(handle->size, sizeof(uint64_t)));
        } else {
            memset(queue->reserved_ns, 0, handle->size * sizeof(uint64_t));
        }
        queue->places = queue->reserved_ns ? handle->size : 0;
        queue->next = queue->rung = 0;
    }
    queue->agent = agent;
    queue->doorbell = handle->doorbell_signal.handle;
    queue->described_ns = 0;
    queue->is_profiled = 0;
    // In both tables or in none: what is in one only would outlive the queue.
    if (by_handle.set(handle, queue) && by_doorbell.set(key(queue->doorbell), queue))
        return queue;
    forget_queue(*queue);
    return nullptr;
}

static Queue* find(HandleTable<Queue*>& table, const void* handle)
{
    Queue* queue = nullptr;
    table.with(handle, [&](Queue* known) { queue = known; });
    return queue;
}

Queue* find_queue(const hsa_queue_t* handle)
{
    return find(by_handle, handle);
}

Queue* queue_of_doorbell(hsa_signal_t signal)
{
    return find(by_doorbell, key(signal.handle));
}

void forget_queue(Queue& queue)
{
    by_handle.remove(queue.handle);
    by_doorbell.remove(key(queue.doorbell));
    Guard guard(records_lock);
    queue.handle = nullptr;
}

void forget_queues()
{
    by_handle.clear();
    by_doorbell.clear();
    Guard guard(records_lock);
    for (Queue* queue = records; queue; queue = queue->next_record)
        queue->handle = nullptr;
}

void note_reserved(const hsa_queue_t* handle, uint64_t begin, uint64_t end)
{
    const uint64_t now = now_ns();
    Queue* queue = find_queue(handle);
    if (!queue || end <= begin)
        return;
    Guard guard(queue->lock);
    if (!queue->places)
        return;
    if (end - begin > queue->places)
        begin = end - queue->places;
    for (uint64_t index = begin; index != end; ++index)
        queue->reserved_ns[index & (queue->places - 1)] = now;
}

static void write_queue(const Queue& queue)
{
    const lttng_gpu_hsa_queue record = {
        handle(queue.handle),
        queue.agent.handle,
        queue.doorbell,
        handle(queue.handle->base_address),
        queue.handle->id,
        queue.handle->size,
        uint8_t(__atomic_load_n(&queue.is_profiled, __ATOMIC_RELAXED))};
    events.queue(&record);
}

void describe_queue(Queue& queue, uint64_t now)
{
    const uint64_t last = __atomic_load_n(&queue.described_ns, __ATOMIC_RELAXED);
    uint64_t after = __atomic_load_n(&queue.describe_again_after_ns, __ATOMIC_RELAXED);
    if (!last)
        after = first_pause_ns;
    else if (now - last < after)
        return;
    else if (after < longest_pause_ns)
        after *= 10;
    __atomic_store_n(&queue.describe_again_after_ns, after, __ATOMIC_RELAXED);
    // A pause of nothing: whoever is first tells the device again, too.
    const uint64_t pause = last ? after / 2 : 0;
    __atomic_store_n(&queue.described_ns, now, __ATOMIC_RELAXED);
    describe_device(queue.agent, now, pause);
    if (EVENT_ENABLED(queue))
        write_queue(queue);
}

void start_profiling(Queue& queue)
{
    const auto enable = runtime().hsa_amd_profiling_set_profiler_enabled;
    if (queue.agent.handle && enable && enable(queue.handle, 1) == HSA_STATUS_SUCCESS)
        __atomic_store_n(&queue.is_profiled, 1, __ATOMIC_RELAXED);
}

void lock_queues()
{
    by_handle.lock_all();
    by_doorbell.lock_all();
    records_lock.lock();
    for (Queue* queue = records; queue; queue = queue->next_record)
        queue->lock.lock();
}

void unlock_queues()
{
    for (Queue* queue = records; queue; queue = queue->next_record)
        queue->lock.unlock();
    records_lock.unlock();
    by_doorbell.unlock_all();
    by_handle.unlock_all();
}

} // namespace lttng_gpu::hsa
