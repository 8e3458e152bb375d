/* SPDX-License-Identifier: MIT */
/* An EGL and OpenGL driver (a vendor library of libglvnd) that ends by itself, see ending.h: Mesa does the work. */
#define _GNU_SOURCE
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>
#include <glvnd/libeglabi.h>

#include "ending.h"

static void *(*real_address)(const char *name);

static void *address(const char *name)
{
	return ending_stub(name, real_address(name));
}

__attribute__((visibility("default"))) EGLBoolean __egl_Main(uint32_t version, const __EGLapiExports *exports, __EGLvendorInfo *vendor,
							     __EGLapiImports *imports)
{
	void *const library = dlopen("libEGL_mesa.so.0", RTLD_NOW | RTLD_LOCAL);
	EGLBoolean (*real)(uint32_t, const __EGLapiExports *, __EGLvendorInfo *, __EGLapiImports *);

	*(void **)&real = library ? dlsym(library, "__egl_Main") : NULL;
	if (!real || !real(version, exports, vendor, imports)) {
		fprintf(stderr, "ending driver: no libEGL_mesa.so.0\n");
		return EGL_FALSE;
	}
	real_address = imports->getProcAddress;
	imports->getProcAddress = address;
	return EGL_TRUE;
}
