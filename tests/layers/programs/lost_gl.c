/* SPDX-License-Identifier: MIT */
/* lost_gl frames|finishes: a program whose context is lost (../drivers/lost_gl.c). It prints all errors, tries on for some rounds, and
 * does the same with another context. */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
#include <stdio.h>
#include <string.h>

enum { FRAMES = 20, FINISHES = 100 };

/* Blits read from it: OpenGL ES does not let them read where they write. */
static void make_source(void)
{
	GLuint frame, picture;

	glGenFramebuffers(1, &frame);
	glGenRenderbuffers(1, &picture);
	glBindRenderbuffer(GL_RENDERBUFFER, picture);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 16, 16);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, frame);
	glFramebufferRenderbuffer(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, picture);
}

static void blit(void)
{
	glBlitFramebuffer(0, 0, 4, 4, 8, 8, 12, 12, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

static void tell(const char *what, int number)
{
	const GLenum first = glGetError();
	const GLenum second = glGetError();

	printf("%s %d: %#x %#x\n", what, number, first, second);
}

static void draw_frames(EGLDisplay display, EGLSurface surface)
{
	for (int i = 0; i < FRAMES; ++i) {
		glClear(GL_COLOR_BUFFER_BIT);
		blit();
		tell("drawn", i);
		EGLBoolean is_swapped = eglSwapBuffers(display, surface);
		EGLint error = eglGetError();

		printf("swap %d: %u %#x\n", i, is_swapped, (unsigned)error);
		tell("swapped", i);
	}
}

/* More than the layer has room for, where none comes back. */
static void finish_often(void)
{
	for (int i = 0; i < FINISHES; ++i) {
		blit();
		glFinish();
		tell("finish", i);
	}
}

int main(int count, char **words)
{
	const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_RED_SIZE, 8,
				 EGL_GREEN_SIZE, 8, EGL_BLUE_SIZE, 8, EGL_ALPHA_SIZE, 8, EGL_NONE};
	const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE}, version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
	const EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	EGLConfig config;
	EGLint found = 0;

	if (count < 2 || !eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API) ||
	    !eglChooseConfig(display, wanted, &config, 1, &found) || found < 1)
		return 2;
	for (int i = 0; i < 2; ++i) {
		EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
		EGLSurface surface = eglCreatePbufferSurface(display, config, size);

		if (!eglMakeCurrent(display, surface, surface, context))
			return 3;
		make_source();
		if (!strcmp(words[1], "frames"))
			draw_frames(display, surface);
		else
			finish_often();
		eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
		eglDestroySurface(display, surface);
		eglDestroyContext(display, context);
	}
	eglTerminate(display);
	return 5;
}
