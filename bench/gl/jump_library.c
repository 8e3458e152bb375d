/* SPDX-License-Identifier: MIT */
/* The least that a library can do that stands before OpenGL's: it jumps to the next function. What the layer costs beyond that
 * is its own. */
#define _GNU_SOURCE
#include <dlfcn.h>

#define JUMPS(X)                                                                                       \
	X(unsigned, eglSwapBuffers, (void *display, void *surface), (display, surface))                \
	X(void, glDrawArrays, (unsigned mode, int first, int count), (mode, first, count))             \
	X(void, glDeleteSync, (void *sync), (sync))                                                    \
	X(void, glDispatchCompute, (unsigned x, unsigned y, unsigned z), (x, y, z))

#define POINTER(result, name, parameters, arguments) static result(*next_##name) parameters;
JUMPS(POINTER)

__attribute__((constructor)) static void find_all(void)
{
#define FIND(result, name, parameters, arguments) *(void **)&next_##name = dlsym(RTLD_NEXT, #name);
	JUMPS(FIND)
}

#define JUMP(result, name, parameters, arguments)                                                      \
	__attribute__((aligned(32))) result name parameters { return next_##name arguments; }
JUMPS(JUMP)
