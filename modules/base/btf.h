/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BTF of the kernel image and of a loaded module (Documentation/bpf/btf.rst). It is read from /sys/kernel/btf: the kernel
 * has verified it there, and has put that of a module which brought a base of its own (.BTF.base) on the kernel's. What
 * struct module has of it is gone after the module's start.
 */
#ifndef LTTNG_GPU_BASE_BTF_H
#define LTTNG_GPU_BASE_BTF_H

#include <linux/btf.h>
#include <linux/types.h>

struct gpu_btf {
	const struct gpu_btf *base; /* whose types and strings this one continues, or NULL */
	void *file;
	size_t file_size;
	const char *types;
	const char *strings;
	u32 types_size; /* bytes */
	u32 strings_begin; /* offset of the first, behind those of the base */
	u32 strings_size;
	u32 begin; /* number of the first type */
	u32 end;   /* behind the last */
	u32 *places; /* of types from begin on, in bytes from types */
};

/* 0, or a negative errno: -ENOENT when there is no BTF of this name, -EINVAL when it is not understood. */
int gpu_btf_read(struct gpu_btf *btf, const char *name, const struct gpu_btf *base);
void gpu_btf_free(struct gpu_btf *btf);

/* NULL for void and for what does not exist. The record that follows the type is complete. */
const struct btf_type *gpu_btf_type(const struct gpu_btf *btf, u32 number);

/* "" when it has none. */
const char *gpu_btf_name(const struct gpu_btf *btf, u32 offset);

#endif
