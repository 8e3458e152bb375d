/* SPDX-License-Identifier: MIT */
/* scene WAY FRAMES. Ways: linked; local, deepbind, getproc (see scene.h); plugin PATH: a library that is linked, opened
 * for itself. absent: says whether there is an OpenGL library where there is none. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"

static int say_what_is_there(void)
{
	void *self = dlopen(NULL, RTLD_LAZY);

	printf("%d %d %d\n", dlsym(RTLD_DEFAULT, "glFinish") != NULL, dlsym(self, "eglSwapBuffers") != NULL,
	       dlsym(RTLD_DEFAULT, "printf") == (void *)printf);
	return dlerror() == NULL;
}

#ifndef LINKED
static int run_plugin(const char *path, struct functions *found)
{
	void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	void (*take)(struct functions *) = NULL;

	if (plugin)
		*(void **)&take = dlsym(plugin, "take_linked");
	if (!take) {
		fprintf(stderr, "%s\n", dlerror());
		return 0;
	}
	take(found);
	return 1;
}
#endif

int main(int argc, char **argv)
{
	static struct functions found;
	const char *way = argc > 2 ? argv[1] : "";

	if (!strcmp(way, "absent"))
		return say_what_is_there();
#ifdef LINKED
	take_linked(&found);
#else
	if (argc > 3 ? !run_plugin(argv[3], &found) : !find_functions(&found, way))
		return 5;
#endif
	return argc > 2 ? draw_scene(&found, atoi(argv[2])) : 6;
}
