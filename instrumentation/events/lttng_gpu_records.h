/* SPDX-License-Identifier: MIT */
/*
 * What a layer (C++) hands to its provider (C): one record per event, with the same names. Strings and arrays are borrowed
 * for the length of the call; no pointer is null, but that of an empty array may be. The provider is a library of its own,
 * so that programs run without LTTng too: it is the only one that needs it.
 *
 * Events and their fields are written once, in a list, lttng_gpu_opencl.h for example. Like LTTng's own event headers, a list
 * is read more than once, each time with other meanings of its macros:
 *   here              records, and the table of the provider's functions; LTTNG_GPU_PROVIDER is the list's name
 *   lttng_gpu_ust.h   LTTng-UST's events
 *   userspace/correlate/drivers/layer_events.hpp   names of fields
 *
 *   gpu_event(name, fields)
 *   gpu_integer(type, field), gpu_integer_hex(type, field), gpu_string(field)
 *   gpu_enum(enumeration, type, field)
 *   gpu_sequence(type, field, count), gpu_sequence_hex(type, field, count)
 *   gpu_count(count)                    no field: how long sequences are
 *   gpu_enumeration(name, gpu_value("label", CONSTANT)...)
 *   gpu_api_enumeration(name, ...)      the numbers are the API's or generated
 *   gpu_records_version(number)         to be raised with each change of records: a layer takes no other provider
 */
#pragma once

#include <stdint.h>

#define LTTNG_GPU_JOIN_EXPANDED(_left, _right) _left##_right
#define LTTNG_GPU_JOIN(_left, _right) LTTNG_GPU_JOIN_EXPANDED(_left, _right)
#define LTTNG_GPU_TEXT_EXPANDED(_text) #_text
#define LTTNG_GPU_TEXT(_text) LTTNG_GPU_TEXT_EXPANDED(_text)

/* lttng_gpu_opencl_NAME */
#define LTTNG_GPU_OF_PROVIDER(_name) LTTNG_GPU_JOIN(LTTNG_GPU_PROVIDER, _##_name)
#define LTTNG_GPU_LIST LTTNG_GPU_TEXT(instrumentation/events/LTTNG_GPU_PROVIDER.h)

/* Enumerations end with the number of their values. */
#define gpu_records_version(_number) enum { LTTNG_GPU_OF_PROVIDER(records_version) = _number };
#define gpu_value(_label, _constant) _constant,
#define gpu_enumeration(_name, ...) enum LTTNG_GPU_OF_PROVIDER(_name) { __VA_ARGS__ LTTNG_GPU_OF_PROVIDER(_name##_count) };
#define gpu_api_enumeration(_name, ...)
#define gpu_integer(_type, _field) _type _field;
#define gpu_integer_hex(_type, _field) _type _field;
#define gpu_enum(_enumeration, _type, _field) _type _field;
#define gpu_string(_field) const char *_field;
#define gpu_count(_count) uint32_t _count;
#define gpu_sequence(_type, _field, _count) const _type *_field;
#define gpu_sequence_hex(_type, _field, _count) const _type *_field;
#define gpu_event(_name, ...) struct LTTNG_GPU_OF_PROVIDER(_name) { __VA_ARGS__ };
#include LTTNG_GPU_LIST

/* From here on, lists are read for the names of their events. */
#undef gpu_records_version
#undef gpu_enumeration
#undef gpu_event
#define gpu_records_version(_number)
#define gpu_enumeration(_name, ...)

/* What a layer has before it has its provider, and where there is none. */
#ifdef __cplusplus
#define LTTNG_GPU_AT_FIRST(_value) = _value

namespace lttng_gpu {

inline constexpr int never_enabled = 0;
template <class Record> void write_nothing(const Record *)
{
}
inline int never_follows()
{
	return 1;
}

} // namespace lttng_gpu
#else
#define LTTNG_GPU_AT_FIRST(_value)
#endif

/* An event is enabled while *state is not 0. Writing one that is not enabled does nothing. */
struct LTTNG_GPU_OF_PROVIDER(provider) {
#define gpu_event(_name, ...)                                                                          \
	const int *_name##_state LTTNG_GPU_AT_FIRST(&lttng_gpu::never_enabled);                        \
	void (*_name)(const struct LTTNG_GPU_OF_PROVIDER(_name) *record) LTTNG_GPU_AT_FIRST(lttng_gpu::write_nothing);
#include LTTNG_GPU_LIST
#undef gpu_event
	/* Around fork(); without liblttng-ust-fork the child does not record. 0 when that is loaded. */
	int (*follows_fork)(void) LTTNG_GPU_AT_FIRST(lttng_gpu::never_follows);
};
