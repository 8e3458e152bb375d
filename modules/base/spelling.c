// SPDX-License-Identifier: GPL-2.0-only
/* See spelling.h. */
#include "spelling.h"

#include <linux/kernel.h>
#include <linux/string.h>

/* Pointers, qualifiers and arguments of arguments; real types have few. It bounds the stack. */
#define DEEPEST 16

static void spell(const struct gpu_btf *btf, u32 number, struct gpu_spelling *spelling, int depth);

static void put(struct gpu_spelling *spelling, const char *text)
{
	spelling->length += scnprintf(spelling->text + spelling->length, sizeof(spelling->text) - spelling->length, "%s", text);
}

static void put_before(struct gpu_spelling *spelling, size_t begin, const char *text)
{
	size_t size = strlen(text);

	if (spelling->length + size >= sizeof(spelling->text))
		return;
	memmove(spelling->text + begin + size, spelling->text + begin, spelling->length - begin + 1);
	memcpy(spelling->text + begin, text, size);
	spelling->length += size;
}

static bool ends_with_pointer(const struct gpu_spelling *spelling)
{
	return spelling->length && spelling->text[spelling->length - 1] == '*';
}

static void spell_const(const struct gpu_btf *btf, u32 target, struct gpu_spelling *spelling, int depth)
{
	size_t begin = spelling->length;

	spell(btf, target, spelling, depth);
	if (ends_with_pointer(spelling))
		put(spelling, "const");
	else
		put_before(spelling, begin, "const ");
}

static void spell_array(const struct gpu_btf *btf, const struct btf_array *array, struct gpu_spelling *spelling, int depth)
{
	char length[16];

	spell(btf, array->type, spelling, depth);
	snprintf(length, sizeof(length), "[%u]", array->nelems);
	put(spelling, length);
}

static void spell_arguments(const struct gpu_btf *btf, const struct btf_type *prototype, u32 first,
			    struct gpu_spelling *spelling, int depth)
{
	const struct btf_param *parameters = (const struct btf_param *)(prototype + 1);
	u32 i;

	put(spelling, "(");
	for (i = first; i < btf_type_vlen(prototype); i++) {
		put(spelling, i > first ? ", " : "");
		spell(btf, parameters[i].type, spelling, depth);
	}
	put(spelling, ")");
}

static void spell(const struct gpu_btf *btf, u32 number, struct gpu_spelling *spelling, int depth)
{
	const struct btf_type *type = gpu_btf_type(btf, number);

	if (!type || !depth--) {
		put(spelling, number ? "?" : "void");
		return;
	}
	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_PTR:
		spell(btf, type->type, spelling, depth);
		put(spelling, ends_with_pointer(spelling) ? "*" : " *");
		return;
	case BTF_KIND_CONST:
		spell_const(btf, type->type, spelling, depth);
		return;
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		spell(btf, type->type, spelling, depth);
		return;
	case BTF_KIND_ARRAY:
		spell_array(btf, (const struct btf_array *)(type + 1), spelling, depth);
		return;
	case BTF_KIND_FUNC_PROTO:
		spell(btf, type->type, spelling, depth);
		put(spelling, " ");
		spell_arguments(btf, type, 0, spelling, depth);
		return;
	case BTF_KIND_STRUCT:
		put(spelling, "struct ");
		break;
	case BTF_KIND_UNION:
		put(spelling, "union ");
		break;
	case BTF_KIND_FWD:
		put(spelling, btf_type_kflag(type) ? "union " : "struct ");
		break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		put(spelling, "enum ");
		break;
	}
	put(spelling, gpu_btf_name(btf, type->name_off));
}

static void begin_text(struct gpu_spelling *spelling)
{
	spelling->length = 0;
	spelling->text[0] = '\0';
}

void gpu_spell_type(const struct gpu_btf *btf, u32 type, struct gpu_spelling *spelling)
{
	begin_text(spelling);
	spell(btf, type, spelling, DEEPEST);
}

void gpu_spell_arguments(const struct gpu_btf *btf, const struct btf_type *prototype, u32 first, struct gpu_spelling *spelling)
{
	begin_text(spelling);
	spell_arguments(btf, prototype, first, spelling, DEEPEST);
}
