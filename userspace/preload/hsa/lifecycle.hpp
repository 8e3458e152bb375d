// SPDX-License-Identifier: MIT
//
// The runtime's beginning and end, the program's end, and fork().
#pragma once

namespace lttng_gpu::hsa {

void start_with_runtime();
/// Called with a new queue and with a queue's first packet, see runtime/drivers_end.hpp.
void expect_drivers_end();
/// What is open is reported, and nothing of the runtime's is kept or touched again.
void end_with_runtime();

} // namespace lttng_gpu::hsa
