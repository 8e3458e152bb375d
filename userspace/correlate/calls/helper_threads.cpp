// SPDX-License-Identifier: MIT
//
// See helper_threads.hpp. Names of threads have 15 letters at most.
#include "helper_threads.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace lttng_gpu::model {
namespace {

bool is_digits(std::string_view text)
{
    return !text.empty() &&
           std::ranges::all_of(text, [](char letter) { return letter >= '0' && letter <= '9'; });
}

bool starts_with_any(std::string_view text, std::span<const std::string_view> starts)
{
    return std::ranges::any_of(starts,
                               [text](std::string_view start) { return text.starts_with(start); });
}

/// Sources are functions of Mesa 25. Its drivers submit in pipe_context::flush(), if something was
/// drawn since (radeonsi: si_flush_from_st()), which st_flush() of the state tracker calls.
///
/// Not here: eglClientWaitSync (dri_client_wait_sync(): "no need to flush", eglCreateSync did),
/// glWaitSync (wait_sync() has the device wait), glXWaitX and eglWaitNative (dri2_wait_native()
/// does nothing).
Submitting graphics_of(std::string_view call)
{
    // st_glFlush(); st_glFinish(); __client_wait_sync(), whose fence_finish() flushes what is
    // deferred; dri_flush() of what is shown.
    constexpr std::array<std::string_view, 3> flushing{"glFlush", "glFinish", "glClientWaitSync"};
    constexpr std::array<std::string_view, 3> showing{"eglPostSubBuffer", "eglCopyBuffers",
                                                      "glXCopySubBuffer"};
    // What is read is mapped: a driver submits what still writes to it (amdgpu_bo_map(),
    // iris_get_query_result()), unless it is copied to a buffer of the program.
    constexpr std::array<std::string_view, 9> reading{
        "glReadPixels",     "glReadnPixels",      "glGetTexImage",
        "glGetnTexImage",   "glGetTexture",       "glGetBuffer",
        "glGetNamedBuffer", "glGetCompressedTex", "glGetnCompressedTex"};
    // dri_create_fence(): st_context_flush(); dri2_wait_client(): dri_flush_drawable(), if there is
    // a surface; loader_dri3_wait_gl(), if the front buffer is drawn to.
    constexpr std::array<std::string_view, 5> others{"glGetQueryObject", "eglCreateSync",
                                                     "eglWaitClient", "eglWaitGL", "glXWaitGL"};
    // As for reading, if it is still in use; _mesa_fence_sync(): deferred if no other context
    // shares objects; _mesa_make_current(): st_glFlush() of another context that was current.
    constexpr std::array<std::string_view, 6> rarely{"glMapBuffer",    "glMapNamedBuffer",
                                                     "glFenceSync",    "eglMakeCurrent",
                                                     "glXMakeCurrent", "glXMakeContextCurrent"};
    const bool is_swap = (call.starts_with("egl") || call.starts_with("glX")) &&
                         call.find("Swap") != std::string_view::npos &&
                         call.find("SwapInterval") == std::string_view::npos;
    if (is_swap || std::ranges::find(flushing, call) != flushing.end() ||
        starts_with_any(call, showing)) {
        return Submitting::Graphics;
    }
    if (starts_with_any(call, reading) || starts_with_any(call, others)) {
        return Submitting::MayGraphics;
    }
    return starts_with_any(call, rarely) ? Submitting::RarelyGraphics : Submitting::No;
}

} // namespace

bool is_helper_name(std::string_view comm)
{
    if (comm.starts_with("gdrv")) {
        return is_digits(comm.substr(4));
    }
    if (comm.starts_with("WSI swapchain q")) {
        return true;
    }
    const auto colon = comm.rfind(':');
    if (colon == std::string_view::npos) {
        return false;
    }
    const std::string_view name = comm.substr(colon + 1);
    // "gl": _mesa_glthread_init(), Mesa's src/mesa/main/glthread.c; util_queue_init() adds the
    // program's name before it and the thread's number behind it.
    return ((name.starts_with("cs") || name.starts_with("gl")) && is_digits(name.substr(2))) ||
           (comm.substr(0, colon).ends_with("_cs") && is_digits(name));
}

Submitting submitting_of(std::string_view call)
{
    constexpr std::array<std::string_view, 2> compute{"clFlush", "clFinish"};
    constexpr std::array<std::string_view, 3> vulkan{"vkQueueSubmit", "vkQueuePresent",
                                                     "vkQueueBindSparse"};
    if (std::ranges::find(compute, call) != compute.end()) {
        return Submitting::Compute;
    }
    if (starts_with_any(call, vulkan)) {
        return Submitting::Vulkan;
    }
    return call.starts_with("gl") || call.starts_with("egl") ? graphics_of(call) : Submitting::No;
}

} // namespace lttng_gpu::model
