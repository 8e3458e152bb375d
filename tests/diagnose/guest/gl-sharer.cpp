// SPDX-License-Identifier: MIT
// gl-sharer: keeps the GPU busy when it is told to. Reads a line with a number of draws from
// standard input, makes them by OpenGL ES on no display, and writes from when to when that took
// (CLOCK_MONOTONIC). EGL and OpenGL are loaded: their headers need not be there.
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>

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
        std::fprintf(stderr, "gl-sharer: %s is not there\n", name);
        std::exit(1);
    }
    return found;
}

struct Gl {
    void* library = dlopen("libGLESv2.so.2", RTLD_NOW);

    template <typename Result = void, typename... Arguments>
    Result call(const char* name, Arguments... arguments) const
    {
        return reinterpret_cast<Result (*)(Arguments...)>(load(library, name))(arguments...);
    }
};

long long now_ns()
{
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

void make_current()
{
    void* const egl = dlopen("libEGL.so.1", RTLD_NOW);
    const auto call = [egl](const char* name) { return load(egl, name); };
    using Display = void*;
    const auto display = reinterpret_cast<Display (*)(unsigned, void*, const std::intptr_t*)>(
        call("eglGetPlatformDisplay"))(0x31dd /* surfaceless */, nullptr, nullptr);
    int major = 0;
    int minor = 0;
    unsigned good = reinterpret_cast<unsigned (*)(Display, int*, int*)>(call("eglInitialize"))(
        display, &major, &minor);
    good &= reinterpret_cast<unsigned (*)(unsigned)>(call("eglBindAPI"))(0x30a0 /* ES */);
    const int wanted[] = {0x3033 /* surface type */, 1, 0x3040 /* renderable */, 4, 0x3038};
    void* config = nullptr;
    int configs = 0;
    good &= reinterpret_cast<unsigned (*)(Display, const int*, void**, int, int*)>(
        call("eglChooseConfig"))(display, wanted, &config, 1, &configs);
    const int version[] = {0x3098, 2, 0x3038};
    void* const context = reinterpret_cast<void* (*)(Display, void*, void*, const int*)>(
        call("eglCreateContext"))(display, config, nullptr, version);
    good &= reinterpret_cast<unsigned (*)(Display, void*, void*, void*)>(call("eglMakeCurrent"))(
        display, nullptr, nullptr, context);
    if (good == 0 || configs == 0) {
        std::fputs("gl-sharer: no context of OpenGL ES\n", stderr);
        std::exit(1);
    }
}

unsigned make_program(const Gl& gl)
{
    const auto program = gl.call<unsigned>("glCreateProgram");
    for (const auto& [kind, source] :
         {std::pair{0x8b31U, vertex_source}, {0x8b30U, fragment_source}}) {
        const auto shader = gl.call<unsigned>("glCreateShader", kind);
        gl.call("glShaderSource", shader, 1, &source, static_cast<const int*>(nullptr));
        gl.call("glCompileShader", shader);
        gl.call("glAttachShader", program, shader);
    }
    gl.call("glBindAttribLocation", program, 0U, "p");
    gl.call("glLinkProgram", program);
    int is_linked = 0;
    gl.call("glGetProgramiv", program, 0x8b82U, &is_linked);
    if (is_linked == 0) {
        std::fputs("gl-sharer: the shaders do not link\n", stderr);
        std::exit(1);
    }
    return program;
}

} // namespace

int main()
{
    make_current();
    const Gl gl;
    std::fprintf(stderr, "gl-sharer: %s\n", gl.call<const char*>("glGetString", 0x1f01U));
    unsigned texture = 0;
    unsigned frame_buffer = 0;
    gl.call("glGenTextures", 1, &texture);
    gl.call("glBindTexture", 0x0de1U, texture);
    gl.call("glTexImage2D", 0x0de1U, 0, 0x1908, size, size, 0, 0x1908U, 0x1401U,
            static_cast<const void*>(nullptr));
    gl.call("glGenFramebuffers", 1, &frame_buffer);
    gl.call("glBindFramebuffer", 0x8d40U, frame_buffer);
    gl.call("glFramebufferTexture2D", 0x8d40U, 0x8ce0U, 0x0de1U, texture, 0);
    gl.call("glViewport", 0, 0, size, size);
    const unsigned program = make_program(gl);
    gl.call("glUseProgram", program);
    const float corners[] = {-1, -1, 3, -1, -1, 3};
    gl.call("glEnableVertexAttribArray", 0U);
    gl.call("glVertexAttribPointer", 0U, 2, 0x1406U, static_cast<unsigned char>(0), 0,
            static_cast<const void*>(corners));
    const auto iterations = reinterpret_cast<void (*)(int, float)>(load(gl.library, "glUniform1f"));
    const auto place = gl.call<int>("glGetUniformLocation", program, "n");
    std::printf("ready\n");
    std::fflush(stdout);
    int draws = 0;
    while (std::scanf("%d", &draws) == 1) {
        const long long begin = now_ns();
        iterations(place, 400);
        for (int draw = 0; draw < draws; ++draw)
            gl.call("glDrawArrays", 4U, 0, 3);
        gl.call("glFinish");
        std::printf("%lld %lld\n", begin, now_ns());
        std::fflush(stdout);
    }
    return 0;
}
