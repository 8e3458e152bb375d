/* SPDX-License-Identifier: MIT */
/*
 * An EGL and OpenGL driver (a vendor library of libglvnd) that loses its context: Mesa does the work. $LOST_DRIVER is "FUNCTION NUMBER":
 * with that call of eglSwapBuffers or glFinish the context is lost, until the program makes another one. Then commands make the error
 * GL_CONTEXT_LOST and swaps fail, and queries are there with 0, or, with $LOST_QUERIES=never, are not. (By the OpenGL 4.6
 * specification, 2.3.2, QUERY_RESULT_AVAILABLE is then TRUE, with the same error.)
 */
#define _GNU_SOURCE
#define GL_GLEXT_PROTOTYPES
#define EGL_EGLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl32.h>
#include <GLES2/gl2ext.h>
#include <dlfcn.h>
#include <glvnd/libeglabi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *(*real_address)(const char *name);
static int calls, is_lost, has_gl_error, has_egl_error;

static int loses(const char *name)
{
	const char *const wanted = getenv("LOST_DRIVER");
	const size_t length = strlen(name);

	if (wanted && !strncmp(wanted, name, length) && wanted[length] == ' ' && ++calls == atoi(wanted + length))
		is_lost = 1;
	return is_lost;
}

static int is_lost_for_command(const char *name)
{
	if (!loses(name))
		return 0;
	has_gl_error = 1;
	return 1;
}

/* Functions that only make the error when the context is lost. */
#define COMMANDS(X)                                                                                    \
	X(glClear, (GLbitfield mask), (mask))                                                          \
	X(glFlush, (void), ())                                                                         \
	X(glFinish, (void), ())                                                                        \
	X(glGenQueriesEXT, (GLsizei count, GLuint *queries), (count, queries))                         \
	X(glQueryCounterEXT, (GLuint query, GLenum target), (query, target))                           \
	X(glGetInteger64v, (GLenum name, GLint64 *value), (name, value))                               \
	X(glGetIntegerv, (GLenum name, GLint *value), (name, value))                                   \
	X(glBlitFramebuffer,                                                                           \
	  (GLint a, GLint b, GLint c, GLint d, GLint e, GLint f, GLint g, GLint h, GLbitfield mask, GLenum filter),                    \
	  (a, b, c, d, e, f, g, h, mask, filter))

#define COMMAND(name, parameters, arguments)                                                           \
	static __typeof__(&name) real_##name;                                                          \
	static void GL_APIENTRY lost_##name parameters                                                 \
	{                                                                                              \
		if (!is_lost_for_command(#name))                                                       \
			real_##name arguments;                                                         \
	}
COMMANDS(COMMAND)

static int is_never(void)
{
	const char *const queries = getenv("LOST_QUERIES");

	return queries && !strcmp(queries, "never");
}

static __typeof__(&glGetQueryObjectuivEXT) real_glGetQueryObjectuivEXT;
static void GL_APIENTRY lost_glGetQueryObjectuivEXT(GLuint query, GLenum name, GLuint *value)
{
	if (is_lost_for_command("glGetQueryObjectuivEXT"))
		*value = name == GL_QUERY_RESULT_AVAILABLE && !is_never();
	else
		real_glGetQueryObjectuivEXT(query, name, value);
}

static __typeof__(&glGetQueryObjectui64vEXT) real_glGetQueryObjectui64vEXT;
static void GL_APIENTRY lost_glGetQueryObjectui64vEXT(GLuint query, GLenum name, GLuint64 *value)
{
	if (is_lost_for_command("glGetQueryObjectui64vEXT"))
		*value = 0;
	else
		real_glGetQueryObjectui64vEXT(query, name, value);
}

static __typeof__(&glGetError) real_glGetError;
static GLenum GL_APIENTRY lost_glGetError(void)
{
	const int had_error = has_gl_error;

	has_gl_error = 0;
	return had_error ? GL_CONTEXT_LOST : real_glGetError();
}

static __typeof__(&eglSwapBuffers) real_eglSwapBuffers;
static EGLBoolean EGLAPIENTRY lost_eglSwapBuffers(EGLDisplay display, EGLSurface surface)
{
	if (!loses("eglSwapBuffers"))
		return real_eglSwapBuffers(display, surface);
	has_egl_error = 1;
	return EGL_FALSE;
}

static __typeof__(&eglGetError) real_eglGetError;
static EGLint EGLAPIENTRY lost_eglGetError(void)
{
	const int had_error = has_egl_error;

	has_egl_error = 0;
	return had_error ? EGL_CONTEXT_LOST : real_eglGetError();
}

static __typeof__(&eglCreateContext) real_eglCreateContext;
static EGLContext EGLAPIENTRY lost_eglCreateContext(EGLDisplay display, EGLConfig config, EGLContext shared, const EGLint *attributes)
{
	is_lost = has_gl_error = 0;
	return real_eglCreateContext(display, config, shared, attributes);
}

static void *address(const char *name)
{
	void *const function = real_address(name);

#define TAKE(taken, ...)                                                                               \
	if (function && !strcmp(name, #taken)) {                                                       \
		*(void **)&real_##taken = function;                                                    \
		return (void *)lost_##taken;                                                           \
	}
	COMMANDS(TAKE)
	TAKE(glGetQueryObjectuivEXT)
	TAKE(glGetQueryObjectui64vEXT)
	TAKE(glGetError)
	TAKE(eglSwapBuffers)
	TAKE(eglGetError)
	TAKE(eglCreateContext)
	return function;
}

__attribute__((visibility("default"))) EGLBoolean __egl_Main(uint32_t version, const __EGLapiExports *exports, __EGLvendorInfo *vendor,
							     __EGLapiImports *imports)
{
	void *const library = dlopen("libEGL_mesa.so.0", RTLD_NOW | RTLD_LOCAL);
	EGLBoolean (*real)(uint32_t, const __EGLapiExports *, __EGLvendorInfo *, __EGLapiImports *);

	*(void **)&real = library ? dlsym(library, "__egl_Main") : NULL;
	if (!real || !real(version, exports, vendor, imports)) {
		fprintf(stderr, "lost driver: no libEGL_mesa.so.0\n");
		return EGL_FALSE;
	}
	real_address = imports->getProcAddress;
	imports->getProcAddress = address;
	return EGL_TRUE;
}
