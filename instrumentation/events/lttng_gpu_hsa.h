/* SPDX-License-Identifier: MIT */
/*
 * What the HSA layer records (LTTng-UST); docs/hsa-events.md says what the events mean. lttng_gpu_records.h says how this
 * list is read.
 */
#ifdef LTTNG_UST_TRACEPOINT_PROVIDER
#include "hsa_names.h" /* generated: the names of functions */
#endif

gpu_records_version(2)

gpu_api_enumeration(function, LTTNG_GPU_HSA_FUNCTIONS(gpu_value))
/* hsa_packet_type_t */
gpu_api_enumeration(packet_type,
	gpu_value("vendor_specific", 0)
	gpu_value("invalid", 1)
	gpu_value("kernel_dispatch", 2)
	gpu_value("barrier_and", 3)
	gpu_value("agent_dispatch", 4)
	gpu_value("barrier_or", 5))
/* Whether command_times of a packet can come. */
gpu_enumeration(times,
	gpu_value("expected", LTTNG_GPU_HSA_EXPECTED)
	/* the packet has no completion signal, or is of a kind that the device does not time */
	gpu_value("no_signal", LTTNG_GPU_HSA_NO_SIGNAL)
	gpu_value("no_profiling", LTTNG_GPU_HSA_NO_PROFILING) /* not wanted, or the runtime refused */
	gpu_value("seen_late", LTTNG_GPU_HSA_SEEN_LATE) /* the device may have begun with it before the layer saw it */
	gpu_value("no_memory", LTTNG_GPU_HSA_NO_MEMORY)) /* the layer could not note the signal */
gpu_enumeration(validity,
	gpu_value("valid", LTTNG_GPU_HSA_VALID)
	gpu_value("unavailable", LTTNG_GPU_HSA_UNAVAILABLE)
	gpu_value("disordered", LTTNG_GPU_HSA_DISORDERED)
	gpu_value("implausible", LTTNG_GPU_HSA_IMPLAUSIBLE))
gpu_enumeration(untimed_reason,
	gpu_value("exit", LTTNG_GPU_HSA_EXIT)) /* not complete when the program or the runtime ended */

/* Calls */

gpu_event(call,
	gpu_integer(uint64_t, begin_ns)
	gpu_integer(int32_t, result)
	gpu_enum(function, uint16_t, function))

gpu_event(call_begin,
	gpu_enum(function, uint16_t, function))

/* Packets */

gpu_event(doorbell,
	gpu_integer(uint64_t, begin_ns)
	gpu_enum(function, uint16_t, function)
	gpu_integer_hex(uint64_t, queue)
	gpu_integer(uint64_t, write_index)
	gpu_integer(uint64_t, packets)
	gpu_integer(uint64_t, missed))

gpu_event(packet,
	gpu_integer(uint64_t, command)
	gpu_integer_hex(uint64_t, queue)
	gpu_integer(uint64_t, index)
	gpu_integer(uint64_t, begin_ns)
	gpu_integer(uint64_t, reserved_ns)
	gpu_enum(function, uint16_t, function)
	gpu_enum(packet_type, uint8_t, type)
	gpu_enum(times, uint8_t, times)
	gpu_integer_hex(uint16_t, header)
	gpu_integer_hex(uint64_t, signal)
	gpu_count(waits_for_count)
	gpu_sequence(uint64_t, waits_for, waits_for_count)
	gpu_integer_hex(uint64_t, kernel)
	gpu_string(name)
	gpu_count(dimensions)
	gpu_sequence(uint64_t, grid_size, dimensions)
	gpu_sequence(uint64_t, workgroup_size, dimensions)
	gpu_integer(uint32_t, private_bytes)
	gpu_integer(uint32_t, group_bytes))

/* Of one or more packets, `count` in each array. */
gpu_event(command_times,
	gpu_integer_hex(uint64_t, queue)
	gpu_integer(uint64_t, observed_ns)
	gpu_integer(int32_t, status)
	gpu_enum(validity, uint8_t, validity)
	gpu_count(count)
	gpu_sequence(uint64_t, command, count)
	gpu_sequence(uint64_t, queued, count)
	gpu_sequence(uint64_t, submit, count)
	gpu_sequence(uint64_t, start, count)
	gpu_sequence(uint64_t, end, count))

gpu_event(commands_untimed,
	gpu_integer_hex(uint64_t, queue)
	gpu_integer(uint64_t, count)
	gpu_enum(untimed_reason, uint8_t, reason))

/* Objects */

gpu_event(device,
	gpu_integer_hex(uint64_t, device)
	gpu_string(name)
	gpu_string(isa)
	gpu_string(vendor)
	gpu_integer(uint32_t, node)
	gpu_integer_hex(uint32_t, location)
	gpu_integer(uint64_t, timer_resolution))

gpu_event(queue,
	gpu_integer_hex(uint64_t, queue)
	gpu_integer_hex(uint64_t, device)
	gpu_integer_hex(uint64_t, doorbell)
	gpu_integer_hex(uint64_t, ring)
	gpu_integer(uint64_t, id)
	gpu_integer(uint32_t, size)
	gpu_integer(uint8_t, profiling))

gpu_event(queue_create,
	gpu_integer(uint64_t, begin_ns)
	gpu_integer(int32_t, result)
	gpu_enum(function, uint16_t, function)
	gpu_integer_hex(uint64_t, queue)
	gpu_integer_hex(uint64_t, device)
	gpu_integer(uint32_t, size))

gpu_event(queue_destroy,
	gpu_integer(uint64_t, begin_ns)
	gpu_integer(int32_t, result)
	gpu_enum(function, uint16_t, function)
	gpu_integer_hex(uint64_t, queue))

gpu_event(device_clock,
	gpu_integer_hex(uint64_t, device)
	gpu_integer(uint64_t, device_time)
	gpu_integer(uint64_t, before_ns)
	gpu_integer(uint64_t, after_ns))

gpu_event(kernel,
	gpu_integer_hex(uint64_t, kernel)
	gpu_string(name))
