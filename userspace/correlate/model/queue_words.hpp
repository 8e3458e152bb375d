// SPDX-License-Identifier: MIT
//
// One sentence on what host queue and device queue are with a driver, for readers of the report. Each
// driver's file says it (EventFamily::queue_words).
#pragma once

#include <string_view>

namespace lttng_gpu::model {

/// With drivers that use the kernel's DRM scheduler.
inline constexpr std::string_view drm_scheduler_words =
    "in the host queue a job waits in the DRM scheduler for its fences and for room on the ring, in "
    "the device queue behind earlier jobs of its ring";

/// Empty: nothing is known. A driver without events of its own uses the DRM scheduler.
std::string_view queue_words(std::string_view driver);

} // namespace lttng_gpu::model
