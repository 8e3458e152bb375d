// SPDX-License-Identifier: MIT
//
// Programs may make hundreds of queues of an API on one device. For readers, the queues of one
// process on one device are summed up.
#pragma once

#include "report_summary.hpp"

namespace lttng_gpu::report {

/// Only where a process has more than one queue on a device. `queues` are those that
/// make_queues() made of the same.
std::vector<QueueGroup> make_groups(const Counted& counted, const std::vector<QueueReport>& queues);

} // namespace lttng_gpu::report
