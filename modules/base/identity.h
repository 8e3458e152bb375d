/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an event says in the place of a kernel pointer: which object it is, and not where it lies. A trace is read by group
 * tracing and sent to others; addresses would tell them where the kernel's memory is.
 *
 * The same pointer gives the same 64 bits in all events of all probes, as long as lttng-gpu-base stays loaded, which it does
 * while an event is enabled. SipHash is what the kernel prints %p with; its inverse needs the key, and two pointers of one trace
 * are not confused (in 64 bits; %p keeps 32). No lock, no allocation, no memory but the key.
 */
#ifndef LTTNG_GPU_IDENTITY_H
#define LTTNG_GPU_IDENTITY_H

#include <linux/siphash.h>
#include <linux/types.h>

extern siphash_key_t gpu_identity_key;

/* 0 for NULL. */
static __always_inline u64 gpu_identity(const void *pointer)
{
	return pointer ? siphash_1u64((unsigned long)pointer, &gpu_identity_key) : 0;
}

#endif
