// SPDX-License-Identifier: MIT
//
// What agents are, and what the runtime's clock shows, told again while their queues are used.
#pragma once

#include "hsa_headers.hpp"

namespace lttng_gpu::hsa {

/// A time of the runtime's clock in nanoseconds.
uint64_t system_ns(uint64_t ticks);

/// Writes them, unless that was done less than the pause ago.
void describe_device(hsa_agent_t agent, uint64_t now, uint64_t pause_ns);

void forget_devices();
void lock_devices();
void unlock_devices();

} // namespace lttng_gpu::hsa
