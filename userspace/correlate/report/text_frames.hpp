// SPDX-License-Identifier: MIT
//
// Frames for people: one paragraph for each surface. Empty if there are none. `width`: columns of a
// terminal; lines are broken where they would be longer.
#pragma once

#include "report.hpp"
#include "screen.hpp"

namespace lttng_gpu::report {

/// The section of the report.
std::string frame_lines(const Report& report, std::size_t width);
std::string surface_lines(const SurfaceReport& surface, std::size_t width = Screen::usual_width);

} // namespace lttng_gpu::report
