/* SPDX-License-Identifier: MIT */
/*
 * Fields of an event on their way into LTTng-UST's buffer: put together on the stack, so that the tracer is called once
 * for most events. An application decides how long a wait list or a name is, and how large its threads' stacks are: what
 * is too long for the piece is written from where it stands.
 */
#pragma once

#include <lttng/ust-events.h>
#include <stddef.h>
#include <string.h>

/* Nearly all events are shorter, and only those of many commands' times are not. */
#define LTTNG_GPU_PIECE_BYTES 512

typedef void lttng_gpu_event_write(struct lttng_ust_ring_buffer_ctx *, const void *, size_t, size_t);

/* `used`: bytes of the piece that are not written yet. */
static inline __attribute__((always_inline)) void lttng_gpu_add_to_piece(lttng_gpu_event_write *write,
									 struct lttng_ust_ring_buffer_ctx *context, char *piece,
									 size_t *used, const void *source, size_t bytes)
{
	if (__builtin_expect(bytes > LTTNG_GPU_PIECE_BYTES - *used, 0)) {
		write(context, piece, *used, 1);
		*used = 0;
		if (bytes > LTTNG_GPU_PIECE_BYTES) {
			write(context, source, bytes, 1);
			return;
		}
	}
	memcpy(piece + *used, source, bytes);
	*used += bytes;
}
