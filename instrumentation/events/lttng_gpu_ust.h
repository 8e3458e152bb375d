/* SPDX-License-Identifier: MIT */
/*
 * The events of a layer's list (lttng_gpu_records.h) as LTTng-UST has them. Every stage of LTTng's macros includes this file
 * anew, so there is no guard.
 *
 * LTTng's macros write every field by an indirect call of its own. Where the tracer packs fields without gaps, ours put
 * them into a piece on the stack first, which the tracer then copies at once (lttng_gpu_piece.h); LTTng's own describe,
 * measure and filter the fields in all other stages. The stage that writes is known by its lttng_ust__get_dynamic_len,
 * which nothing else defines; were it not there, LTTng would write the same fields one by one.
 */
#include "instrumentation/events/lttng_gpu_records.h"

#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER LTTNG_GPU_PROVIDER

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "instrumentation/events/lttng_gpu_ust.h"

#undef gpu_records_version
#undef gpu_value
#undef gpu_enumeration
#undef gpu_enumeration_of
#undef gpu_api_enumeration
#undef gpu_event
#undef gpu_event_of
#undef gpu_add
#undef gpu_integer
#undef gpu_integer_hex
#undef gpu_enum
#undef gpu_enum_of
#undef gpu_string
#undef gpu_count
#undef gpu_sequence
#undef gpu_sequence_hex
#undef gpu_fields

#define gpu_records_version(_number)
#define gpu_count(_count)

/* The provider's name is a macro: one more step before LTTng's macros join it with others. */
#define gpu_value(_label, _constant) lttng_ust_field_enum_value(_label, _constant)
#define gpu_enumeration(_name, ...) gpu_enumeration_of(LTTNG_UST_TRACEPOINT_PROVIDER, _name, __VA_ARGS__)
#define gpu_enumeration_of(_provider, _name, ...)                                                      \
	LTTNG_UST_TRACEPOINT_ENUM(_provider, _name, LTTNG_UST_TP_ENUM_VALUES(__VA_ARGS__))
#define gpu_api_enumeration(_name, ...) gpu_enumeration(_name, __VA_ARGS__)
#define gpu_event(_name, ...)                                                                          \
	gpu_event_of(LTTNG_UST_TRACEPOINT_PROVIDER, _name, LTTNG_GPU_OF_PROVIDER(_name), __VA_ARGS__)
#define gpu_event_of(_provider, _name, _record, ...)                                                   \
	LTTNG_UST_TRACEPOINT_EVENT(_provider, _name, LTTNG_UST_TP_ARGS(const struct _record *, r), gpu_fields(__VA_ARGS__))

#if defined(lttng_ust__get_dynamic_len) && !defined(LTTNG_UST_RING_BUFFER_NATURAL_ALIGN)
#define gpu_add(_src, _bytes)                                                                          \
	lttng_gpu_add_to_piece(__chan->ops->event_write, &__ctx, __piece, &__used, (_src), (_bytes))
#define gpu_integer(_type, _field)                                                                     \
	{                                                                                              \
		_type __value = r->_field;                                                             \
		gpu_add(&__value, sizeof(__value));                                                    \
	}
#define gpu_integer_hex(_type, _field) gpu_integer(_type, _field)
#define gpu_enum(_enumeration, _type, _field) gpu_integer(_type, _field)
#define gpu_string(_field)                                                                             \
	{                                                                                              \
		gpu_add(r->_field, __stackvar.__dynamic_len[__dynamic_len_idx++] - 1);                 \
		gpu_add("", 1);                                                                        \
	}
#define gpu_sequence(_type, _field, _count)                                                            \
	{                                                                                              \
		uint32_t __length = __stackvar.__dynamic_len[__dynamic_len_idx++];                     \
                                                                                                       \
		gpu_add(&__length, sizeof(__length));                                                  \
		gpu_add(r->_field, __length * sizeof(_type));                                          \
	}
#define gpu_sequence_hex(_type, _field, _count) gpu_sequence(_type, _field, _count)
#define gpu_fields(...)                                                                                \
	LTTNG_UST_TP_FIELDS({                                                                          \
		char __piece[LTTNG_GPU_PIECE_BYTES];                                                   \
		size_t __used = 0;                                                                     \
                                                                                                       \
		__VA_ARGS__                                                                            \
		__chan->ops->event_write(&__ctx, __piece, __used, 1);                                  \
	})
#else
#define gpu_integer(_type, _field) lttng_ust_field_integer(_type, _field, r->_field)
#define gpu_integer_hex(_type, _field) lttng_ust_field_integer_hex(_type, _field, r->_field)
#define gpu_enum(_enumeration, _type, _field)                                                          \
	gpu_enum_of(LTTNG_UST_TRACEPOINT_PROVIDER, _enumeration, _type, _field)
#define gpu_enum_of(_provider, _enumeration, _type, _field)                                            \
	lttng_ust_field_enum(_provider, _enumeration, _type, _field, r->_field)
#define gpu_string(_field) lttng_ust_field_string(_field, r->_field)
#define gpu_sequence(_type, _field, _count) lttng_ust_field_sequence(_type, _field, r->_field, uint32_t, r->_count)
#define gpu_sequence_hex(_type, _field, _count)                                                        \
	lttng_ust_field_sequence_hex(_type, _field, r->_field, uint32_t, r->_count)
#define gpu_fields(...) LTTNG_UST_TP_FIELDS(__VA_ARGS__)
#endif

#if !defined(LTTNG_GPU_UST_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define LTTNG_GPU_UST_H

#include <lttng/tracepoint.h>
#include "instrumentation/events/lttng_gpu_piece.h"
#include LTTNG_GPU_LIST

#endif

#include <lttng/tracepoint-event.h>
