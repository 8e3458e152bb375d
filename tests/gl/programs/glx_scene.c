/* SPDX-License-Identifier: MIT */
/* glx_scene FRAMES: two windows drawn in turn by one context, linked to libGL (GLX), read back. */
#include <GL/gl.h>
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 32 };

static void draw(int number)
{
	unsigned pixels[SIZE * SIZE], sum = 1;

	glClearColor(0, 0, (float)(number % 8) / 8, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	for (int i = 0; i <= number % 3; i++) {
		glBegin(GL_TRIANGLES);
		glColor3f(1, 0.5f * (float)i, 0);
		glVertex2f(-1, -1);
		glVertex2f(1, -1);
		glVertex2f((float)i / 2, 1);
		glEnd();
	}
	glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	for (int i = 0; i < SIZE * SIZE; i++)
		sum = sum * 31 + pixels[i];
	printf("%d %08x\n", number, sum);
}

int main(int argc, char **argv)
{
	int wanted[] = {GLX_RGBA, GLX_DOUBLEBUFFER, GLX_RED_SIZE, 8, None};
	int frames = argc > 1 ? atoi(argv[1]) : 0;
	Display *display = XOpenDisplay(NULL);
	XVisualInfo *visual = display ? glXChooseVisual(display, DefaultScreen(display), wanted) : NULL;
	XSetWindowAttributes attributes = {0};
	Window window[2];

	if (!visual)
		return 2;
	attributes.colormap = XCreateColormap(display, DefaultRootWindow(display), visual->visual, AllocNone);
	for (int i = 0; i < 2; i++) {
		window[i] = XCreateWindow(display, DefaultRootWindow(display), 40 * i, 0, SIZE, SIZE, 0, visual->depth, InputOutput,
					  visual->visual, CWColormap | CWBorderPixel, &attributes);
		XMapWindow(display, window[i]);
	}
	XSync(display, False);
	GLXContext context = glXCreateContext(display, visual, NULL, True);

	for (int i = 0; i < frames; i++) {
		if (!glXMakeCurrent(display, window[i % 2], context))
			return 3;
		draw(i);
		glXSwapBuffers(display, window[i % 2]);
	}
	glFinish();
	glXMakeCurrent(display, None, NULL);
	glXDestroyContext(display, context);
	XCloseDisplay(display);
	return 0;
}
