// SPDX-License-Identifier: MIT
//
// What is known of a loop before it runs.
#pragma once

#include "instrumentation.hpp"

#include <optional>

namespace lttng_gpu::instrument {

bool is_barrier(const std::string& name);

/// Whether a lane in it may wait for what another one does: it has atomics, fences or memory that
/// is volatile, or something that is not understood.
bool may_wait(CXCursor code);

/// Whether no lane goes on elsewhere, by `return`, `break`, `continue` or `goto`.
bool is_left_at_its_end(CXCursor statement);

/// Whether nothing but its passes is recorded in it, and it is left only at its own end: then the
/// count of its passes tells all that was recorded.
bool is_plain_loop(const Program& program, Points points, CXCursor loop);

/// A loop whose passes differ by the branches in it only, each of which is entered at most once in
/// a pass, in their order: each lane can keep a bit for each of them in a register.
struct PathLoop {
    unsigned bits = 0;        ///< of a pass
    unsigned most_passes = 0; ///< whose bits fit
};

/// Nothing: there is more in it, or too many points.
std::optional<PathLoop> as_path_loop(const Program& program, Points points, CXCursor loop);

} // namespace lttng_gpu::instrument
