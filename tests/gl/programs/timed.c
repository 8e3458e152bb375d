/* SPDX-License-Identifier: MIT */
/* timed MODE FRAMES: draws with OpenGL and has timer queries of its own. MODE: plain; buffer: results go into a buffer object;
 * lists: with display lists, during one of which it copies. Prints what must not depend on whose other queries there are. truth: prints
 * of each frame when it began on the CPU, its first and last timestamp on the device, and when the CPU knew of its end. throttled: sleeps
 * before each frame and prints between which moments its first call was. */
#define EGL_EGLEXT_PROTOTYPES
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIZE = 64, WORDS = 16 };

static GLuint result_buffer, framebuffer, queries[3];

static void prepare(int with_buffer)
{
	uint64_t pattern[WORDS];
	GLuint textures[1];

	memset(pattern, 0xEE, sizeof(pattern));
	glGenBuffers(1, &result_buffer);
	if (with_buffer) {
		glBindBuffer(GL_QUERY_BUFFER, result_buffer);
		glBufferData(GL_QUERY_BUFFER, sizeof(pattern), pattern, GL_DYNAMIC_READ);
	}
	glGenTextures(1, textures);
	glBindTexture(GL_TEXTURE_2D, textures[0]);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, textures[0], 0);
	glClearColor(0, 1, 0, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	glBindFramebuffer(GL_FRAMEBUFFER, 0);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
	glGenQueries(3, queries);
}

static void copy(int at)
{
	glBlitFramebuffer(0, 0, 8, 8, at, at, at + 8, at + 8, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

static void list_a_copy(void)
{
	glNewList(1, GL_COMPILE);
	copy(40);
	glEndList();
	glCallList(1);
}

/* The results of its own queries, in order; a query that another one ended has none. */
static int own_results(int with_buffer)
{
	GLuint64 first = 0, elapsed = 0, last = 0;

	if (with_buffer) {
		glGetQueryObjectui64v(queries[0], GL_QUERY_RESULT, (GLuint64 *)0);
		glGetQueryObjectui64v(queries[1], GL_QUERY_RESULT, (GLuint64 *)8);
		glGetQueryObjectui64v(queries[2], GL_QUERY_RESULT, (GLuint64 *)16);
		return 1;
	}
	glGetQueryObjectui64v(queries[0], GL_QUERY_RESULT, &first);
	glGetQueryObjectui64v(queries[1], GL_QUERY_RESULT, &elapsed);
	glGetQueryObjectui64v(queries[2], GL_QUERY_RESULT, &last);
	return first && elapsed && first <= last;
}

static unsigned read_pixels(void)
{
	static unsigned pixels[SIZE * SIZE];
	unsigned sum = 1;

	glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
	glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
	for (int i = 0; i < SIZE * SIZE; i++)
		sum = sum * 31 + pixels[i];
	return sum;
}

static void draw(EGLDisplay display, EGLSurface surface, int number, int with_buffer, int with_lists)
{
	glQueryCounter(queries[0], GL_TIMESTAMP);
	glBeginQuery(GL_TIME_ELAPSED, queries[1]);
	glClearColor(0, 0, (float)(number % 8) / 8, 1);
	glClear(GL_COLOR_BUFFER_BIT);
	copy(number % 32);
	if (with_lists)
		list_a_copy();
	printf("%d %08x ", number, read_pixels());
	eglSwapBuffers(display, surface);
	glEndQuery(GL_TIME_ELAPSED);
	glQueryCounter(queries[2], GL_TIMESTAMP);
	printf("%d\n", own_results(with_buffer));
}

static unsigned long long now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (unsigned long long)time.tv_sec * 1000000000 + (unsigned long long)time.tv_nsec;
}

static void draw_truth(EGLDisplay display, EGLSurface surface, int number)
{
	unsigned long long begin = now_ns();
	GLuint64 first = 0, last = 0;

	glQueryCounter(queries[0], GL_TIMESTAMP);
	for (int i = 0; i < 100; i++)
		copy((number + i) % 32);
	glQueryCounter(queries[2], GL_TIMESTAMP);
	eglSwapBuffers(display, surface);
	glFinish();
	unsigned long long end = now_ns();

	glGetQueryObjectui64v(queries[0], GL_QUERY_RESULT, &first);
	glGetQueryObjectui64v(queries[2], GL_QUERY_RESULT, &last);
	printf("%d %llu %llu %llu %llu\n", number + 1, begin, (unsigned long long)first, (unsigned long long)last, end);
}

static void draw_throttled(EGLDisplay display, EGLSurface surface, int number)
{
	const struct timespec pause = {0, 14000000};

	nanosleep(&pause, NULL);
	unsigned long long begin = now_ns();
	glClear(GL_COLOR_BUFFER_BIT);
	unsigned long long end = now_ns();
	copy(number % 32);
	eglSwapBuffers(display, surface);
	glFlush();
	printf("%d %llu %llu\n", number + 1, begin, end);
}

static void say_buffer(void)
{
	uint64_t words[WORDS];

	glGetBufferSubData(GL_QUERY_BUFFER, 0, sizeof(words), words);
	printf("buffer %d", words[0] && words[1] && words[0] <= words[2]);
	for (int i = 3; i < WORDS; i++)
		printf(" %llx", (unsigned long long)words[i]);
	printf("\n");
}

int main(int argc, char **argv)
{
	const char *mode = argc > 2 ? argv[1] : "plain";
	int frames = argc > 2 ? atoi(argv[2]) : 0, with_lists = !strcmp(mode, "lists"), with_buffer = !strcmp(mode, "buffer");
	const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_RED_SIZE, 8, EGL_NONE};
	const EGLint profile[] = {EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, with_lists ? 3 : 5, EGL_CONTEXT_OPENGL_PROFILE_MASK,
				  with_lists ? EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT : EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
	const EGLint size[] = {EGL_WIDTH, SIZE, EGL_HEIGHT, SIZE, EGL_NONE};
	EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	EGLConfig config;
	EGLint count = 0;

	if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(display, wanted, &config, 1, &count) || count < 1)
		return 2;
	EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, profile);
	EGLSurface surface = eglCreatePbufferSurface(display, config, size);

	if (!context || !surface || !eglMakeCurrent(display, surface, surface, context))
		return 3;
	prepare(with_buffer);
	for (int i = 0; i < frames; i++)
		if (!strcmp(mode, "truth"))
			draw_truth(display, surface, i);
		else if (!strcmp(mode, "throttled"))
			draw_throttled(display, surface, i);
		else
			draw(display, surface, i, with_buffer, with_lists);
	if (with_buffer)
		say_buffer();
	printf("error %#x\n", glGetError());
	glBindBuffer(GL_QUERY_BUFFER, 0);
	glFinish();
	eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
	eglDestroyContext(display, context);
	eglTerminate(display);
	return 0;
}
