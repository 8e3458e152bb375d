/* SPDX-License-Identifier: MIT */
/*
 * Preloaded: memory that a layer asks for is refused. Its allocations are numbered from 1 in each process; those from
 * FIRST up to LAST of REFUSED="FIRST LAST" fail. REFUSED_LOG=FILE: a line of each process at its end, with how many there were.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_long asked;
static long first = -1, last;

/* The layer or its provider. */
static int is_layer(void *caller)
{
	struct dl_find_object object;

	return _dl_find_object(caller, &object) == 0 && strstr(object.dlfo_link_map->l_name, "/liblttng-gpu-");
}

static int is_refused(void *caller)
{
	long number;

	if (!is_layer(caller))
		return 0;
	if (first < 0) {
		const char *words = getenv("REFUSED");

		first = 0;
		if (words && sscanf(words, "%ld %ld", &first, &last) != 2)
			_exit(99);
	}
	number = atomic_fetch_add(&asked, 1) + 1;
	if (number < first || number > last)
		return 0;
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t size)
{
	return is_refused(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return is_refused(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
	return is_refused(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
	if (is_refused(__builtin_return_address(0)))
		return ENOMEM;
	*memory = __libc_memalign(alignment, size);
	return *memory ? 0 : ENOMEM;
}

__attribute__((destructor)) static void tell(void)
{
	const char *path = getenv("REFUSED_LOG");
	const int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
	char line[32];
	const int length = snprintf(line, sizeof(line), "%ld\n", atomic_load(&asked));

	if (file < 0)
		return;
	if (write(file, line, (size_t)length) != length)
		_exit(98);
	close(file);
}
