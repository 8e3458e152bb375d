/* SPDX-License-Identifier: MIT */
/*
 * What the HSA layer records (LTTng-UST); docs/hsa-events.md says what the events mean. The records that they are made
 * of, with one argument each, are in lttng_gpu_hsa_records.h.
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER lttng_gpu_hsa

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "instrumentation/events/lttng_gpu_hsa.h"

#include "instrumentation/events/lttng_gpu_fields.h"

#if !defined(LTTNG_GPU_HSA_EVENTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define LTTNG_GPU_HSA_EVENTS_H

#include <lttng/tracepoint.h>
#include "hsa_names.h" /* generated: the names of functions */
#include "instrumentation/events/lttng_gpu_hsa_records.h"
#include "instrumentation/events/lttng_gpu_piece.h"

#define gpu_enum_entry(_name, _value) lttng_ust_field_enum_value(_name, _value)

LTTNG_UST_TRACEPOINT_ENUM(lttng_gpu_hsa, function, LTTNG_UST_TP_ENUM_VALUES(LTTNG_GPU_HSA_FUNCTIONS(gpu_enum_entry)))
/* hsa_packet_type_t */
LTTNG_UST_TRACEPOINT_ENUM(lttng_gpu_hsa, packet_type, LTTNG_UST_TP_ENUM_VALUES(
	gpu_enum_entry("vendor_specific", 0)
	gpu_enum_entry("invalid", 1)
	gpu_enum_entry("kernel_dispatch", 2)
	gpu_enum_entry("barrier_and", 3)
	gpu_enum_entry("agent_dispatch", 4)
	gpu_enum_entry("barrier_or", 5)))
LTTNG_UST_TRACEPOINT_ENUM(lttng_gpu_hsa, times, LTTNG_UST_TP_ENUM_VALUES(
	gpu_enum_entry("expected", LTTNG_GPU_HSA_EXPECTED)
	gpu_enum_entry("no_signal", LTTNG_GPU_HSA_NO_SIGNAL)
	gpu_enum_entry("no_profiling", LTTNG_GPU_HSA_NO_PROFILING)
	gpu_enum_entry("seen_late", LTTNG_GPU_HSA_SEEN_LATE)
	gpu_enum_entry("no_memory", LTTNG_GPU_HSA_NO_MEMORY)))
LTTNG_UST_TRACEPOINT_ENUM(lttng_gpu_hsa, validity, LTTNG_UST_TP_ENUM_VALUES(
	gpu_enum_entry("valid", LTTNG_GPU_HSA_VALID)
	gpu_enum_entry("unavailable", LTTNG_GPU_HSA_UNAVAILABLE)
	gpu_enum_entry("disordered", LTTNG_GPU_HSA_DISORDERED)
	gpu_enum_entry("implausible", LTTNG_GPU_HSA_IMPLAUSIBLE)))
LTTNG_UST_TRACEPOINT_ENUM(lttng_gpu_hsa, untimed_reason, LTTNG_UST_TP_ENUM_VALUES(
	gpu_enum_entry("exit", LTTNG_GPU_HSA_EXIT)))

