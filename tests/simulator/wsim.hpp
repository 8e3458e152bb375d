// SPDX-License-Identifier: MIT
//
// Reads workload descriptors of igt-gpu-tools' gem_wsim: what real media and game
// pipelines give to which engine, for how long, and what waits for what. Steps
// that only tune the driver (engine bonds, preemption control, slices) count as
// steps and do nothing; an infinite batch ends after a while by itself.
#pragma once

#include "workload.hpp"

#include <optional>
#include <string_view>

namespace lttng_gpu::simulator {

/// Empty when a line cannot be understood. `rings` must name rcs0, bcs0, vcs0,
/// vcs1 and vecs0; steps for others go to the first.
std::optional<std::vector<Step>> parse_wsim(std::string_view text,
                                            const std::vector<RingConfig>& rings);

} // namespace lttng_gpu::simulator
