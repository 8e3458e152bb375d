/* SPDX-License-Identifier: MIT */
/*
 * What the device-trace layer records (LTTng-UST); docs/device-trace.md says what the events mean. lttng_gpu_records.h says
 * how this list is read.
 */

gpu_records_version(4)

gpu_event(location,
	gpu_integer(uint64_t, program)
	gpu_integer(uint32_t, location)
	gpu_integer(uint32_t, line)
	gpu_integer(uint32_t, column)
	gpu_string(kind)
	gpu_string(function))

gpu_event(untraced,
	gpu_integer(uint64_t, program) /* 0: none */
	gpu_string(reason)
	gpu_string(name))

gpu_event(launch,
	gpu_integer(uint64_t, launch)
	gpu_integer(uint64_t, program)
	gpu_integer_hex(uint64_t, kernel)
	gpu_integer_hex(uint64_t, queue)
	gpu_string(name)
	gpu_integer(uint8_t, warps)
	gpu_integer(uint8_t, times)
	gpu_integer_hex(uint64_t, device)) /* whose timer it is; 0: not known */

gpu_event(records,
	gpu_integer(uint64_t, launch)
	gpu_integer(uint32_t, part)
	gpu_integer(uint32_t, bytes) /* of what the words hold, see docs/device-trace.md */
	gpu_count(words_count)
	gpu_sequence_hex(uint64_t, words, words_count))

gpu_event(launch_end,
	gpu_integer(uint64_t, launch)
	gpu_integer(uint64_t, chunks) /* that were used */
	gpu_integer(uint64_t, chunks_there)
	gpu_integer(uint64_t, lost)
	gpu_integer(uint32_t, parts)
	gpu_integer(int32_t, status)
	gpu_count(dimensions) /* of these two; 0: not known */
	gpu_sequence(uint64_t, local_size, dimensions)
	gpu_sequence(uint64_t, groups, dimensions)
	gpu_integer(uint64_t, completed)) /* CLOCK_MONOTONIC when it was known; 0: not known */
