/* SPDX-License-Identifier: MIT */
/* life WHAT: programs that end, fork, use threads and close libraries; each prints what it drew. The functions are found
 * with dlopen() and dlsym(); see scene.h. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../layers/programs/hardship.h"
#include "scene.h"

#ifdef LINKED
static int find(struct functions *found)
{
	take_linked(found);
	return 1;
}
#else
static int find(struct functions *found)
{
	return find_functions(found, "local");
}
#endif

/* Each thread has a display connection's context and a surface of its own. */
struct drawn {
	EGLDisplay display;
	EGLConfig config;
	int frames;
	unsigned sum;
	int code;
};

static struct functions f;

static void *draw_in_thread(void *data)
{
	struct drawn *drawn = data;
	const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE}, version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
	EGLContext context = f.eglCreateContext(drawn->display, drawn->config, EGL_NO_CONTEXT, version);
	EGLSurface surface = f.eglCreatePbufferSurface(drawn->display, drawn->config, size);
	unsigned pixel = 0;

	drawn->code = f.eglMakeCurrent(drawn->display, surface, surface, context) ? 0 : 1;
	for (int i = 0; i < drawn->frames && !drawn->code; i++) {
		f.glClearColor((float)i / 50, 0, 0, 1);
		f.glClear(GL_COLOR_BUFFER_BIT);
		f.glReadPixels(3, 3, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &pixel);
		drawn->sum = drawn->sum * 31 + pixel;
		drawn->code = f.eglSwapBuffers(drawn->display, surface) ? 0 : 2;
	}
	f.eglReleaseThread();
	f.eglDestroySurface(drawn->display, surface);
	f.eglDestroyContext(drawn->display, context);
	return NULL;
}

static void prepare(struct drawn *drawn)
{
	const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_RED_SIZE, 8, EGL_NONE};
	EGLint count = 0;

	memset(drawn, 0, sizeof(*drawn));
	drawn->frames = 50;
	drawn->display = f.eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	f.eglInitialize(drawn->display, NULL, NULL);
	f.eglBindAPI(EGL_OPENGL_ES_API);
	if (!f.eglChooseConfig(drawn->display, wanted, &drawn->config, 1, &count) || count < 1)
		exit(9);
}

static int draw_once(void)
{
	struct drawn drawn;

	prepare(&drawn);
	draw_in_thread(&drawn);
	printf("%08x %d\n", drawn.sum, drawn.code);
	fflush(stdout);
	return drawn.code;
}

static int draw_in_threads(unsigned count, size_t stack_bytes, int frames)
{
	struct drawn drawn[64];
	void *arguments[64];

	prepare(&drawn[0]);
	drawn[0].frames = frames;
	for (unsigned i = 0; i < count; i++) {
		drawn[i] = drawn[0];
		arguments[i] = &drawn[i];
	}
	run_threads(count, stack_bytes, draw_in_thread, arguments);
	/* Not what was read back: when several contexts draw at once, llvmpipe (Mesa 22.3) gives something else now and then
	 * (about once in 300 threads), whether there is a layer or not. */
	for (unsigned i = 0; i < count; i++)
		printf("%d\n", drawn[i].code);
	return 0;
}

static int threads(void)
{
	return draw_in_threads(4, 0, 50);
}

static int many_threads(void)
{
	return draw_in_threads(64, 0, 3);
}

/* As little as llvmpipe does with, rounded up. */
static int small_stacks(void)
{
	return draw_in_threads(2, 128 << 10, 3);
}

static volatile sig_atomic_t handled;

/* Mesa takes no lock for it: what hangs is not the driver. */
static void call_opengl(int number)
{
	(void)number;
	f.glDeleteSync(NULL);
	handled = 1;
}

static int signals(void)
{
	int code = draw_once(); /* what a driver does once is done */

	storm_of_signals(call_opengl, 50);
	for (int i = 0; i < 4 && !code; i++)
		code = draw_once();
	for (int i = 0; i < 100000; i++)
		f.glDeleteSync(NULL);
	storm_of_signals(call_opengl, 0);
	printf("%s\n", handled ? "handled" : "none came");
	return code;
}

static int storm_of_forks(void)
{
	struct drawn drawn;
	int code = draw_once();

	prepare(&drawn);
	have_children();
	return code ? code : draw_once();
}

static int wait_for(pid_t child)
{
	int status = 0;

	waitpid(child, &status, 0);
	printf("%d %d\n", WIFEXITED(status), WEXITSTATUS(status));
	fflush(stdout);
	return status;
}

/* One that draws in a child that has not used OpenGL before, then one that has only to end. */
static int forks(void)
{
	pid_t child = fork();

	if (!child)
		exit(draw_once() + 3);
	wait_for(child);
	if (draw_once())
		return 1;
	for (int i = 0; i < 3; i++) {
		child = fork();
		if (!child) {
			f.eglReleaseThread();
			_exit(4);
		}
		wait_for(child);
	}
	return draw_once();
}

static int closes(void)
{
#ifndef LINKED
	for (int i = 0; i < 10; i++) {
		if (!find(&f) || draw_once())
			return 1;
		if (close_found())
			return 2;
	}
#endif
	return 0;
}

/* Nothing is destroyed, and nobody has asked about what was drawn last. */
static int leave_unasked(void)
{
	const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE}, version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
	struct drawn drawn;

	prepare(&drawn);
	EGLContext context = f.eglCreateContext(drawn.display, drawn.config, EGL_NO_CONTEXT, version);
	EGLSurface surface = f.eglCreatePbufferSurface(drawn.display, drawn.config, size);

	f.eglMakeCurrent(drawn.display, surface, surface, context);
	for (int i = 0; i < 3; i++) {
		f.glClear(GL_COLOR_BUFFER_BIT);
		f.eglSwapBuffers(drawn.display, surface);
	}
	puts("unasked");
	return 4;
}

static void GL_APIENTRY end(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length, const GLchar *text, const void *data)
{
	(void)source, (void)type, (void)severity, (void)length, (void)text, (void)data;
	if (id == 77)
		exit(6);
}

/* In the middle of a call: the driver calls back. */
static int ends(void)
{
	const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
	const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 2, EGL_CONTEXT_OPENGL_DEBUG, EGL_TRUE, EGL_NONE};
	struct drawn drawn;

	prepare(&drawn);
	EGLContext context = f.eglCreateContext(drawn.display, drawn.config, EGL_NO_CONTEXT, version);
	EGLSurface surface = f.eglCreatePbufferSurface(drawn.display, drawn.config, size);

	f.eglMakeCurrent(drawn.display, surface, surface, context);
	f.glEnable(GL_DEBUG_OUTPUT);
	f.glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
	f.glDebugMessageCallback(end, NULL);
	f.eglSwapBuffers(drawn.display, surface);
	printf("ends\n");
	f.glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_MARKER, 77, GL_DEBUG_SEVERITY_NOTIFICATION, 3, "end");
	return 1;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} all[] = {{"threads", threads}, {"many-threads", many_threads}, {"small-stacks", small_stacks},
		   {"signals", signals}, {"fork-storm", storm_of_forks}, {"forks", forks}, {"closes", closes}, {"ends", ends},
		   {"unasked", leave_unasked}};

	if (!find(&f))
		return 5;
	for (unsigned i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (argc > 1 && !strcmp(argv[1], all[i].name))
			return all[i].run();
	}
	return 8;
}
