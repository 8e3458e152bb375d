// SPDX-License-Identifier: MIT
//
// Parts of a job's or frame's latency as people read them.
#pragma once

#include "reason.hpp"

#include <vector>

namespace lttng_gpu::diagnose {

/// One line shows both, apart from their times.
bool say_the_same(const Part& left, const Part& right);

/// Parts that say the same become one line, wherever they lie.
std::vector<Part> condensed(const std::vector<Part>& parts);

} // namespace lttng_gpu::diagnose
