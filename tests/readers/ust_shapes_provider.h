/* SPDX-License-Identifier: MIT */
/*
 * The LTTng-UST provider of ust_shapes.cpp: every kind of field that LTTng-UST
 * records, and enough events that the large event header is needed (more than 30).
 * Sequences are given with each type that a length can have.
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER shapes

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./tests/readers/ust_shapes_provider.h"

#if !defined(LTTNG_GPU_UST_SHAPES_PROVIDER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define LTTNG_GPU_UST_SHAPES_PROVIDER_H

#include <lttng/tracepoint.h>
#include <stddef.h>
#include <stdint.h>

LTTNG_UST_TRACEPOINT_ENUM(
	shapes, signed_kind,
	LTTNG_UST_TP_ENUM_VALUES(
		lttng_ust_field_enum_value("lowest", -128)
		lttng_ust_field_enum_range("below", -100, -1)
		lttng_ust_field_enum_value("zero", 0)
		lttng_ust_field_enum_auto("next")
		lttng_ust_field_enum_range("above", 10, 100)
		lttng_ust_field_enum_value("two words \"quoted\"", 127)
	)
)

LTTNG_UST_TRACEPOINT_ENUM(
	shapes, unsigned_kind,
	LTTNG_UST_TP_ENUM_VALUES(
		lttng_ust_field_enum_auto("first")
		lttng_ust_field_enum_range("some", 5, 9)
		lttng_ust_field_enum_range("overlapping", 7, 12)
		lttng_ust_field_enum_value("most", 18446744073709551615ULL)
	)
)

LTTNG_UST_TRACEPOINT_EVENT(
	shapes, integers,
	LTTNG_UST_TP_ARGS(uint64_t, bits),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(int8_t, s8, (int8_t) bits)
		lttng_ust_field_integer(uint8_t, u8, (uint8_t) bits)
		lttng_ust_field_integer(int16_t, s16, (int16_t) bits)
		lttng_ust_field_integer(uint16_t, u16, (uint16_t) bits)
		lttng_ust_field_integer(int32_t, s32, (int32_t) bits)
		lttng_ust_field_integer(uint32_t, u32, (uint32_t) bits)
		lttng_ust_field_integer(int64_t, s64, (int64_t) bits)
		lttng_ust_field_integer(uint64_t, u64, bits)
		lttng_ust_field_integer(unsigned long, native, (unsigned long) bits)
		lttng_ust_field_integer_hex(uint32_t, hex, (uint32_t) bits)
		lttng_ust_field_integer_hex(const void *, pointer, (const void *) (uintptr_t) bits)
	)
)

LTTNG_UST_TRACEPOINT_EVENT(
	shapes, network,
	LTTNG_UST_TP_ARGS(uint64_t, bits),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer_network(uint16_t, u16, (uint16_t) bits)
		lttng_ust_field_integer_network(int16_t, s16, (int16_t) bits)
		lttng_ust_field_integer_network(uint32_t, u32, (uint32_t) bits)
		lttng_ust_field_integer_network(int32_t, s32, (int32_t) bits)
		lttng_ust_field_integer_network(uint64_t, u64, bits)
		lttng_ust_field_integer_network_hex(int64_t, s64, (int64_t) bits)
	)
)

LTTNG_UST_TRACEPOINT_EVENT(
	shapes, enumerations,
	LTTNG_UST_TP_ARGS(int, number),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_enum(shapes, signed_kind, int8_t, narrow, (int8_t) number)
		lttng_ust_field_enum(shapes, signed_kind, int64_t, wide, number)
		lttng_ust_field_enum(shapes, unsigned_kind, uint8_t, byte, (uint8_t) number)
		lttng_ust_field_enum(shapes, unsigned_kind, uint64_t, word, (uint64_t) (int64_t) number)
	)
)

LTTNG_UST_TRACEPOINT_EVENT(
	shapes, reals,
	LTTNG_UST_TP_ARGS(double, value),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_float(float, single_precision, (float) value)
		lttng_ust_field_integer(uint8_t, between, 7)
		lttng_ust_field_float(double, double_precision, value)
	)
)

LTTNG_UST_TRACEPOINT_EVENT(
	shapes, texts,
	LTTNG_UST_TP_ARGS(const char *, text, const char *, other),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_string(text, text)
		lttng_ust_field_integer(uint8_t, between, 7)
		lttng_ust_field_string(other, other)
		lttng_ust_field_integer(uint32_t, after, 1234567)
	)
)

LTTNG_UST_TRACEPOINT_EVENT(
	shapes, arrays,
	LTTNG_UST_TP_ARGS(const char *, bytes, const int32_t *, numbers),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_array(int32_t, numbers, numbers, 4)
		lttng_ust_field_array_hex(uint8_t, bytes, (const uint8_t *) bytes, 5)
		lttng_ust_field_array_network(uint16_t, network, (const uint16_t *) numbers, 3)
		lttng_ust_field_array_text(char, text, bytes, 16)
		lttng_ust_field_array(char, characters, bytes, 3)
		lttng_ust_field_array(int64_t, one, (const int64_t *) numbers, 1)
	)
)

LTTNG_UST_TRACEPOINT_EVENT(
	shapes, sequences,
	LTTNG_UST_TP_ARGS(const char *, bytes, const int64_t *, numbers, size_t, length),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_sequence(int64_t, by_size, numbers, size_t, length)
		lttng_ust_field_sequence(int32_t, by_u8, (const int32_t *) numbers, uint8_t, length)
		lttng_ust_field_sequence_hex(uint16_t, by_u16, (const uint16_t *) numbers, uint16_t, length)
		lttng_ust_field_sequence(uint8_t, by_u32, (const uint8_t *) numbers, uint32_t, length)
		lttng_ust_field_sequence_network(uint32_t, by_u64, (const uint32_t *) numbers, uint64_t, length)
		lttng_ust_field_sequence_text(char, text, bytes, uint16_t, length)
		lttng_ust_field_integer(uint8_t, after, 9)
	)
)

LTTNG_UST_TRACEPOINT_EVENT(
	shapes, empty,
	LTTNG_UST_TP_ARGS(),
	LTTNG_UST_TP_FIELDS()
)

LTTNG_UST_TRACEPOINT_EVENT_CLASS(
	shapes, numbered,
	LTTNG_UST_TP_ARGS(uint32_t, number),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(uint32_t, number, number)
	)
)

#define LTTNG_GPU_NUMBERED(name)                                                                  \
	LTTNG_UST_TRACEPOINT_EVENT_INSTANCE(shapes, numbered, shapes, name, LTTNG_UST_TP_ARGS(uint32_t, number))

LTTNG_GPU_NUMBERED(numbered_0)
LTTNG_GPU_NUMBERED(numbered_1)
LTTNG_GPU_NUMBERED(numbered_2)
LTTNG_GPU_NUMBERED(numbered_3)
LTTNG_GPU_NUMBERED(numbered_4)
LTTNG_GPU_NUMBERED(numbered_5)
LTTNG_GPU_NUMBERED(numbered_6)
LTTNG_GPU_NUMBERED(numbered_7)
LTTNG_GPU_NUMBERED(numbered_8)
LTTNG_GPU_NUMBERED(numbered_9)
LTTNG_GPU_NUMBERED(numbered_10)
LTTNG_GPU_NUMBERED(numbered_11)
LTTNG_GPU_NUMBERED(numbered_12)
LTTNG_GPU_NUMBERED(numbered_13)
LTTNG_GPU_NUMBERED(numbered_14)
LTTNG_GPU_NUMBERED(numbered_15)
LTTNG_GPU_NUMBERED(numbered_16)
LTTNG_GPU_NUMBERED(numbered_17)
LTTNG_GPU_NUMBERED(numbered_18)
LTTNG_GPU_NUMBERED(numbered_19)
LTTNG_GPU_NUMBERED(numbered_20)
LTTNG_GPU_NUMBERED(numbered_21)
LTTNG_GPU_NUMBERED(numbered_22)
LTTNG_GPU_NUMBERED(numbered_23)

#endif

#include <lttng/tracepoint-event.h>
