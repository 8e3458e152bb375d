// SPDX-License-Identifier: MIT
#include "harvest.hpp"

#include <pthread.h>
#include <stdlib.h>

#include "provider.hpp"
#include "runtime/bounded_wait.hpp"
#include "runtime/clock.hpp"
#include "runtime/drivers_end.hpp"
#include "runtime/thread_state.hpp"
#include "times.hpp"

namespace lttng_gpu::vulkan {

static constexpr uint64_t longest_wait_at_exit_ns = 2'000'000'000;

namespace {

/// Times of submissions on their way into one event.
class TimesBatch {
public:
    explicit TimesBatch(const Queue& queue)
        : m_record{handle(queue.handle),
                   0,
                   0,
                   LTTNG_GPU_VULKAN_VALID,
                   0,
                   m_command,
                   m_queued,
                   m_submit,
                   m_start,
                   m_end}
    {
    }
    TimesBatch(const TimesBatch&) = delete;
    TimesBatch& operator=(const TimesBatch&) = delete;
    ~TimesBatch() { write(); }

    void add(DeviceClock& clock, const TimesSlot& slot, uint64_t start, uint64_t end,
             uint64_t observed_ns)
    {
        const auto validity =
            start <= end && end ? LTTNG_GPU_VULKAN_VALID : LTTNG_GPU_VULKAN_DISORDERED;
        if (validity != m_record.validity || m_record.count == most) {
            write();
            m_record.validity = validity;
        }
        if (validity == LTTNG_GPU_VULKAN_VALID)
            note_start(clock, slot.begin_ns, start);
        const uint32_t place = m_record.count++;
        const auto earlier = [](uint64_t left, uint64_t right) {
            return left < right ? left : right;
        };
        m_command[place] = slot.submission;
        m_start[place] = start;
        m_end[place] = end;
        m_submit[place] = earlier(not_before(clock, slot.returned_ns), start);
        m_queued[place] = earlier(not_before(clock, slot.begin_ns), m_submit[place]);
        m_record.observed_ns = observed_ns;
    }

private:
    static constexpr uint32_t most = 16;

    void write()
    {
        if (m_record.count)
            events.command_times(&m_record);
        m_record.count = 0;
    }