#define gpu_event(_name, ...)                                                                          \
	LTTNG_UST_TRACEPOINT_EVENT(lttng_gpu_hsa, _name,                                               \
		LTTNG_UST_TP_ARGS(const struct lttng_gpu_hsa_##_name *, r), gpu_fields(__VA_ARGS__))

/* Calls */

gpu_event(call,
	gpu_integer(uint64_t, begin_ns, r->begin_ns)
	gpu_integer(int32_t, result, r->result)
	gpu_enum(function, uint16_t, function, r->function))

gpu_event(call_begin,
	gpu_enum(function, uint16_t, function, r->function))

/* Packets */

gpu_event(doorbell,
	gpu_integer(uint64_t, begin_ns, r->begin_ns)
	gpu_enum(function, uint16_t, function, r->function)
	gpu_integer_hex(uint64_t, queue, r->queue)
	gpu_integer(uint64_t, write_index, r->write_index)
	gpu_integer(uint64_t, packets, r->packets)
	gpu_integer(uint64_t, missed, r->missed))

gpu_event(packet,
	gpu_integer(uint64_t, command, r->command)
	gpu_integer_hex(uint64_t, queue, r->queue)
	gpu_integer(uint64_t, index, r->index)
	gpu_integer(uint64_t, begin_ns, r->begin_ns)
	gpu_integer(uint64_t, reserved_ns, r->reserved_ns)
	gpu_enum(function, uint16_t, function, r->function)
	gpu_enum(packet_type, uint8_t, type, r->type)
	gpu_enum(times, uint8_t, times, r->times)
	gpu_integer_hex(uint16_t, header, r->header)
	gpu_integer_hex(uint64_t, signal, r->signal)
	gpu_sequence(uint64_t, waits_for, r->waits_for, r->waits_for_count)
	gpu_integer_hex(uint64_t, kernel, r->kernel)
	gpu_string(name, r->name)
	gpu_sequence(uint64_t, grid_size, r->grid_size, r->dimensions)
	gpu_sequence(uint64_t, workgroup_size, r->workgroup_size, r->dimensions)
	gpu_integer(uint32_t, private_bytes, r->private_bytes)
	gpu_integer(uint32_t, group_bytes, r->group_bytes))

gpu_event(command_times,
	gpu_integer_hex(uint64_t, queue, r->queue)
	gpu_integer(uint64_t, observed_ns, r->observed_ns)
	gpu_integer(int32_t, status, r->status)
	gpu_enum(validity, uint8_t, validity, r->validity)
	gpu_sequence(uint64_t, command, r->command, r->count)
	gpu_sequence(uint64_t, queued, r->queued, r->count)
	gpu_sequence(uint64_t, submit, r->submit, r->count)
	gpu_sequence(uint64_t, start, r->start, r->count)
	gpu_sequence(uint64_t, end, r->end, r->count))

gpu_event(commands_untimed,
	gpu_integer_hex(uint64_t, queue, r->queue)
	gpu_integer(uint64_t, count, r->count)
	gpu_enum(untimed_reason, uint8_t, reason, r->reason))

/* Objects */

gpu_event(device,
	gpu_integer_hex(uint64_t, device, r->device)
	gpu_string(name, r->name)
	gpu_string(isa, r->isa)
	gpu_string(vendor, r->vendor)
	gpu_integer(uint32_t, node, r->node)
	gpu_integer_hex(uint32_t, location, r->location)
	gpu_integer(uint64_t, timer_resolution, r->timer_resolution))

gpu_event(queue,
	gpu_integer_hex(uint64_t, queue, r->queue)
	gpu_integer_hex(uint64_t, device, r->device)
	gpu_integer_hex(uint64_t, doorbell, r->doorbell)
	gpu_integer_hex(uint64_t, ring, r->ring)
	gpu_integer(uint64_t, id, r->id)
	gpu_integer(uint32_t, size, r->size)
	gpu_integer(uint8_t, profiling, r->profiling))

gpu_event(queue_create,
	gpu_integer(uint64_t, begin_ns, r->begin_ns)
	gpu_integer(int32_t, result, r->result)
	gpu_enum(function, uint16_t, function, r->function)
	gpu_integer_hex(uint64_t, queue, r->queue)
	gpu_integer_hex(uint64_t, device, r->device)
	gpu_integer(uint32_t, size, r->size))

gpu_event(queue_destroy,
	gpu_integer(uint64_t, begin_ns, r->begin_ns)
	gpu_integer(int32_t, result, r->result)
	gpu_enum(function, uint16_t, function, r->function)
	gpu_integer_hex(uint64_t, queue, r->queue))

gpu_event(device_clock,
	gpu_integer_hex(uint64_t, device, r->device)
	gpu_integer(uint64_t, device_time, r->device_time)
	gpu_integer(uint64_t, before_ns, r->before_ns)
	gpu_integer(uint64_t, after_ns, r->after_ns))

gpu_event(kernel,
	gpu_integer_hex(uint64_t, kernel, r->kernel)
	gpu_string(name, r->name))

#endif

#include <lttng/tracepoint-event.h>
