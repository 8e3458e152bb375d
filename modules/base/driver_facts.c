// SPDX-License-Identifier: GPL-2.0-only
/* See driver_facts.h. How a fact is looked up is how btf-layout found it (modules/layout/kernel_types.cpp). */
#include "driver_facts.h"

#include "btf.h"
#include "spelling.h"

#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

/* Structures within structures; the deepest path of modules/layout has four. It bounds the stack. */
#define DEEPEST_MEMBER 12

#define TRACEPOINT_TYPE "btf_trace_" /* one typedef for each tracepoint (include/trace/bpf_probe.h) */

struct inquiry {
	struct gpu_btf kernel;
	struct gpu_btf driver;
	struct gpu_spelling spelling;
	char *problem;
	size_t problem_size;
};

struct place {
	u32 bytes;
	u32 type;
};

#define say(inquiry, ...) snprintf((inquiry)->problem, (inquiry)->problem_size, __VA_ARGS__)

static u32 kind_of(const struct btf_type *type)
{
	return type ? BTF_INFO_KIND(type->info) : BTF_KIND_UNKN;
}

static bool is_structure(const struct btf_type *type)
{
	return kind_of(type) == BTF_KIND_STRUCT || kind_of(type) == BTF_KIND_UNION;
}

/* The type behind typedefs and qualifiers. A chain of them ends: each was declared before the next. */
static const struct btf_type *stripped(const struct gpu_btf *btf, u32 number)
{
	const struct btf_type *type = gpu_btf_type(btf, number);
	int links;

	for (links = 0; type && links < DEEPEST_MEMBER; links++) {
		switch (kind_of(type)) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_CONST:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
			type = gpu_btf_type(btf, type->type);
			continue;
		}
		return type;
	}
	return NULL;
}

/* The structure that a type of this name is: itself, or an unnamed one behind a typedef; or NULL. */
static const struct btf_type *structure_named(const struct gpu_btf *btf, u32 number, const char *name)
{
	const struct btf_type *type = gpu_btf_type(btf, number);

	if (kind_of(type) != BTF_KIND_STRUCT && kind_of(type) != BTF_KIND_TYPEDEF)
		return NULL;
	if (strcmp(gpu_btf_name(btf, type->name_off), name))
		return NULL;
	if (kind_of(type) == BTF_KIND_STRUCT)
		return type;
	type = gpu_btf_type(btf, type->type);
	return kind_of(type) == BTF_KIND_STRUCT && !type->name_off ? type : NULL;
}

static bool find_member(const struct gpu_btf *btf, const struct btf_type *structure, const char *path, struct place *place, int depth)
{
	const struct btf_member *members = (const struct btf_member *)(structure + 1);
	size_t length = strcspn(path, ".");
	u32 i;

	if (!depth--)
		return false;
	for (i = 0; i < btf_type_vlen(structure); i++) {
		const char *name = gpu_btf_name(btf, members[i].name_off);
		const struct btf_type *inner = stripped(btf, members[i].type);
		u32 bits = __btf_member_bit_offset(structure, &members[i]);
		bool is_ours = strlen(name) == length && !strncmp(name, path, length);

		if (*name && !is_ours)
			continue;
		if (is_ours && !path[length]) {
			*place = (struct place){ bits / 8, members[i].type };
			return !__btf_member_bitfield_size(structure, &members[i]) && bits % 8 == 0;
		}
		if (is_structure(inner) && find_member(btf, inner, *name ? path + length + 1 : path, place, depth)) {
			place->bytes += bits / 8;
			return true;
		}
	}
	return false;
}

static bool has_member(struct inquiry *inquiry, const struct gpu_fact *fact)
{
	const struct gpu_btf *btf = &inquiry->driver;
	bool is_found = false;
	u32 number;

	for (number = btf->begin; number < btf->end; number++) {
		const struct btf_type *structure = structure_named(btf, number, fact->name);
		struct place place;

		if (!structure)
			continue;
		is_found = find_member(btf, structure, fact->path, &place, DEEPEST_MEMBER);
		if (!is_found)
			break;
		if (place.bytes != fact->value) {
			say(inquiry, "%s.%s is at byte %u and not at %lld", fact->name, fact->path, place.bytes, fact->value);
			return false;
		}
		gpu_spell_type(btf, place.type, &inquiry->spelling);
		if (strcmp(inquiry->spelling.text, fact->type)) {
			say(inquiry, "%s.%s is '%s' and not '%s'", fact->name, fact->path, inquiry->spelling.text, fact->type);
			return false;
		}
	}
	if (!is_found)
		say(inquiry, "it has no %s.%s", fact->name, fact->path);
	return is_found;
}

static bool has_size(struct inquiry *inquiry, const struct gpu_fact *fact)
{
	const struct gpu_btf *btf = &inquiry->driver;
	bool is_found = false;
	u32 number;

	for (number = btf->begin; number < btf->end; number++) {
		const struct btf_type *structure = structure_named(btf, number, fact->name);

		if (structure && structure->size != fact->value) {
			say(inquiry, "%s has %u bytes and not %lld", fact->name, structure->size, fact->value);
			return false;
		}
		is_found |= structure != NULL;
	}
	if (!is_found)
		say(inquiry, "it has no %s", fact->name);
	return is_found;
}

/* Returns whether the enumeration has the enumerator. */
static bool find_enumerator(const struct gpu_btf *btf, const struct btf_type *type, const char *name, s64 *value)
{
	const struct btf_enum *narrow = (const struct btf_enum *)(type + 1);
	const struct btf_enum64 *wide = (const struct btf_enum64 *)(type + 1);
	bool is_wide = kind_of(type) == BTF_KIND_ENUM64;
	u32 i;

	for (i = 0; i < btf_type_vlen(type); i++) {
		if (strcmp(gpu_btf_name(btf, is_wide ? wide[i].name_off : narrow[i].name_off), name))
			continue;
		*value = is_wide ? (s64)((u64)wide[i].val_hi32 << 32 | wide[i].val_lo32) : narrow[i].val;
		return true;
	}
	return false;
}

