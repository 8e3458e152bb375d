// SPDX-License-Identifier: MIT
//
// One sentence on what host queue and device queue are with a driver, for readers of the report.
// Each driver's file says it (EventFamily::queue_words).
#pragma once

#include <string_view>

namespace lttng_gpu::model {

/// With drivers that use the kernel's DRM scheduler.
inline constexpr std::string_view drm_scheduler_words =
    "host queue: DRM scheduler (fences, room); device queue: behind earlier jobs of the ring";

/// Where the device's firmware chooses from there on.
inline constexpr std::string_view firmware_words =
    "host queue: DRM scheduler (fences, room); device queue and execution: the device's firmware";

/// Empty: nothing is known. A driver without events of its own uses the DRM scheduler.
std::string_view queue_words(std::string_view driver);

} // namespace lttng_gpu::model
