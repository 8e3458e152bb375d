// SPDX-License-Identifier: MIT
//
// What is known of a loop before it runs.
#pragma once

#include "instrumentation.hpp"

namespace lttng_gpu::instrument {

bool is_barrier(const std::string& name);

/// Whether a lane in it may wait for what another one does: it has atomics, fences or memory that
/// is volatile, or something that is not understood.
bool may_wait(CXCursor code);

/// Whether nothing but its passes is recorded in it, and it is left only at its own end: then the
/// count of its passes tells all that was recorded.
bool is_plain_loop(const Program& program, Points points, CXCursor loop);

} // namespace lttng_gpu::instrument
