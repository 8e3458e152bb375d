// SPDX-License-Identifier: MIT
//
// The types of OpenGL, EGL and GLX as they are passed to functions, so that no headers of theirs
// are needed: those of different releases declare different functions.
#pragma once

#include <stdint.h>

using GLenum = unsigned;
using GLbitfield = unsigned;
using GLboolean = unsigned char;
using GLbyte = signed char;
using GLubyte = unsigned char;
using GLshort = short;
using GLint = int;
using GLuint = unsigned;
using GLsizei = int;
using GLfloat = float;
using GLclampf = float;
using GLdouble = double;
using GLfixed = int32_t;
using GLchar = char;
using GLcharARB = char;
using GLintptr = intptr_t;
using GLsizeiptr = intptr_t;
using GLintptrARB = intptr_t;
using GLsizeiptrARB = intptr_t;
using GLint64 = int64_t;
using GLuint64 = uint64_t;
using GLint64EXT = int64_t;
using GLuint64EXT = uint64_t;
#ifdef __APPLE__
#error "GLhandleARB is a pointer there"
#endif
using GLhandleARB = unsigned;
using GLsync = struct __GLsync*;
struct _cl_context;
struct _cl_event;

using EGLBoolean = unsigned;
using EGLenum = unsigned;
using EGLint = int32_t;
using EGLAttrib = intptr_t;
using EGLAttribKHR = intptr_t;
using EGLTime = uint64_t;
using EGLTimeKHR = uint64_t;
using EGLTimeNV = uint64_t;
using EGLDisplay = void*;
using EGLConfig = void*;
using EGLContext = void*;
using EGLSurface = void*;
using EGLClientBuffer = void*;
using EGLLabelKHR = void*;
using EGLObjectKHR = void*;
using EGLSync = void*;
using EGLSyncKHR = void*;
using EGLSyncNV = void*;
// A pointer or a number of X's, depending on the platform; both are passed alike.
using EGLNativeWindowType = void*;
using EGLNativePixmapType = void*;
using __eglMustCastToProperFunctionPointerType = void (*)();

using Bool = int;
using XID = unsigned long;
using GLXDrawable = XID;
using GLXWindow = XID;
using GLXPixmap = XID;
using GLXPbuffer = XID;
using Display = struct _XDisplay;
using XVisualInfo = struct XVisualInfo_;
using GLXContext = struct __GLXcontextRec*;
using GLXContextID = XID;
using GLXFBConfig = struct __GLXFBConfigRec*;
using GLXFBConfigSGIX = GLXFBConfig;
using __GLXextFuncPtr = void (*)();

namespace lttng_gpu::gl {

/// The program's handles as events have them.
inline uint64_t handle(const void* object)
{
    return reinterpret_cast<uintptr_t>(object);
}
inline uint64_t handle(unsigned long object)
{
    return object;
}

inline bool likely(bool condition)
{
    return __builtin_expect(condition, true);
}

} // namespace lttng_gpu::gl
