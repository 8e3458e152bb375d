/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The fields of an event in one piece, for events that fire for every job. LTTng's macros measure every string, then
 * write each field by an indirect call of its own and strings byte by byte. A probe that uses a payload copies its
 * fields there, in their order, and LTTng writes it at once.
 *
 * Such an event says all its fields with gpu_integer(), gpu_integer_hex() and gpu_string(), which LTTng describes and
 * filters as it does ctf_integer() and ctf_string(), then gpu_payload_fields. Its locvar has a gpu_payload called
 * payload, which code_pre fills between gpu_payload_begin() and gpu_payload_end(), field by field in the same order;
 * gpu_string() is given the copy. Its class needs, when GPU_PAYLOAD_IS_WRITTEN:
 * #define __event_get_size__CLASS GPU_PAYLOAD_SIZE
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
#define GPU_PAYLOAD_NAMES	3

struct gpu_payload {
	size_t bytes;
	char data[GPU_PAYLOAD_NAMES * GPU_PAYLOAD_NAME_BYTES + 64];
};

/* Both append at the char * that "at" is. LTTng aligns no field where the machine does not ask for it. */
#define gpu_payload_put(at, type, value)                                                               \
	do {                                                                                           \
		type __value = (value);                                                                \
                                                                                                       \
		BUILD_BUG_ON(lttng_alignof(type) != 1);                                                \
		__builtin_memcpy(at, &__value, sizeof(__value));                                       \
		at += sizeof(__value);                                                                 \
	} while (0)

/* Gives the copy. */
#define gpu_payload_put_string(at, string)                                                             \
	({                                                                                             \
		const char *__copy = at;                                                               \
                                                                                                       \
		at += gpu_payload_copy(at, string);                                                    \
		__copy;                                                                                \
	})

static __always_inline size_t gpu_payload_copy(char *to, const char *string)
{
	ssize_t length;

	/* There is room for every name; not knowing of what, the fortified strscpy() does not measure it first. */
	OPTIMIZER_HIDE_VAR(to);
	length = strscpy(to, string ?: "(null)", GPU_PAYLOAD_NAME_BYTES);
	return length < 0 ? GPU_PAYLOAD_NAME_BYTES : length + 1;
}

/* Around what fills the payload. */
#define gpu_payload_begin(locvar) char *at = (locvar)->payload.data
#define gpu_payload_end(locvar) ((locvar)->payload.bytes = at - (locvar)->payload.data)

#define GPU_PAYLOAD_SIZE(locvar, ...) ((ssize_t)(locvar)->payload.bytes)

#endif /* LTTNG_GPU_PAYLOAD_H */

#undef GPU_PAYLOAD_IS_WRITTEN
#undef gpu_integer
#undef gpu_integer_hex
#undef gpu_string
#undef gpu_payload_fields
#ifdef __get_dynamic_len
#define GPU_PAYLOAD_IS_WRITTEN
#define gpu_integer(_type, _item, _src)
#define gpu_integer_hex(_type, _item, _src)
#define gpu_string(_item, _src)
#define gpu_payload_fields                                                                             \
	__chan->ops->event_write(&__ctx, tp_locvar->payload.data, tp_locvar->payload.bytes, 1);
#else
#define gpu_integer(_type, _item, _src) ctf_integer(_type, _item, _src)
#define gpu_integer_hex(_type, _item, _src) ctf_integer_hex(_type, _item, _src)
#define gpu_string(_item, _src) ctf_string(_item, _src)
#define gpu_payload_fields
#endif
