// SPDX-License-Identifier: MIT
//
// Frames for people, 100 columns wide: one paragraph for each surface. Empty if there are none.
#pragma once

#include "report.hpp"

namespace lttng_gpu::report {

/// The section of the report.
std::string frame_lines(const Report& report);
std::string surface_lines(const SurfaceReport& surface);

} // namespace lttng_gpu::report
