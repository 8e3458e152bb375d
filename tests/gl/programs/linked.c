/* SPDX-License-Identifier: MIT */
/* See scene.h. Linked to the libraries, in a program or in a plugin. */
#include "scene.h"

void take_linked(struct functions *found)
{
#define TAKE(name) found->name = name;
	EGL_FUNCTIONS(TAKE)
	GL_FUNCTIONS(TAKE)
}
