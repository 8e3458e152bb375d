/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads of structures whose layout the probe knows from BTF only. The offsets come from the header that
 * btf-layout generates for exactly this kernel build (modules/layout/); it defines none whose type differs.
 */
#ifndef LTTNG_GPU_LAYOUT_H
#define LTTNG_GPU_LAYOUT_H

#define gpu_field_address(object, structure, field, type)                                              \
	((type *)((const char *)(object) + GPU_OFFSET_##structure##_##field))

#define gpu_field(object, structure, field, type)                                                      \
	READ_ONCE(*gpu_field_address(object, structure, field, type))

#endif
