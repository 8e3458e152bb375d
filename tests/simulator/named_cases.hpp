// SPDX-License-Identifier: MIT
//
// Short streams written by hand, with the rows they must give: mistakes of other
// tools, and the slices that Perfetto's own tests expect.
#pragma once

#include "feed.hpp"

namespace lttng_gpu::simulator {

/// Prints TAP lines; numbers go on from `tests`.
void run_named_cases(const Feed& feed, std::size_t& tests, std::size_t& failures);

} // namespace lttng_gpu::simulator
