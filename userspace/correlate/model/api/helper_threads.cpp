// SPDX-License-Identifier: MIT
//
// See helper_threads.hpp. Names of threads have 15 letters at most.
#include "helper_threads.hpp"

#include <algorithm>
#include <array>

namespace lttng_gpu::model {
namespace {

bool is_digits(std::string_view text)
{
    return !text.empty() &&
           std::ranges::all_of(text, [](char letter) { return letter >= '0' && letter <= '9'; });
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
    return (name.starts_with("cs") && is_digits(name.substr(2))) ||
           (comm.substr(0, colon).ends_with("_cs") && is_digits(name));
}

Submitting submitting_of(std::string_view call)
{
    constexpr std::array<std::string_view, 2> compute{"clFlush", "clFinish"};
    constexpr std::array<std::string_view, 3> graphics{"glFlush", "glFinish", "glClientWaitSync"};
    constexpr std::array<std::string_view, 3> vulkan{"vkQueueSubmit", "vkQueuePresent",
                                                     "vkQueueBindSparse"};
    if (std::ranges::find(compute, call) != compute.end()) {
        return Submitting::Compute;
    }
    const bool is_swap = (call.starts_with("egl") || call.starts_with("glX")) &&
                         call.find("Swap") != std::string_view::npos &&
                         call.find("SwapInterval") == std::string_view::npos;
    if (is_swap || std::ranges::find(graphics, call) != graphics.end()) {
        return Submitting::Graphics;
    }
    const bool is_vulkan = std::ranges::any_of(
        vulkan, [call](std::string_view start) { return call.starts_with(start); });
    return is_vulkan ? Submitting::Vulkan : Submitting::No;
}

} // namespace lttng_gpu::model
