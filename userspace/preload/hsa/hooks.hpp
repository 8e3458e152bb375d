// SPDX-License-Identifier: MIT
//
// What wrappers cannot do alone. Each hook is handed the next function as `real`, and calls it.
#pragma once

#include "calls.hpp"
#include "queues.hpp"
#include "signals.hpp"

namespace lttng_gpu::hsa {

/// While these are false, a wrapper does nothing but jump to the next function.
inline bool watches_calls()
{
    return any(events.call_state);
}
inline bool watches_blocking_calls()
{
    return any(events.call_state, events.call_begin_state);
}
inline bool watches_packets()
{
    return any(events.doorbell_state, events.packet_state, events.command_times_state);
}
/// Queues and kernels are noted at all times: a session may begin later.
inline bool watches_create_queue()
{
    return true;
}
inline bool watches_create_soft_queue()
{
    return true;
}
inline bool watches_destroy_queue()
{
    return true;
}
inline bool watches_symbol_info()
{
    return true;
}
inline bool watches_set_profiler_enabled()
{
    return true;
}
inline bool watches_shut_down()
{
    return any(events.call_state, events.call_begin_state, &expected_signals);
}
inline bool watches_destroy_signal()
{
    return any(events.call_state, &expected_signals);
}
inline bool watches_wait_for_signal()
{
    return any(events.call_state, events.call_begin_state, &expected_signals);
}
inline bool watches_wait_for_any()
{
    return watches_wait_for_signal();
}
inline bool watches_change_signal()
{
    return any(&expected_signals);
}
inline bool watches_store_signal()
{
    return any(events.doorbell_state, events.packet_state, events.command_times_state,
               &expected_signals);
}
inline bool watches_add_write_index()
{
    return any(events.packet_state);
}
inline bool watches_cas_write_index()
{
    return any(events.packet_state);
}
inline bool watches_store_write_index()
{
    return any(events.packet_state);
}

/// The call that made a queue; `result` and `*queue` are what it gave.
void queue_is_created(Call& call, hsa_status_t result, hsa_agent_t agent, hsa_queue_t** queue);

template <class Real, class... Rest>
hsa_status_t
create_queue(Call& call, Real real, hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
             void (*callback)(hsa_status_t, hsa_queue_t*, void*), void* data,
             uint32_t private_segment_size, uint32_t group_segment_size, hsa_queue_t** queue)
{
    const hsa_status_t result =
        real(agent, size, type, callback, data, private_segment_size, group_segment_size, queue);
    queue_is_created(call, result, agent, queue);
    return result;
}

hsa_status_t create_soft_queue(Call& call, decltype(&hsa_soft_queue_create) real,
                               hsa_region_t region, uint32_t size, hsa_queue_type32_t type,
                               uint32_t features, hsa_signal_t doorbell, hsa_queue_t** queue);
hsa_status_t destroy_queue(Call& call, decltype(&hsa_queue_destroy) real, hsa_queue_t* queue);
hsa_status_t shut_down(Call& call, decltype(&hsa_shut_down) real);
hsa_status_t destroy_signal(Call& call, decltype(&hsa_signal_destroy) real, hsa_signal_t signal);
hsa_signal_value_t wait_for_signal(Call& call, decltype(&hsa_signal_wait_relaxed) real,
                                   hsa_signal_t signal, hsa_signal_condition_t condition,
                                   hsa_signal_value_t value, uint64_t timeout,
                                   hsa_wait_state_t state);
uint32_t wait_for_any(Call& call, decltype(&hsa_amd_signal_wait_any) real, uint32_t count,
                      hsa_signal_t* signals, hsa_signal_condition_t* conditions,
                      hsa_signal_value_t* values, uint64_t timeout, hsa_wait_state_t state,
                      hsa_signal_value_t* value);
hsa_status_t set_profiler_enabled(Call& call,
                                  decltype(&hsa_amd_profiling_set_profiler_enabled) real,
                                  hsa_queue_t* queue, int enable);
hsa_status_t symbol_info(Call& call, decltype(&hsa_executable_symbol_get_info) real,
                         hsa_executable_symbol_t symbol, hsa_executable_symbol_info_t attribute,
                         void* value);

/// Of a doorbell or any other signal.
void store_signal(Name function, decltype(&hsa_signal_store_relaxed) real, hsa_signal_t signal,
                  hsa_signal_value_t value);

/// And, or, exchange and so on: what the signal says of a packet must be read before.
template <class Real, class... Rest>
auto change_signal(Real real, hsa_signal_t signal, Rest... rest)
{
    signal_is_seen(signal);
    return real(signal, rest...);
}

template <class Real> uint64_t add_write_index(Real real, const hsa_queue_t* queue, uint64_t count)
{
    const uint64_t begin = real(queue, count);
    note_reserved(queue, begin, begin + count);
    return begin;
}

template <class Real>
uint64_t cas_write_index(Real real, const hsa_queue_t* queue, uint64_t expected, uint64_t value)
{
    const uint64_t before = real(queue, expected, value);
    if (before == expected)
        note_reserved(queue, expected, value);
    return before;
}

/// Of a queue that one thread at a time writes to.
void note_stored_index(const hsa_queue_t* queue, uint64_t value);

template <class Real> void store_write_index(Real real, const hsa_queue_t* queue, uint64_t value)
{
    note_stored_index(queue, value);
    real(queue, value);
}

} // namespace lttng_gpu::hsa
