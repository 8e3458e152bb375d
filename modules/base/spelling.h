/* SPDX-License-Identifier: GPL-2.0-only */
/* Types as C spells them, in the very words of modules/layout/kernel_types.cpp ("struct dma_fence *", "(int, u32)"). */
#ifndef LTTNG_GPU_BASE_SPELLING_H
#define LTTNG_GPU_BASE_SPELLING_H

#include "btf.h"

struct gpu_spelling {
	size_t length;
	char text[512]; /* what is longer is cut, and so equals nothing that was expected */
};

void gpu_spell_type(const struct gpu_btf *btf, u32 type, struct gpu_spelling *spelling);

/* Of a BTF_KIND_FUNC_PROTO, without its first ones. */
void gpu_spell_arguments(const struct gpu_btf *btf, const struct btf_type *prototype, u32 first, struct gpu_spelling *spelling);

#endif
