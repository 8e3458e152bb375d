// SPDX-License-Identifier: MIT
//
// Parts of a job's or frame's latency as people read them.
#pragma once

#include "reason.hpp"

#include <vector>

namespace lttng_gpu::diagnose {

/// Parts that say the same become one line, wherever they lie.
std::vector<Part> condensed(const std::vector<Part>& parts);

} // namespace lttng_gpu::diagnose
