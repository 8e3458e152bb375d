/* SPDX-License-Identifier: MIT */
/* The functions of EGL and OpenGL ES that the scenes call, and the ways by which programs find them. */
#pragma once

#define EGL_EGLEXT_PROTOTYPES
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl32.h>

#define EGL_FUNCTIONS(X)                                                                               \
	X(eglGetPlatformDisplay) X(eglInitialize) X(eglBindAPI) X(eglChooseConfig)                     \
	X(eglCreateContext) X(eglCreatePbufferSurface) X(eglMakeCurrent) X(eglSwapBuffers)             \
	X(eglDestroySurface) X(eglDestroyContext) X(eglTerminate) X(eglGetProcAddress)                 \
	X(eglReleaseThread) X(eglCreateSync) X(eglClientWaitSync) X(eglDestroySync)

#define GL_FUNCTIONS(X)                                                                                \
	X(glClear) X(glClearColor) X(glViewport) X(glCreateShader) X(glShaderSource)                   \
	X(glCompileShader) X(glCreateProgram) X(glAttachShader) X(glLinkProgram) X(glUseProgram)       \
	X(glGenBuffers) X(glBindBuffer) X(glBufferData) X(glVertexAttribPointer)                       \
	X(glEnableVertexAttribArray) X(glDrawArrays) X(glDrawElements) X(glGenTextures)                \
	X(glBindTexture) X(glTexImage2D) X(glTexParameteri) X(glFenceSync) X(glClientWaitSync)         \
	X(glDeleteSync) X(glFlush) X(glFinish) X(glReadPixels) X(glGetError) X(glGenQueries)           \
	X(glBeginQuery) X(glEndQuery) X(glGetQueryObjectuiv) X(glDispatchCompute) X(glObjectLabel)     \
	X(glPushDebugGroup) X(glPopDebugGroup) X(glBlitFramebuffer) X(glBindBufferBase)                \
	X(glGenFramebuffers) X(glBindFramebuffer) X(glFramebufferTexture2D) X(glMemoryBarrier)         \
	X(glBufferSubData) X(glEnable) X(glDebugMessageCallback) X(glDebugMessageInsert)

struct functions {
#define MEMBER(name) __typeof__(&name) name;
	EGL_FUNCTIONS(MEMBER) GL_FUNCTIONS(MEMBER)
#undef MEMBER
};

/* In a library that is linked to EGL and OpenGL ES. */
void take_linked(struct functions *found);
/* local, deepbind: dlopen() and dlsym(); getproc: eglGetProcAddress for all but itself. */
int find_functions(struct functions *found, const char *way);
/* dlclose() of what the last call of find_functions() opened. */
int close_found(void);

/* Renders that many frames; prints what it has read back. Returns the exit code. */
int draw_scene(const struct functions *f, int frames);
