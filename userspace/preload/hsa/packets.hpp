// SPDX-License-Identifier: MIT
//
// AQL packets: what stands in a queue's ring buffer when its doorbell rings.
#pragma once

#include "calls.hpp"
#include "queues.hpp"

namespace lttng_gpu::hsa {

/// How many packets were written, and how many were gone before the layer saw them.
struct Seen {
    uint64_t packets;
    uint64_t missed;
};

/// Writes the packets up to that index that were not written yet; to be called before the device
/// hears of them.
Seen see_packets(const Call& call, Queue& queue, uint64_t index);

/// Whether times are wanted, which costs the device two writes per packet.
bool wants_times();

} // namespace lttng_gpu::hsa
