/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The fields of an event in one piece, for events that fire for every job. LTTng's macros measure every string, then
 * write each field by an indirect call of its own and strings byte by byte. A probe that uses a payload copies its
 * fields there, in their order, and LTTng writes it at once.
 *
 * Such an event lists its fields once, in a macro that takes macros:
 *   #define MY_FIELDS(integer, hexadecimal, string) integer(u32, ring, job->ring) string(name, job->name)
 * GPU_PAYLOAD_EVENT() and GPU_PAYLOAD_CLASS() make from that list what is written and how it is described; LTTng describes
 * and filters the fields as it does ctf_integer(), ctf_integer_hex() and ctf_string(). The values of integers are
 * evaluated for either, those of strings once. The class needs, when GPU_PAYLOAD_IS_WRITTEN:
 *   #define __event_get_size__CLASS GPU_PAYLOAD_SIZE
 *
 * The stage of lttng/tracepoint-event-impl.h that creates the probe is known by its __get_dynamic_len. Were it not
 * there, LTTng would measure and write the same fields one by one, as before.
 *
 * The second half has no include guard: event headers include it in every stage.
 */
#ifndef LTTNG_GPU_PAYLOAD_H
#define LTTNG_GPU_PAYLOAD_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/string.h>

/* As ring and device names are at most a few words long; longer ones are cut. */
#define GPU_PAYLOAD_NAME_BYTES	64

/*
 * As LTTNG_TRACEPOINT_EVENT_CODE() and LTTNG_TRACEPOINT_EVENT_CLASS_CODE(). _variables are declared in tp_locvar beside the
 * payload, _code sets them before the fields are copied.
 */
#define GPU_PAYLOAD_EVENT(_name, _proto, _args, _variables, _code, _fields)                            \
	LTTNG_TRACEPOINT_EVENT_CODE(_name, PARAMS(_proto), PARAMS(_args),                              \
		TP_locvar(_variables GPU_PAYLOAD_LOCVAR(_fields)),                                     \
		TP_code_pre(_code GPU_PAYLOAD_FILL(_fields)),                                          \
		TP_FIELDS(GPU_PAYLOAD_DESCRIBE(_fields)),                                              \
		TP_code_post())
#define GPU_PAYLOAD_CLASS(_name, _proto, _args, _variables, _code, _fields)                            \
	LTTNG_TRACEPOINT_EVENT_CLASS_CODE(_name, PARAMS(_proto), PARAMS(_args),                        \
		TP_locvar(_variables GPU_PAYLOAD_LOCVAR(_fields)),                                     \
		TP_code_pre(_code GPU_PAYLOAD_FILL(_fields)),                                          \
		TP_FIELDS(GPU_PAYLOAD_DESCRIBE(_fields)),                                              \
		TP_code_post())

#define GPU_PAYLOAD_SIZE(locvar, ...) ((ssize_t)(locvar)->payload.bytes)

/* Room for the fields, and where the copy of each string is. */
#define GPU_PAYLOAD_LOCVAR(fields)                                                                     \
	struct {                                                                                       \
		size_t bytes;                                                                          \
		char data[0 fields(GPU_PAYLOAD_ROOM, GPU_PAYLOAD_ROOM, GPU_PAYLOAD_STRING_ROOM)];      \
	} payload;                                                                                     \
	struct {                                                                                       \
		fields(GPU_PAYLOAD_NOTHING, GPU_PAYLOAD_NOTHING, GPU_PAYLOAD_STRING_COPY)              \
	} text;
#define GPU_PAYLOAD_ROOM(_type, _item, _src) +sizeof(_type)
#define GPU_PAYLOAD_STRING_ROOM(_item, _src) +GPU_PAYLOAD_NAME_BYTES
#define GPU_PAYLOAD_STRING_COPY(_item, _src) const char *_item;
#define GPU_PAYLOAD_NOTHING(_type, _item, _src)

#define GPU_PAYLOAD_FILL(fields)                                                                       \
	do {                                                                                           \
		char *__at = tp_locvar->payload.data;                                                  \
                                                                                                       \
		fields(GPU_PAYLOAD_PUT, GPU_PAYLOAD_PUT, GPU_PAYLOAD_PUT_STRING)                       \
		tp_locvar->payload.bytes = __at - tp_locvar->payload.data;                             \
	} while (0);

/* LTTng aligns no field where the machine does not ask for it. */
#define GPU_PAYLOAD_PUT(_type, _item, _src)                                                            \
	do {                                                                                           \
		_type __value = (_src);                                                                \
                                                                                                       \
		BUILD_BUG_ON(lttng_alignof(_type) != 1);                                               \
		__builtin_memcpy(__at, &__value, sizeof(__value));                                     \
		__at += sizeof(__value);                                                               \
	} while (0);

#define GPU_PAYLOAD_PUT_STRING(_item, _src)                                                            \
	tp_locvar->text._item = __at;                                                                  \
	__at += gpu_payload_copy(__at, _src);

static __always_inline size_t gpu_payload_copy(char *to, const char *string)
{
	ssize_t length;

	/* There is room for every name; not knowing of what, the fortified strscpy() does not measure it first. */
	OPTIMIZER_HIDE_VAR(to);
	length = strscpy(to, string ?: "(null)", GPU_PAYLOAD_NAME_BYTES);
	return length < 0 ? GPU_PAYLOAD_NAME_BYTES : length + 1;
}

#define GPU_PAYLOAD_DESCRIBE(fields)                                                                   \
	fields(gpu_payload_integer, gpu_payload_integer_hex, gpu_payload_string)                       \
	gpu_payload_write

#endif /* LTTNG_GPU_PAYLOAD_H */

#undef GPU_PAYLOAD_IS_WRITTEN
#undef gpu_payload_integer
#undef gpu_payload_integer_hex
#undef gpu_payload_string
#undef gpu_payload_write
#ifdef __get_dynamic_len
#define GPU_PAYLOAD_IS_WRITTEN
#define gpu_payload_integer(_type, _item, _src)
#define gpu_payload_integer_hex(_type, _item, _src)
#define gpu_payload_string(_item, _src)
#define gpu_payload_write                                                                              \
	__chan->ops->event_write(&__ctx, tp_locvar->payload.data, tp_locvar->payload.bytes, 1);
#else
#define gpu_payload_integer(_type, _item, _src) ctf_integer(_type, _item, _src)
#define gpu_payload_integer_hex(_type, _item, _src) ctf_integer_hex(_type, _item, _src)
#define gpu_payload_string(_item, _src) ctf_string(_item, tp_locvar->text._item)
#define gpu_payload_write
#endif
