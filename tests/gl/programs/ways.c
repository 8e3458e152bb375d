/* SPDX-License-Identifier: MIT */
/* See scene.h. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "scene.h"

static void *egl, *gl;

int close_found(void)
{
	return dlclose(gl) || dlclose(egl);
}

int find_functions(struct functions *found, const char *way)
{
	int flags = RTLD_NOW | RTLD_LOCAL | (strcmp(way, "deepbind") ? 0 : RTLD_DEEPBIND);

	egl = dlopen("libEGL.so.1", flags);
	gl = dlopen("libGLESv2.so.2", flags);
	if (!egl || !gl) {
		fprintf(stderr, "%s\n", dlerror());
		return 0;
	}
	dlerror();
	*(void **)&found->eglGetProcAddress = dlsym(egl, "eglGetProcAddress");
	if (!strcmp(way, "getproc")) {
#define ASK(name) *(void **)&found->name = (void *)found->eglGetProcAddress(#name);
		EGL_FUNCTIONS(ASK)
		GL_FUNCTIONS(ASK)
	} else {
#define FIND_EGL(name) *(void **)&found->name = dlsym(egl, #name);
#define FIND_GL(name) *(void **)&found->name = dlsym(gl, #name);
		EGL_FUNCTIONS(FIND_EGL)
		GL_FUNCTIONS(FIND_GL)
	}
	/* As a program does that has no other way to know. */
	const char *error = dlerror();

	if (error) {
		fprintf(stderr, "dlsym() says %s\n", error);
		return 0;
	}
#define CHECK(name)                                                                                    \
	if (!found->name) {                                                                            \
		fprintf(stderr, "no " #name "\n");                                                     \
		return 0;                                                                              \
	}
	EGL_FUNCTIONS(CHECK)
	GL_FUNCTIONS(CHECK)
	return 1;
}
