// SPDX-License-Identifier: MIT
#include "slow_triangle.hpp"

#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace lttng_gpu::guest {
namespace {

constexpr int size = 256;
constexpr const char* vertex_source = "attribute vec4 p; void main() { gl_Position = p; }";
constexpr const char* fragment_source =
    "precision highp float; uniform float n; void main() { float a = gl_FragCoord.x;"
    " for (int i = 0; i < 400; ++i) { if (float(i) >= n) break; a = fract(sin(a) * 43.7 + n); }"
    " gl_FragColor = vec4(a); }";

void* load(void* library, const char* name)
{
    void* const found = library != nullptr ? dlsym(library, name) : nullptr;
    if (found == nullptr) {
        std::fprintf(stderr, "slow triangle: %s is not there\n", name);
        std::exit(1);
    }
    return found;
}

template <typename Result = void, typename... Arguments>
Result call(const char* name, Arguments... arguments)
{
    static void* const library = dlopen("libGLESv2.so.2", RTLD_NOW);
    return reinterpret_cast<Result (*)(Arguments...)>(load(library, name))(arguments...);
}

template <typename Result, typename... Arguments>
Result call_egl(const char* name, Arguments... arguments)
{
    static void* const library = dlopen("libEGL.so.1", RTLD_NOW);
    return reinterpret_cast<Result (*)(Arguments...)>(load(library, name))(arguments...);
}

unsigned make_program()
{
    const auto program = call<unsigned>("glCreateProgram");
    for (const auto& [kind, source] :
         {std::pair{0x8b31U, vertex_source}, {0x8b30U, fragment_source}}) {
        const auto shader = call<unsigned>("glCreateShader", kind);
        call("glShaderSource", shader, 1, &source, static_cast<const int*>(nullptr));
        call("glCompileShader", shader);
        call("glAttachShader", program, shader);
    }
    call("glBindAttribLocation", program, 0U, "p");
    call("glLinkProgram", program);
    int is_linked = 0;
    call("glGetProgramiv", program, 0x8b82U, &is_linked);
    if (is_linked == 0) {
        std::fputs("slow triangle: the shaders do not link\n", stderr);
        std::exit(1);
    }
    return program;
}

} // namespace

const char* SlowTriangle::renderer()
{
    return call<const char*>("glGetString", 0x1f01U);
}

void SlowTriangle::make_current(bool has_surface)
{
    m_display =
        call_egl<void*>("eglGetPlatformDisplay", 0x31ddU /* surfaceless */,
                        static_cast<void*>(nullptr), static_cast<const std::intptr_t*>(nullptr));
    int major = 0;
    int minor = 0;
    unsigned good = call_egl<unsigned>("eglInitialize", m_display, &major, &minor);
    good &= call_egl<unsigned>("eglBindAPI", 0x30a0U /* ES */);
    const int wanted[] = {0x3033 /* surface type */, 1, 0x3040 /* renderable */, 4, 0x3038};
    void* config = nullptr;
    int configs = 0;
    good &= call_egl<unsigned>("eglChooseConfig", m_display, &wanted[0], &config, 1, &configs);
    const int version[] = {0x3098, 2, 0x3038};
    void* const context = call_egl<void*>("eglCreateContext", m_display, config,
                                          static_cast<void*>(nullptr), &version[0]);
    if (has_surface) {
        const int extent[] = {0x3057, 16, 0x3056, 16, 0x3038};
        m_surface = call_egl<void*>("eglCreatePbufferSurface", m_display, config, &extent[0]);
    }
    good &= call_egl<unsigned>("eglMakeCurrent", m_display, m_surface, m_surface, context);
    if (good == 0 || configs == 0 || (has_surface && m_surface == nullptr)) {
        std::fputs("slow triangle: no context of OpenGL ES\n", stderr);
        std::exit(1);
    }
}

SlowTriangle::SlowTriangle(bool has_surface)
{
    make_current(has_surface);
    unsigned texture = 0;
    unsigned frame_buffer = 0;
    call("glGenTextures", 1, &texture);
    call("glBindTexture", 0x0de1U, texture);
    call("glTexImage2D", 0x0de1U, 0, 0x1908, size, size, 0, 0x1908U, 0x1401U,
         static_cast<const void*>(nullptr));
    call("glGenFramebuffers", 1, &frame_buffer);
    call("glBindFramebuffer", 0x8d40U, frame_buffer);
    call("glFramebufferTexture2D", 0x8d40U, 0x8ce0U, 0x0de1U, texture, 0);
    call("glViewport", 0, 0, size, size);
    const unsigned program = make_program();
    call("glUseProgram", program);
    static const float corners[] = {-1, -1, 3, -1, -1, 3};
    unsigned buffer = 0;
    call("glGenBuffers", 1, &buffer);
    call("glBindBuffer", 0x8892U, buffer);
    call("glBufferData", 0x8892U, static_cast<std::intptr_t>(sizeof corners), &corners[0], 0x88e4U);
    call("glEnableVertexAttribArray", 0U);
    call("glVertexAttribPointer", 0U, 2, 0x1406U, static_cast<unsigned char>(0), 0,
         static_cast<const void*>(nullptr));
    m_iterations = call<int>("glGetUniformLocation", program, "n");
}

void SlowTriangle::draw(int times) const
{
    call("glUniform1f", m_iterations, 400.0F);
    for (int draw = 0; draw < times; ++draw)
        call("glDrawArrays", 4U, 0, 3);
    finish();
}

void SlowTriangle::draw_on(float red, float alpha, float work) const
{
    call("glClearColor", red, 0.0F, 0.0F, alpha);
    call("glClear", 0x4000U);
    call("glUniform1f", m_iterations, work);
    call("glDrawArrays", 4U, 0, 3);
}

void SlowTriangle::flush()
{
    call("glFlush");
}

void SlowTriangle::finish()
{
    call("glFinish");
}

void SlowTriangle::end_frame() const
{
    call_egl<unsigned>("eglSwapBuffers", m_display, m_surface);
}

} // namespace lttng_gpu::guest
