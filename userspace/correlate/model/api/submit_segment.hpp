// SPDX-License-Identifier: MIT
//
// Calls that submit and the jobs that a thread of the driver queued for them, from a moment at
// which it had nothing left to do to the next one, and which job is of which call. The thread works
// in order and never before a call began. What all executions that agree with that have in common
// is certain; with a habit that explains the other segments, all may be known.
#pragma once

#include "submit_habit.hpp"

namespace lttng_gpu::model {

class SubmitSegment {
public:
    /// One job's call, by its number in the segment.
    struct Named {
        std::optional<std::size_t> call; // is in the job; nothing: in doubt
        std::size_t merged = 1;          // calls that are known to be in the job, up to that one
    };

    /// Calls in order of begin, jobs in order of queued.
    std::vector<SubmitCall> calls;
    std::vector<SubmitJob> jobs;
    /// Nothing more of it will come.
    bool is_closed = false;
    /// Jobs of the first call that came before.
    unsigned given = 0;

    std::vector<Named> name_jobs(const SubmitHabit& habit) const;

private:
    using Names = std::vector<Named>;

    bool name_regular(const SubmitHabit& habit, Names& names) const;
    void name_certain(const SubmitHabit& habit, std::size_t orphans, Names& names) const;
    /// Jobs of none of its calls, as they came before.
    std::size_t orphans() const;
    /// Of `made`: the last that began then or before; -1: none.
    static std::ptrdiff_t last_begun(std::span<const SubmitCall> made, Timestamp time);
};

} // namespace lttng_gpu::model
