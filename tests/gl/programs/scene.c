/* SPDX-License-Identifier: MIT */
/* Draws, computes, uploads, waits and reads back with EGL, without a window; see scene.h. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "scene.h"

enum { SIZE = 64, TEXTURE = 256 };

static const char *const vertex_shader =
	"#version 310 es\nlayout(location=0) in vec2 at; out vec2 place;\n"
	"void main() { place = at * 0.5 + 0.5; gl_Position = vec4(at, 0, 1); }";
static const char *const fragment_shader =
	"#version 310 es\nprecision highp float; in vec2 place; uniform sampler2D image; out vec4 color;\n"
	"void main() { color = texture(image, place); }";
static const char *const compute_shader =
	"#version 310 es\nlayout(local_size_x=8) in; layout(std430, binding=0) buffer Data { uint value[]; };\n"
	"void main() { value[gl_GlobalInvocationID.x] += 1u; }";

static GLuint make_program(const struct functions *f, const char *const *sources, const GLenum *kinds, int count)
{
	GLuint program = f->glCreateProgram();

	for (int i = 0; i < count; i++) {
		GLuint shader = f->glCreateShader(kinds[i]);

		f->glShaderSource(shader, 1, &sources[i], NULL);
		f->glCompileShader(shader);
		f->glAttachShader(program, shader);
	}
	f->glLinkProgram(program);
	return program;
}

static void upload(const struct functions *f)
{
	static uint32_t pixels[TEXTURE * TEXTURE];
	static const float triangles[] = {-1, -1, 1, -1, 0, 1, -1, 1, 1, 1, 0, -1};
	GLuint texture, buffer;

	for (unsigned i = 0; i < TEXTURE * TEXTURE; i++)
		pixels[i] = 0xff000000u | i * 2654435761u >> 8;
	f->glGenTextures(1, &texture);
	f->glBindTexture(GL_TEXTURE_2D, texture);
	f->glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, TEXTURE, TEXTURE, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	f->glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	f->glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
	/* It waits for nothing, so that errno stays as it was. */
	errno = 4242;
	f->glObjectLabel(GL_TEXTURE, texture, 5, "noisexx");
	printf("errno %d\n", errno);
	f->glGenBuffers(1, &buffer);
	f->glBindBuffer(GL_ARRAY_BUFFER, buffer);
	f->glBufferData(GL_ARRAY_BUFFER, sizeof(triangles), triangles, GL_STATIC_DRAW);
	f->glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
	f->glEnableVertexAttribArray(0);
	f->glGenBuffers(1, &buffer);
	f->glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
	f->glBufferData(GL_SHADER_STORAGE_BUFFER, 256, NULL, GL_DYNAMIC_DRAW);
}

/* Three draw calls, one dispatch and one small upload. */
static void draw_frame(const struct functions *f, int number, GLuint draws, GLuint computes, GLuint query)
{
	static const uint16_t indices[] = {0, 1, 2};
	static const uint32_t zero[64];
	GLuint passed;

	f->glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 7, -1, "scene");
	f->glClearColor((float)(number % 4) / 4, 0.5f, 0.25f, 1);
	f->glClear(GL_COLOR_BUFFER_BIT);
	f->glUseProgram(draws);
	f->glBeginQuery(GL_ANY_SAMPLES_PASSED, query);
	f->glDrawArrays(GL_TRIANGLES, 0, 3);
	f->glDrawArrays(GL_TRIANGLES, 3, 3);
	f->glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, indices);
	f->glEndQuery(GL_ANY_SAMPLES_PASSED);
	f->glUseProgram(computes);
	f->glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof(zero), zero);
	f->glDispatchCompute(4, 2, 1);
	/* An error, because it copies within one buffer: errors must be the same, too. */
	f->glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_MARKER, 1, GL_DEBUG_SEVERITY_NOTIFICATION, 5, "blitsxx");
	f->glBlitFramebuffer(0, 0, 8, 8, 16, 16, 24, 24, GL_COLOR_BUFFER_BIT, GL_NEAREST);
	f->glPopDebugGroup();
	GLsync sync = f->glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);

	f->glFlush();
	f->glClientWaitSync(sync, GL_SYNC_FLUSH_COMMANDS_BIT, 60000000000ull);
	f->glDeleteSync(sync);
	f->glGetQueryObjectuiv(query, GL_QUERY_RESULT, &passed);
}

static uint32_t read_back(const struct functions *f)
{
	static unsigned char pixels[4 * SIZE * SIZE];
	uint32_t sum = 2166136261u;

	f->glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	for (unsigned i = 0; i < sizeof(pixels); i++)
		sum = (sum ^ pixels[i]) * 16777619u;
	return sum;
}

static int draw_frames(const struct functions *f, EGLDisplay display, EGLSurface surface, int frames)
{
	const GLenum kinds[] = {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER}, compute[] = {GL_COMPUTE_SHADER};
	const char *const sources[] = {vertex_shader, fragment_shader};
	const PFNEGLSWAPBUFFERSWITHDAMAGEKHRPROC with_damage = (PFNEGLSWAPBUFFERSWITHDAMAGEKHRPROC)f->eglGetProcAddress("eglSwapBuffersWithDamageKHR");
	EGLint all[] = {0, 0, SIZE, SIZE};
	GLuint query;

	f->glViewport(0, 0, SIZE, SIZE);
	upload(f);
	GLuint draws = make_program(f, sources, kinds, 2), computes = make_program(f, &compute_shader, compute, 1);

	f->glGenQueries(1, &query);
	for (int i = 0; i < frames; i++) {
		draw_frame(f, i, draws, computes, query);
		if (i == frames - 1)
			f->glFinish();
		printf("%d %08x\n", i, read_back(f));
		/* An extension's: the last one is by that, all damaged. */
		if (!(i == frames - 1 && with_damage ? with_damage(display, surface, all, 1) : f->eglSwapBuffers(display, surface)))
			return 4;
	}
	printf("error %#x\n", f->glGetError());
	return 0;
}

int draw_scene(const struct functions *f, int frames)
{
	const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_RED_SIZE, 8,
				 EGL_GREEN_SIZE, 8, EGL_BLUE_SIZE, 8, EGL_ALPHA_SIZE, 8, EGL_NONE};
	const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 2, EGL_NONE};
	const EGLint size[] = {EGL_WIDTH, SIZE, EGL_HEIGHT, SIZE, EGL_NONE};
	EGLDisplay display = f->eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
	EGLConfig config;
	EGLint count = 0;

	if (!f->eglInitialize(display, NULL, NULL) || !f->eglBindAPI(EGL_OPENGL_ES_API) ||
	    !f->eglChooseConfig(display, wanted, &config, 1, &count) || count < 1)
		return 2;
	EGLContext context = f->eglCreateContext(display, config, EGL_NO_CONTEXT, version);
	EGLSurface surface = f->eglCreatePbufferSurface(display, config, size);

	if (!context || !surface || !f->eglMakeCurrent(display, surface, surface, context))
		return 3;
	int code = draw_frames(f, display, surface, frames);
	EGLSync sync = f->eglCreateSync(display, EGL_SYNC_FENCE, NULL);

	f->eglClientWaitSync(display, sync, EGL_SYNC_FLUSH_COMMANDS_BIT, EGL_FOREVER);
	f->eglDestroySync(display, sync);
	f->eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
	f->eglDestroyContext(display, context);
	f->eglDestroySurface(display, surface);
	f->eglTerminate(display);
	fflush(stdout);
	return code;
}
