// SPDX-License-Identifier: MIT
//
// Short streams written by hand, with the rows they must give: mistakes of other
// tools, and the slices that Perfetto's own tests expect. One file each in
// tests/simulator/cases, lines of
//   event TIME CPU TID NAME [field=value]...
//   loss BEGIN END CPU
//   row DEVICE RING CONTEXT:SEQNO QUEUED SUBMITTED STARTED COMPLETED ENDING
//   wait BEGIN END          (rows and waits in the order they come out; - is unknown)
#pragma once

#include "feed.hpp"

#include <filesystem>

namespace lttng_gpu::simulator {

/// Prints TAP lines; numbers go on from `tests`.
void run_named_cases(const std::filesystem::path& folder, const Feed& feed, std::size_t& tests,
                     std::size_t& failures);

} // namespace lttng_gpu::simulator
