// SPDX-License-Identifier: MIT
//
// Puts sorted runs of records into one order, two runs at a time. Which of two
// streams comes next is as good as random, so nothing here branches on it: the
// processor would guess wrong every other time.
#pragma once

#include "stream_batch.hpp"

#include <span>

namespace lttng_gpu::trace::ctf {

using Run = std::span<const Record>;

/// Of equal times the first run's come first. `out` has room for both.
void merge_two(Run first, Run second, Record* out);

class RunMerge {
public:
    /// Appends all runs to `out`; of equal times those of earlier runs come first.
    /// The list of runs is used up.
    void merge(std::vector<Run>& runs, RecordList& out);

private:
    std::vector<Record> m_rooms[2];
};

} // namespace lttng_gpu::trace::ctf