static bool has_constant(struct inquiry *inquiry, const struct gpu_fact *fact)
{
	const struct gpu_btf *btf = &inquiry->driver;
	u32 number;
	s64 value;

	for (number = btf->begin; number < btf->end; number++) {
		const struct btf_type *type = gpu_btf_type(btf, number);

		if (kind_of(type) != BTF_KIND_ENUM && kind_of(type) != BTF_KIND_ENUM64)
			continue;
		if (!find_enumerator(btf, type, fact->name, &value))
			continue;
		if (value != fact->value)
			say(inquiry, "%s is %lld and not %lld", fact->name, value, fact->value);
		return value == fact->value;
	}
	say(inquiry, "it has no %s", fact->name);
	return false;
}

/* Returns the number of functions of that name, and the prototype of one. */
static int find_functions(const struct gpu_btf *btf, const char *name, const struct btf_type **prototype)
{
	int found = 0;
	u32 number;

	for (number = btf->begin; number < btf->end; number++) {
		const struct btf_type *type = gpu_btf_type(btf, number);

		if (kind_of(type) != BTF_KIND_FUNC || strcmp(gpu_btf_name(btf, type->name_off), name))
			continue;
		*prototype = gpu_btf_type(btf, type->type);
		found++;
	}
	return found;
}

static bool has_prototype(struct inquiry *inquiry, const struct gpu_fact *fact, const char *what, const struct btf_type *prototype,
			  u32 first)
{
	if (kind_of(prototype) != BTF_KIND_FUNC_PROTO) {
		say(inquiry, "it has no %s %s", what, fact->name);
		return false;
	}
	gpu_spell_arguments(&inquiry->driver, prototype, first, &inquiry->spelling);
	if (!strcmp(inquiry->spelling.text, fact->type))
		return true;
	say(inquiry, "the %s %s has %s and not %s", what, fact->name, inquiry->spelling.text, fact->type);
	return false;
}

static bool has_function(struct inquiry *inquiry, const struct gpu_fact *fact)
{
	const struct btf_type *prototype = NULL;
	int found = find_functions(&inquiry->driver, fact->name, &prototype);

	if (found > 1) {
		say(inquiry, "it has %d functions %s", found, fact->name); /* a kprobe would not know which */
		return false;
	}
	return has_prototype(inquiry, fact, "function", prototype, 0);
}

/* The prototype of the tracepoint's handlers, or NULL. */
static const struct btf_type *find_tracepoint(const struct gpu_btf *btf, const char *name)
{
	size_t prefix = strlen(TRACEPOINT_TYPE);
	u32 number;

	for (number = btf->begin; number < btf->end; number++) {
		const struct btf_type *type = gpu_btf_type(btf, number);
		const char *found = type ? gpu_btf_name(btf, type->name_off) : "";

		if (kind_of(type) != BTF_KIND_TYPEDEF || strncmp(found, TRACEPOINT_TYPE, prefix) || strcmp(found + prefix, name))
			continue;
		type = gpu_btf_type(btf, type->type);
		return kind_of(type) == BTF_KIND_PTR ? gpu_btf_type(btf, type->type) : NULL;
	}
	return NULL;
}

static bool holds(struct inquiry *inquiry, const struct gpu_fact *fact)
{
	const struct btf_type *tracepoint;

	switch (fact->kind) {
	case GPU_FACT_MEMBER:
		return has_member(inquiry, fact);
	case GPU_FACT_SIZE:
		return has_size(inquiry, fact);
	case GPU_FACT_CONSTANT:
		return has_constant(inquiry, fact);
	case GPU_FACT_FUNCTION:
		return has_function(inquiry, fact);
	case GPU_FACT_TRACEPOINT:
		/* The first argument of a handler is its own. */
		return has_prototype(inquiry, fact, "tracepoint", find_tracepoint(&inquiry->driver, fact->name), 1);
	case GPU_FACT_NO_TRACEPOINT:
		tracepoint = find_tracepoint(&inquiry->driver, fact->name);
		if (tracepoint)
			say(inquiry, "it has a tracepoint %s", fact->name);
		return !tracepoint;
	}
	return false;
}

static bool read_types(struct inquiry *inquiry, const char *driver)
{
	int error = gpu_btf_read(&inquiry->kernel, "vmlinux", NULL);

	if (error) {
		say(inquiry, "the kernel's BTF cannot be read (%d)", error);
		return false;
	}
	error = gpu_btf_read(&inquiry->driver, driver, &inquiry->kernel);
	if (error == -ENOENT)
		say(inquiry, "it has no BTF");
	else if (error)
		say(inquiry, "its BTF cannot be read (%d)", error);
	return !error;
}

bool gpu_driver_has_facts(const char *driver, const struct gpu_fact *facts, size_t count, char *problem, size_t size)
{
	struct inquiry *inquiry = kzalloc(sizeof(*inquiry), GFP_KERNEL);
	bool has_all;
	size_t i;

	if (!inquiry) {
		snprintf(problem, size, "there is no memory to look at it");
		return false;
	}
	inquiry->problem = problem;
	inquiry->problem_size = size;
	has_all = read_types(inquiry, driver);
	for (i = 0; has_all && i < count; i++)
		has_all = holds(inquiry, &facts[i]);
	gpu_btf_free(&inquiry->driver);
	gpu_btf_free(&inquiry->kernel);
	kfree(inquiry);
	return has_all;
}
EXPORT_SYMBOL_GPL(gpu_driver_has_facts);
