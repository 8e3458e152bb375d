/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The plan that fire-plan writes and gpufire.ko carries out: objects, and calls of tracepoints with them.
 *
 * A firing owns a range of objects, words and links, and the first of its objects is its frame: the values of the
 * arguments, one u64 each. Objects are filled from their seed (gpufire_fill), then words are stored, then links, which
 * are addresses that only the kernel knows. Objects are freed after the firing; there is slack behind each.
 *
 * Write one plan to /dev/gpufire, then read the result from the same open file, in lines:
 *   pid PID                          of the process that fired
 *   object INDEX ADDRESS
 *   symbol INDEX ADDRESS
 *   firing INDEX ok NANOSECONDS      for all its calls together
 *   firing INDEX error WHY
 */
#ifndef GPUFIRE_UAPI_H
#define GPUFIRE_UAPI_H

#include <linux/types.h>

#define GPUFIRE_MAGIC			0x4552494655504721ULL
#define GPUFIRE_MAX_BYTES		(64u << 20)
#define GPUFIRE_MAX_OBJECT		(16u << 20)
#define GPUFIRE_MAX_ARGUMENTS		12

/* Arrays follow in this order: objects, words, links, firings, symbols (offsets in names), names. */
struct gpufire_plan {
	__u64 magic;
	__u64 bytes;	/* of the whole plan */
	__u32 objects;
	__u32 words;
	__u32 links;
	__u32 firings;
	__u32 symbols;
	__u32 names;	/* bytes of strings, each with its NUL; a multiple of 8 */
};

struct gpufire_object {
	__u64 seed;
	__u32 bytes;	/* a multiple of 8 */
	__u32 unused;
};

struct gpufire_word {
	__u32 object;
	__u32 offset;	/* a multiple of 8 */
	__u64 value;
};

#define GPUFIRE_LINK_OBJECT		0u
#define GPUFIRE_LINK_SYMBOL		1u

struct gpufire_link {
	__u32 object;
	__u32 offset;
	__u32 kind;
	__u32 target;	/* index of an object of the same firing, or of a symbol */
	__s64 addend;
};

struct gpufire_firing {
	__u32 tracepoint;	/* offset in names */
	__u32 module;		/* offset in names of its module; an empty name: the kernel image */
	__u32 arguments;
	__u32 repeat;		/* how often the tracepoint is called */
	__u32 first_object;
	__u32 objects;
	__u32 first_word;
	__u32 words;
	__u32 first_link;
	__u32 links;
};

/* The random content of an object: SplitMix64, of which the n-th number can be had by itself. */
static inline __u64 gpufire_fill(__u64 seed, __u64 index)
{
	__u64 z = seed + (index + 1) * 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

#endif
