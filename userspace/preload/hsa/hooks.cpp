// SPDX-License-Identifier: MIT
#include "hooks.hpp"

#include "kernels.hpp"
#include "lifecycle.hpp"
#include "packets.hpp"
#include "runtime/clock.hpp"
#include "signals.hpp"
#include "tables.hpp"

namespace lttng_gpu::hsa {

/// For want of memory. What is put into them is counted when they go.
static int queues_without_record = 0;

void queue_is_created(Call& call, hsa_status_t result, hsa_agent_t agent, hsa_queue_t** queue)
{
    const bool is_made = result == HSA_STATUS_SUCCESS && queue && *queue;
    Queue* known = is_made ? add_queue(*queue, agent) : nullptr;
    if (is_made && !known)
        __atomic_add_fetch(&queues_without_record, 1, __ATOMIC_RELAXED);
    if (known && wants_times()) {
        start_profiling(*known);
        expect_drivers_end();
    }
    if (!EVENT_ENABLED(queue_create) || !is_made) {
        call.returned(result);
    } else {
        const lttng_gpu_hsa_queue_create record = {
            call.begin_ns(), result,       uint16_t(call.function()),
            handle(*queue),  agent.handle, (*queue)->size};
        events.queue_create(&record);
    }
    if (known && watches_packets())
        describe_queue(*known, now_ns());
}

hsa_status_t create_soft_queue(Call& call, decltype(&hsa_soft_queue_create) real,
                               hsa_region_t region, uint32_t size, hsa_queue_type32_t type,
                               uint32_t features, hsa_signal_t doorbell, hsa_queue_t** queue)
{
    const hsa_status_t result = real(region, size, type, features, doorbell, queue);
    queue_is_created(call, result, {0}, queue);
    return result;
}

static void count_unseen_packets(const Call& call, const hsa_queue_t* queue)
{
    if (!queue || !load_read_index || !EVENT_ENABLED(doorbell))
        return;
    const uint64_t packets = load_read_index(queue);
    if (!packets)
        return;
    const lttng_gpu_hsa_doorbell record = {
        call.begin_ns(), uint16_t(call.function()), handle(queue), packets, 0, packets};
    events.doorbell(&record);
}

/// The signals of its packets live on.
hsa_status_t destroy_queue(Call& call, decltype(&hsa_queue_destroy) real, hsa_queue_t* queue)
{
    const uint64_t number = handle(queue);
    if (Queue* known = find_queue(queue))
        forget_queue(*known);
    else if (__atomic_load_n(&queues_without_record, __ATOMIC_RELAXED))
        count_unseen_packets(call, queue);
    const hsa_status_t result = real(queue);
    if (!EVENT_ENABLED(queue_destroy)) {
        call.returned(result);
        return result;
    }
    const lttng_gpu_hsa_queue_destroy record = {call.begin_ns(), result, uint16_t(call.function()),
                                                number};
    events.queue_destroy(&record);
    return result;
}

/// If it is the last one, OnUnload() is called in it, and the runtime tells no times any more.
hsa_status_t shut_down(Call& call, decltype(&hsa_shut_down) real)
{
    see_all_signals();
    const hsa_status_t result = real();
    call.returned(result);
    return result;
}

hsa_status_t destroy_signal(Call& call, decltype(&hsa_signal_destroy) real, hsa_signal_t signal)
{
    signal_ends(signal);
    const hsa_status_t result = real(signal);
    call.returned(result);
    return result;
}

/// The times come after the event of the call, and before the program goes on: so it is known what
/// the call waited for.
hsa_signal_value_t wait_for_signal(Call& call, decltype(&hsa_signal_wait_relaxed) real,
                                   hsa_signal_t signal, hsa_signal_condition_t condition,
                                   hsa_signal_value_t value, uint64_t timeout,
                                   hsa_wait_state_t state)
{
    const hsa_signal_value_t result = real(signal, condition, value, timeout, state);
    call.returned(0);
    signal_is_seen(signal);
    return result;
}

uint32_t wait_for_any(Call& call, decltype(&hsa_amd_signal_wait_any) real, uint32_t count,
                      hsa_signal_t* signals, hsa_signal_condition_t* conditions,
                      hsa_signal_value_t* values, uint64_t timeout, hsa_wait_state_t state,
                      hsa_signal_value_t* value)
{
    const uint32_t which = real(count, signals, conditions, values, timeout, state, value);
    call.returned(0);
    if (which < count)
        signal_is_seen(signals[which]);
    return which;
}

/// What the program sets is set, but the layer's wish stays: times that the program does not ask
/// for do it no harm.
hsa_status_t set_profiler_enabled(Call& call,
                                  decltype(&hsa_amd_profiling_set_profiler_enabled) real,
                                  hsa_queue_t* queue, int enable)
{
    Queue* known = find_queue(queue);
    const int is_enabled =
        enable ||
        (known && __atomic_load_n(&known->is_profiled, __ATOMIC_RELAXED) && wants_times());
    const hsa_status_t result = real(queue, is_enabled);
    if (known && result == HSA_STATUS_SUCCESS)
        __atomic_store_n(&known->is_profiled, int(is_enabled != 0), __ATOMIC_RELAXED);
    call.returned(result);
    return result;
}

hsa_status_t symbol_info(Call& call, decltype(&hsa_executable_symbol_get_info) real,
                         hsa_executable_symbol_t symbol, hsa_executable_symbol_info_t attribute,
                         void* value)
{
    const hsa_status_t result = real(symbol, attribute, value);
    call.returned(result);
    if (result == HSA_STATUS_SUCCESS && attribute == HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT)
        note_kernel(symbol, *static_cast<const uint64_t*>(value));
    return result;
}

static void ring(Name function, decltype(&hsa_signal_store_relaxed) real, Queue& queue,
                 hsa_signal_t signal, hsa_signal_value_t value)
{
    Call call{function};
    if (wants_times() && !__atomic_load_n(&queue.is_profiled, __ATOMIC_RELAXED))
        start_profiling(queue);
    describe_queue(queue, call.begin_ns());
    const hsa_queue_t* const number = queue.handle;
    const bool is_first = __atomic_load_n(&queue.rung, __ATOMIC_RELAXED) == 0;
    const Seen seen = see_packets(call, queue, uint64_t(value));
    real(signal, value);
    if (is_first && wants_times())
        expect_drivers_end();
    if (!EVENT_ENABLED(doorbell))
        return;
    const lttng_gpu_hsa_doorbell record = {call.begin_ns(), uint16_t(function), handle(number),
                                           uint64_t(value), seen.packets,       seen.missed};
    events.doorbell(&record);
}

void store_signal(Name function, decltype(&hsa_signal_store_relaxed) real, hsa_signal_t signal,
                  hsa_signal_value_t value)
{
    Queue* queue = queue_of_doorbell(signal);
    if (queue && watches_packets()) {
        ring(function, real, *queue, signal, value);
        return;
    }
    signal_is_seen(signal);
    real(signal, value);
}

void note_stored_index(const hsa_queue_t* handle, uint64_t value)
{
    Queue* queue = find_queue(handle);
    if (queue)
        note_reserved(handle, __atomic_load_n(&queue->next, __ATOMIC_RELAXED), value);
}

} // namespace lttng_gpu::hsa
