// SPDX-License-Identifier: MIT
//
// The functions by which a context tells times of the GPU: GL_ARB_timer_query, which OpenGL 3.3
// has, or GL_EXT_disjoint_timer_query of OpenGL ES. They are the library's own: what the layer asks
// is not recorded.
#pragma once

#include "gl_types.hpp"

namespace lttng_gpu::gl {

/// Who makes contexts.
enum class Windows : uint8_t { egl, glx };

using GetProcAddress = void* (*)(const char*);

/// Of the library of `function`, or, where that is not found, the one that programs are linked to.
GetProcAddress find_get_proc_address(Windows windows, void* function);

struct TimerFunctions {
    const GLubyte* (*glGetString)(GLenum);
    const GLubyte* (*glGetStringi)(GLenum, GLuint);
    void (*glGetIntegerv)(GLenum, GLint*);
    void (*glGetInteger64v)(GLenum, GLint64*);
    void (*glGetQueryiv)(GLenum, GLenum, GLint*);
    void (*glGenQueries)(GLsizei, GLuint*);
    void (*glDeleteQueries)(GLsizei, const GLuint*);
    void (*glQueryCounter)(GLuint, GLenum);
    void (*glGetQueryObjectuiv)(GLuint, GLenum, GLuint*);
    void (*glGetQueryObjectui64v)(GLuint, GLenum, GLuint64*);

    uint32_t bits;          ///< of a timestamp that count
    bool has_lists;         ///< display lists: what is called may be kept, and not done
    bool has_query_buffers; ///< a result may go into a buffer
};

/// Of the context that is current. False: it has no timer queries; nothing was changed, and no
/// error was made.
bool find_timer_functions(GetProcAddress find, TimerFunctions& found);

} // namespace lttng_gpu::gl
