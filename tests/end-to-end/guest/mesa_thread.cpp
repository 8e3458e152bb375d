// SPDX-License-Identifier: MIT
//
// See mesa_thread.hpp. EGL's part of Mesa calls a function of its other library to make a context;
// it finds this one first.
#include "mesa_thread.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <link.h>

namespace {

// struct pipe_screen of Mesa 25.0.7, for which _mesa_glthread_init() looks.
constexpr const char* known_library = "/libgallium-25.0.7-";
constexpr std::size_t map_unsynchronized_thread_safe = 179;
constexpr std::size_t allow_mapped_buffers_during_execution = 121;

bool is_asked_for = false;

int note_known(dl_phdr_info* object, std::size_t, void* name)
{
    if (std::strstr(object->dlpi_name, known_library) == nullptr)
        return 0;
    *static_cast<const char**>(name) = object->dlpi_name;
    return 1;
}

void* function(const char* name)
{
    const char* library = nullptr;
    dl_iterate_phdr(note_known, &library);
    void* const handle = library != nullptr ? dlopen(library, RTLD_NOW | RTLD_NOLOAD) : nullptr;
    void* const found = handle != nullptr ? dlsym(handle, name) : nullptr;
    if (found == nullptr) {
        std::fprintf(stderr, "mesa thread: not Mesa 25.0.7, or it has no %s\n", name);
        std::exit(1);
    }
    return found;
}

} // namespace

void lttng_gpu::guest::ask_for_mesa_thread()
{
    is_asked_for = true;
    setenv("mesa_glthread", "true", 1);
}

extern "C" [[gnu::visibility("default")]] void*
driCreateContextAttribs(void* screen, int api, const void* config, void* shared, unsigned count,
                        const std::uint32_t* attributes, unsigned* error, void* data)
{
    if (is_asked_for) {
        using ScreenOf = unsigned char* (*)(void*);
        unsigned char* const capabilities =
            reinterpret_cast<ScreenOf>(function("dri_get_pipe_screen"))(screen);
        capabilities[map_unsynchronized_thread_safe] = 1;
        capabilities[allow_mapped_buffers_during_execution] = 1;
    }
    using Create =
        void* (*)(void*, int, const void*, void*, unsigned, const std::uint32_t*, unsigned*, void*);
    return reinterpret_cast<Create>(function("driCreateContextAttribs"))(
        screen, api, config, shared, count, attributes, error, data);
}
