// SPDX-License-Identifier: MIT
//
// A session that is being recorded has no end of its own: Ctrl-C ends reading,
// and what was read is reported. A second Ctrl-C ends the program.
#pragma once

namespace lttng_gpu::cli {

void take_interruptions();
bool is_interrupted();

} // namespace lttng_gpu::cli