    lttng_gpu_vulkan_command_times m_record;
    uint64_t m_command[most], m_queued[most], m_submit[most], m_start[most], m_end[most];
};

/// Two timestamps, each with its availability.
struct Results {
    uint64_t start, has_start, end, has_end;
};

} // namespace

/// Whether the GPU has done it. A query keeps the values of its last use until the GPU comes to
/// what readies it.
static VkResult read_results(const Device& device, const Times& times, uint32_t number,
                             Results& results)
{
    results = {};
    const VkResult result = device.next.vkGetQueryPoolResults(
        device.handle, times.queries, 2 * (number % Times::slots_count), 2, sizeof(results),
        &results, 2 * sizeof(uint64_t),
        VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    if (result < VK_SUCCESS)
        return result;
    const TimesSlot& slot = times.slots[number % Times::slots_count];
    const bool is_new = results.has_start && results.has_end && results.start != slot.old_start &&
                        results.end != slot.old_end;
    return is_new ? VK_SUCCESS : VK_NOT_READY;
}

static void write_untimed(const Queue& queue)
{
    for (unsigned reason = 0; reason < lttng_gpu_vulkan_untimed_reason_count; ++reason) {
        uint64_t& counted = queue.times->untimed[reason];
        if (!__atomic_load_n(&counted, __ATOMIC_RELAXED))
            continue;
        const uint64_t count = __atomic_exchange_n(&counted, 0, __ATOMIC_RELAXED);
        const lttng_gpu_vulkan_commands_untimed record = {handle(queue.handle), count,
                                                          uint8_t(reason)};
        if (count)
            events.commands_untimed(&record);
    }
}

static void report(Queue& queue)
{
    Times& times = *queue.times;
    Device& device = *queue.device;
    TimesBatch batch(queue);
    const uint32_t submitted = __atomic_load_n(&times.submitted, __ATOMIC_ACQUIRE);
    for (uint32_t number = times.reported; number != submitted; ++number) {
        TimesSlot& slot = times.slots[number % Times::slots_count];
        Results results;
        const VkResult result = read_results(device, times, number, results);
        if (result == VK_NOT_READY)
            break;
        if (result == VK_SUCCESS) {
            slot.old_start = results.start;
            slot.old_end = results.end;
            const uint64_t start = to_ns(device.clock, results.start);
            batch.add(device.clock, slot, start, to_ns(device.clock, results.end), read_clock_ns());
        } else { // the device is lost
            __atomic_fetch_add(&times.untimed[LTTNG_GPU_VULKAN_EXIT], 1, __ATOMIC_RELAXED);
        }
        __atomic_store_n(&times.reported, number + 1, __ATOMIC_RELEASE);
    }
}

static void harvest_now(Queue& queue)
{
    Times* const times = queue.times;
    if (!times || !queue.device->is_timed)
        return;
    times->since_poll = 0;
    if (__atomic_exchange_n(&times->is_harvested_now, true, __ATOMIC_ACQUIRE))
        return;
    read_device_clock(*queue.device, read_clock_ns(), false);
    report(queue);
    __atomic_store_n(&times->is_harvested_now, false, __ATOMIC_RELEASE);
    write_untimed(queue);
}

void harvest(Queue& queue)
{
    if (!is_in_section() && !is_in_other_call(1))
        harvest_now(queue);
}

void harvest_all(Device& device)
{
    for (Queue* queue = device.queues; queue; queue = queue->next)
        harvest(*queue);
}

/// Asks no driver.
static void count_what_is_left(Device& device)
{
    if (!device.is_timed)
        return;
    for (Queue* queue = device.queues; queue; queue = queue->next) {
        if (!queue->times)
            continue;
        Times& times = *queue->times;
        const uint32_t submitted = __atomic_load_n(&times.submitted, __ATOMIC_ACQUIRE);
        const uint32_t left =
            submitted - __atomic_exchange_n(&times.reported, submitted, __ATOMIC_ACQ_REL);
        __atomic_fetch_add(&times.untimed[LTTNG_GPU_VULKAN_EXIT], left, __ATOMIC_RELAXED);
        write_untimed(*queue);
    }
}

void end_times(Device& device)
{
    if (!device.is_timed)
        return;
    harvest_all(device);
    read_device_clock(device, read_clock_ns(), true);
    count_what_is_left(device);
}

/// With the list of devices locked, so that no other thread destroys one meanwhile.
static void ask_all_devices()
{
    devices.for_each([](Device& device) {
        if (!device.is_timed)
            return;
        for (Queue* queue = device.queues; queue; queue = queue->next)
            harvest_now(*queue);
        read_device_clock(device, read_clock_ns(), true);
    });
}

/// A driver's own thread that ends the program may hold the driver's locks; it is asked by another
/// thread then, and for some time only. Once only: after the first of the layer's exit handlers
/// that of a driver may have run.
static void harvest_before_drivers_end()
{
    static bool is_done = false;
    if (__atomic_exchange_n(&is_done, true, __ATOMIC_RELAXED) || is_in_other_call(0))
        return;
    if (thread_state.has_called)
        ask_all_devices();
    else
        run_within(longest_wait_at_exit_ns, ask_all_devices);
}

void expect_drivers_end()
{
    lttng_gpu::expect_drivers_end(harvest_before_drivers_end);
}

static void harvest_at_exit()
{
    harvest_before_drivers_end();
    if (!is_in_other_call(0))
        devices.for_each(count_what_is_left);
}

static void register_exit()
{
    atexit(harvest_at_exit);
}

void watch_exit()
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_exit);
}

void drop_times(Device& device)
{
    device.is_timed = false;
}

} // namespace lttng_gpu::vulkan
