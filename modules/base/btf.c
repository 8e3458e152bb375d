// SPDX-License-Identifier: GPL-2.0-only
/* See btf.h. Nothing that the file says is believed: a number that leads out of it is an error, or leads to nothing. */
#include "btf.h"

#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

/* Bytes of the record that follows the type of this kind; negative for a kind that is not known. */
static int record_size(const struct btf_type *type)
{
	u32 count = btf_type_vlen(type);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return 0;
	case BTF_KIND_INT:
		return sizeof(u32);
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return count * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return count * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return count * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return count * sizeof(struct btf_param);
	case BTF_KIND_VAR:
		return sizeof(struct btf_var);
	case BTF_KIND_DATASEC:
		return count * sizeof(struct btf_var_secinfo);
	case BTF_KIND_DECL_TAG:
		return sizeof(struct btf_decl_tag);
	default:
		return -EINVAL;
	}
}

/* Counts the types, and once there is room for it notes where each is. */
static int walk_types(struct gpu_btf *btf)
{
	u32 place = 0, number = btf->begin;

	while (place < btf->types_size) {
		const struct btf_type *type = (const struct btf_type *)(btf->types + place);
		u32 left = btf->types_size - place;
		int record;

		if (left < sizeof(*type))
			return -EINVAL;
		record = record_size(type);
		if (record < 0 || record > left - sizeof(*type))
			return -EINVAL;
		if (btf->places)
			btf->places[number - btf->begin] = place;
		place += sizeof(*type) + record;
		number++;
	}
	btf->end = number;
	return 0;
}

static int parse(struct gpu_btf *btf, size_t size)
{
	const struct btf_header *header = btf->file;
	u64 types, strings;
	int error;

	/* Later kernels have a longer header. */
	if (size < offsetofend(struct btf_header, str_len) || header->magic != BTF_MAGIC || header->version != BTF_VERSION)
		return -EINVAL;
	types = (u64)header->hdr_len + header->type_off;
	strings = (u64)header->hdr_len + header->str_off;
	if (types + header->type_len > size || strings + header->str_len > size || types % sizeof(u32))
		return -EINVAL;
	btf->types = btf->file + types;
	btf->types_size = header->type_len;
	btf->strings = btf->file + strings;
	btf->strings_size = header->str_len;
	if (btf->strings_size && btf->strings[btf->strings_size - 1] != '\0')
		return -EINVAL;
	btf->begin = btf->base ? btf->base->end : 1;
	btf->strings_begin = btf->base ? btf->base->strings_begin + btf->base->strings_size : 0;
	error = walk_types(btf);
	if (error)
		return error;
	btf->places = kvmalloc_array(btf->end - btf->begin, sizeof(*btf->places), GFP_KERNEL);
	return btf->places ? walk_types(btf) : -ENOMEM;
}

/*
 * Returns the bytes of an open file, or a negative errno. kernel_read_file() is not for this: security modules want to know what
 * is read (ipe_kernel_read_file() warns of READING_UNKNOWN), and of types they know nothing.
 */
static ssize_t read_all(struct file *file, void **bytes)
{
	size_t size = i_size_read(file_inode(file));
	loff_t place = 0;
	char *buffer;

	if (!size)
		return -ENODATA;
	buffer = vmalloc(size);
	if (!buffer)
		return -ENOMEM;
	while (place < size) {
		ssize_t count = kernel_read(file, buffer + place, size - place, &place);

		if (count <= 0) {
			vfree(buffer);
			return count ?: -EIO;
		}
	}
	*bytes = buffer;
	return size;
}

int gpu_btf_read(struct gpu_btf *btf, const char *name, const struct gpu_btf *base)
{
	char path[sizeof("/sys/kernel/btf/") + MODULE_NAME_LEN];
	struct file *file;
	ssize_t size;
	int error;

	*btf = (struct gpu_btf){ .base = base };
	snprintf(path, sizeof(path), "/sys/kernel/btf/%s", name);
	file = filp_open(path, O_RDONLY, 0);
	if (IS_ERR(file))
		return PTR_ERR(file);
	size = read_all(file, &btf->file);
	filp_close(file, NULL);
	if (size < 0)
		return size;
	btf->file_size = size;
	error = parse(btf, size);
	if (error)
		gpu_btf_free(btf);
	return error;
}

void gpu_btf_free(struct gpu_btf *btf)
{
	kvfree(btf->places);
	vfree(btf->file);
	*btf = (struct gpu_btf){};
}

const struct btf_type *gpu_btf_type(const struct gpu_btf *btf, u32 number)
{
	if (btf->base && number < btf->begin)
		btf = btf->base;
	if (number < btf->begin || number >= btf->end)
		return NULL;
	return (const struct btf_type *)(btf->types + btf->places[number - btf->begin]);
}

const char *gpu_btf_name(const struct gpu_btf *btf, u32 offset)
{
	if (btf->base && offset < btf->strings_begin)
		btf = btf->base;
	if (offset < btf->strings_begin || offset - btf->strings_begin >= btf->strings_size)
		return "";
	return btf->strings + (offset - btf->strings_begin);
}
