// SPDX-License-Identifier: MIT
//
// The items of all streams in one stretch of time, in order: the unit in which
// merging may run ahead of handing out. It holds everything but the mapped files.
#pragma once

#include "stream_batch.hpp"

namespace lttng_gpu::trace::ctf {

/// What was read for it, wanted or not.
struct ReadAccount {
    std::uint64_t events = 0;
    std::uint64_t events_without_clock = 0;
    std::uint64_t bytes = 0;
    std::optional<std::int64_t> first_time; // of any event
    std::optional<std::int64_t> last_time;
    std::optional<Error> fault; // the first one
    std::uint64_t more_faults = 0;

    void add(const Batch& batch);
};

struct Window {
    RecordList records;
    ValueArena values;
    std::vector<Loss> losses;
    ReadAccount account;
    bool is_last = false;

    void clear();
};

} // namespace lttng_gpu::trace::ctf
