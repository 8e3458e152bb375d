// SPDX-License-Identifier: MIT
//
// From what the report builder counted to the numbers of the report: totals to
// means, distributions to percentiles, numbers of rings and texts to names.
#pragma once

#include "../base/workers.hpp"
#include "../rings/ring_table.hpp"
#include "dependency_table.hpp"

namespace lttng_gpu::report {

struct Counted {
    const model::RingTable& rings;
    const Tallies& tallies;
    const Occupancy& occupancy;
    const DependencyTable& dependencies;
    Duration length;                 // of the window
    Timestamp end;                   // likewise
    const UncertainTimes& uncertain; // of jobs that may be of any ring
    bool has_upper_bounds = true;
};

/// In order of device and ring. Null: all on this thread.
std::vector<QueueReport> make_queues(const Counted& counted, Workers* workers);
/// Longest waits first.
std::vector<ForeignWaits> make_foreign_waits(const model::RingTable& texts,
                                             const std::vector<ActorKey>& actors,
                                             const std::vector<WaitTally>& waits);

} // namespace lttng_gpu::report
