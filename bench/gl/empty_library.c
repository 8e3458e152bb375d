/* SPDX-License-Identifier: MIT */
/* In the place of OpenGL's libraries: functions that do nothing, so that what is measured is the layer. */
#include <stddef.h>

int eglInitialize(void *display, int *major, int *minor)
{
	(void)display;
	(void)major;
	(void)minor;
	return 1;
}

unsigned eglSwapBuffers(void *display, void *surface)
{
	(void)display;
	return surface != NULL;
}

void glDrawArrays(unsigned mode, int first, int count)
{
	(void)mode;
	(void)first;
	(void)count;
}

void glDeleteSync(void *sync)
{
	(void)sync;
}

void glDispatchCompute(unsigned x, unsigned y, unsigned z)
{
	(void)x;
	(void)y;
	(void)z;
}
