/* SPDX-License-Identifier: MIT */
/*
 * Where there is no /dev/kfd, a program that opens it gets /dev/null: the runtime does not use it on the stand-in. One that
 * asks sysfs for the driver's state, as later versions of rocminfo do, is told that it is there.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))

API int open(const char *path, int flags, ...)
{
	unsigned mode;
	va_list more;

	va_start(more, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, unsigned) : 0;
	va_end(more);
	/* Not by dlsym(): LTTng opens files while the dynamic linker is at work. */
	return openat(AT_FDCWD, strcmp(path, "/dev/kfd") == 0 ? "/dev/null" : path, flags, mode);
}

static int state_of_driver(void)
{
	const int file = memfd_create("initstate", MFD_CLOEXEC);

	if (file >= 0 && write(file, "live\n", 5) == 5)
		lseek(file, 0, SEEK_SET);
	return file;
}

static int flags_of(const char *mode)
{
	const int access = strchr(mode, '+') ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
	const int create = *mode == 'w' ? O_CREAT | O_TRUNC : *mode == 'a' ? O_CREAT | O_APPEND : 0;

	return access | create | (strchr(mode, 'e') ? O_CLOEXEC : 0);
}

static FILE *open_stream(const char *path, const char *mode)
{
	const int file = strcmp(path, "/sys/module/amdgpu/initstate") == 0 ? state_of_driver() : openat(AT_FDCWD, path, flags_of(mode), 0666);

	return file < 0 ? NULL : fdopen(file, mode);
}

API FILE *fopen(const char *path, const char *mode)
{
	return open_stream(path, mode);
}

API FILE *fopen64(const char *path, const char *mode)
{
	return open_stream(path, mode);
}
