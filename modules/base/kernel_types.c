// SPDX-License-Identifier: GPL-2.0-only
/* See tap.h: which kernel runs, by its BTF. */
#include "btf.h"
#include "tap.h"

#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/string.h>

/* FNV-1a over words of eight bytes, little end first; the last one is filled with zeros. */
static u64 hash_of(const char *bytes, size_t size)
{
	u64 hash = 0xcbf29ce484222325;

	while (size) {
		size_t part = min(size, sizeof(u64));
		__le64 word = 0;

		memcpy(&word, bytes, part);
		hash = (hash ^ le64_to_cpu(word)) * 0x100000001b3;
		bytes += part;
		size -= part;
	}
	return hash;
}

/* The kernel's image stays as it is, so its types are read once. */
static int read_hash(char hash[17])
{
	static DEFINE_MUTEX(lock);
	static char known[17];
	struct gpu_btf btf;
	int error = 0;

	mutex_lock(&lock);
	if (!*known) {
		error = gpu_btf_read(&btf, "vmlinux", NULL);
		if (!error) {
			snprintf(known, sizeof(known), "%016llx", hash_of(btf.file, btf.file_size));
			gpu_btf_free(&btf);
		}
	}
	memcpy(hash, known, sizeof(known));
	mutex_unlock(&lock);
	return error;
}

bool gpu_kernel_has_types(const char *hash, char *problem, size_t size)
{
	char found[17];
	int error = read_hash(found);

	if (error)
		snprintf(problem, size, "its BTF cannot be read (%d)", error);
	else if (strcmp(found, hash))
		snprintf(problem, size, "the hash of its types is %s and not %s", found, hash);
	return !error && !strcmp(found, hash);
}
EXPORT_SYMBOL_GPL(gpu_kernel_has_types);
