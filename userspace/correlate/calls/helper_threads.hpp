// SPDX-License-Identifier: MIT
//
// Threads that drivers have in a program to submit for it, by the names that they give them, and
// the calls that make them do so.
#pragma once

#include <string_view>

namespace lttng_gpu::model {

/// Mesa's "glxgears:cs0", "glxgears:gl0" (which makes OpenGL's calls for the program), "gdrv0" and
/// "WSI swapchain q", amdgpu's "amdgpu_cs:0".
bool is_helper_name(std::string_view comm);

/// What makes a driver submit.
enum class Submitting : unsigned char {
    Unknown,
    No,
    Compute, // OpenCL
    Graphics,
    Vulkan,
    // A call of graphics for which there is often nothing to submit; and one that hardly ever
    // submits: a thread of which nothing else is known is none that does.
    MayGraphics,
    RarelyGraphics,
};

/// Of a call that is no enqueueing of a command.
Submitting submitting_of(std::string_view call);

} // namespace lttng_gpu::model
