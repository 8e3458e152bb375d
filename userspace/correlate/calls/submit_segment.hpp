// SPDX-License-Identifier: MIT
//
// Calls that submit and the jobs that a thread of the driver queued for them, from a moment at
// which it had nothing left to do to the next one, and which job is of which call. The thread works
// in order and never before a call began. What all executions that agree with that have in common
// is certain; with a habit that explains the other segments, all may be known.
#pragma once

#include "jobs_per_call.hpp"

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
    /// Calls of other lanes, for which the thread may work as well; in order of begin.
    std::vector<SubmitCall> others;
    /// Nothing more of it will come.
    bool is_closed = false;
    /// Jobs of the first call that came before.
    unsigned given = 0;

    std::vector<Named> name_jobs(const JobsPerCall& habit) const;
    /// Of a closed one, if no call is split.
    Taking taking(const JobsPerCall& habit) const;

private:
    using Names = std::vector<Named>;
    /// Of the number of a job's last call.
    struct Bounds {
        std::ptrdiff_t low = 0;
        std::ptrdiff_t high = 0;
    };
    /// What calls and jobs can be of each other.
    struct Rules {
        bool can_split = false;
        bool can_merge = true;
        bool ends_with_last = true; // the last job has the last call
        bool takes_all = false;
    };
    /// The calls that make jobs.
    struct Made {
        std::vector<SubmitCall> calls;
        std::vector<std::size_t> numbers; // of these in the segment
        bool ends_open = false;           // the last of them may not have made the last job
    };

    Made made(const JobsPerCall& habit) const;
    bool name_regular(const JobsPerCall& habit, Names& names) const;
    void name_certain(const JobsPerCall& habit, std::size_t orphans, Names& names) const;
    /// Of all jobs but the orphans; nothing: they do not fit.
    std::optional<std::vector<Bounds>> bound(std::span<const SubmitCall> made, std::size_t orphans,
                                             const Rules& rules) const;
    std::ptrdiff_t last_taken(std::span<const SubmitCall> made, const SubmitJob& job,
                              std::ptrdiff_t first) const;
    /// Jobs of none of its calls, as they came before.
    std::size_t orphans() const;
    /// Of `made`: the last that began then or before; -1: none.
    static std::ptrdiff_t last_begun(std::span<const SubmitCall> made, Timestamp time);
};

} // namespace lttng_gpu::model
