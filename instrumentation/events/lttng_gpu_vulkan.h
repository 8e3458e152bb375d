/* SPDX-License-Identifier: MIT */
/*
 * What the Vulkan layer records (LTTng-UST); docs/vulkan-events.md says what the events mean. lttng_gpu_records.h says how
 * this list is read.
 */
#ifdef LTTNG_UST_TRACEPOINT_PROVIDER
#include "vulkan_names.h" /* generated: the names of functions and of types of objects */
#endif

gpu_records_version(3)

gpu_api_enumeration(function, LTTNG_GPU_VULKAN_FUNCTIONS(gpu_value))
gpu_api_enumeration(object_type, LTTNG_GPU_VULKAN_OBJECT_TYPES(gpu_value))
gpu_enumeration(validity,
	gpu_value("valid", LTTNG_GPU_VULKAN_VALID)
	gpu_value("unavailable", LTTNG_GPU_VULKAN_UNAVAILABLE)
	gpu_value("disordered", LTTNG_GPU_VULKAN_DISORDERED)
	gpu_value("implausible", LTTNG_GPU_VULKAN_IMPLAUSIBLE))
gpu_enumeration(untimed_reason,
	/* the queue, or a structure of the submission, allows no timestamps around it */
	gpu_value("unsupported", LTTNG_GPU_VULKAN_UNSUPPORTED)
	gpu_value("too_large", LTTNG_GPU_VULKAN_TOO_LARGE) /* more batches or command buffers than the layer has room for */
	gpu_value("backlog", LTTNG_GPU_VULKAN_BACKLOG) /* too many submissions of the queue were not complete */
	gpu_value("exit", LTTNG_GPU_VULKAN_EXIT)) /* not complete when the program ended, or the device was lost */

/* Calls. Each of these is the event of its call, and begins as `call` does. */

#define gpu_call_fields                                                                                \
	gpu_integer(uint64_t, begin_ns)                                                                \
	gpu_integer(int32_t, result)                                                                   \
	gpu_enum(function, uint16_t, function)

gpu_event(call,
	gpu_call_fields)

gpu_event(call_begin,
	gpu_enum(function, uint16_t, function))

gpu_event(submit,
	gpu_call_fields
	gpu_integer_hex(uint64_t, queue)
	gpu_integer(uint64_t, submission)
	gpu_integer(uint32_t, command_buffers)
	gpu_integer(uint32_t, waits)
	gpu_integer(uint32_t, signals)
	gpu_integer_hex(uint64_t, fence)
	gpu_integer(uint8_t, timed)) /* command_times will tell when it ran, or commands_untimed that it will not */

gpu_event(frame,
	gpu_call_fields
	gpu_integer(uint64_t, frame)
	gpu_integer_hex(uint64_t, surface)
	gpu_integer_hex(uint64_t, context)
	gpu_integer(uint32_t, draws)
	gpu_integer(uint32_t, dispatches)
	gpu_integer(uint32_t, uploads))

gpu_event(wait,
	gpu_call_fields
	gpu_integer(uint64_t, timeout))

gpu_event(pipeline,
	gpu_call_fields
	gpu_integer(uint32_t, count))

/* Times of submissions */

/* Of one or more submissions, `count` in each array. */
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

gpu_event(command_buffers,
	gpu_integer_hex(uint64_t, device)
	gpu_integer(uint64_t, begins)
	gpu_integer(uint64_t, ends)
	gpu_integer(uint64_t, resets))

gpu_event(device,
	gpu_integer_hex(uint64_t, device)
	gpu_integer_hex(uint64_t, physical_device)
	gpu_integer_hex(uint64_t, instance)
	gpu_string(name)
	gpu_integer_hex(uint32_t, vendor)
	gpu_integer_hex(uint32_t, driver_version)
	gpu_integer_hex(uint32_t, api_version)
	gpu_integer(uint64_t, timer_resolution)
	gpu_integer(uint8_t, calibrated))

gpu_event(queue,
	gpu_integer_hex(uint64_t, device)
	gpu_integer_hex(uint64_t, queue)
	gpu_integer(uint32_t, family)
	gpu_integer(uint32_t, index)
	gpu_integer_hex(uint32_t, flags)
	gpu_integer(uint32_t, timestamp_bits)
	gpu_integer(uint8_t, timed))

gpu_event(device_clock,
	gpu_integer_hex(uint64_t, device)
	gpu_integer(uint64_t, device_time)
	gpu_integer(uint64_t, before_ns)
	gpu_integer(uint64_t, after_ns))

gpu_event(object_name,
	gpu_integer_hex(uint64_t, device)
	gpu_integer_hex(uint64_t, object)
	gpu_enum(object_type, uint32_t, type)
	gpu_string(name))

/* What the program says of a queue's work */

gpu_event(label_begin,
	gpu_integer_hex(uint64_t, queue)
	gpu_string(name))

gpu_event(label_end,
	gpu_integer_hex(uint64_t, queue))

gpu_event(label_insert,
	gpu_integer_hex(uint64_t, queue)
	gpu_string(name))
