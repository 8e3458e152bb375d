// SPDX-License-Identifier: MIT
//
// Whose fence it is, by the driver's name that fence events carry.
#pragma once

#include <string_view>

namespace lttng_gpu::model {

enum class FenceDriver {
    Other,     // among them the hardware fences of drivers that use drm_sched
    Scheduler, // drm_sched, up to v4.16 amd_sched
    Virtio,
    I915,   // i915_fence_get_driver_name(): i915, since v5.6 the PCI name
    Amdgpu, // hardware fences
    Plain,  // one fence per job, made when the job is given to the hardware
};

inline bool is_pci_name(std::string_view text)
{
    return text.size() == 12 && text[4] == ':' && text[7] == ':' && text[10] == '.';
}

/// xe's hardware fences bear a PCI name too; only i915's timelines are called
/// after a process, or "signaled" once they are (i915_fence_get_timeline_name()).
inline bool is_i915_timeline(std::string_view text)
{
    return (!text.empty() && text.back() == ']') || text == "signaled";
}

/// Plain: drivers that do not use drm_sched at all, radeon_fence_emit(),
/// qxl_release_fence_buffer_objects(), vmw_fence_create(), vc4_queue_submit().
inline FenceDriver fence_driver(std::string_view driver, std::string_view timeline)
{
    switch (driver.size()) {
    case 3:
        return driver == "qxl" || driver == "vc4" ? FenceDriver::Plain : FenceDriver::Other;
    case 4:
        return driver == "i915" ? FenceDriver::I915 : FenceDriver::Other;
    case 6:
        if (driver == "amdgpu") {
            return FenceDriver::Amdgpu;
        }
        return driver == "radeon" || driver == "vmwgfx" ? FenceDriver::Plain : FenceDriver::Other;
    case 9:
        return driver == "drm_sched" || driver == "amd_sched" ? FenceDriver::Scheduler
                                                              : FenceDriver::Other;
    case 10:
        return driver == "virtio_gpu" ? FenceDriver::Virtio : FenceDriver::Other;
    case 12:
        return is_pci_name(driver) && is_i915_timeline(timeline) ? FenceDriver::I915
                                                                 : FenceDriver::Other;
    default:
        return FenceDriver::Other;
    }
}

} // namespace lttng_gpu::model
