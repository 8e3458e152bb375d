// SPDX-License-Identifier: MIT
//
// What a driver remembers of each job, beside the job: only traces of that driver have it. It is
// found by the job's number; what was remembered of a job that is gone is not met again, as the
// next job of the number is of another generation.
#pragma once

#include "open_jobs.hpp"
#include "stable_array.hpp"

namespace lttng_gpu::model {

template <typename Value> class PerJob {
public:
    explicit PerJob(const OpenJobs& jobs) : x_jobs{jobs} {}

    /// Fresh when nothing was remembered of the job. Stays where it is.
    Value& of(JobIndex job)
    {
        while (job >= x_entries.size()) {
            x_entries.push_back({});
        }
        Entry& entry = x_entries[job];
        const std::uint32_t generation = x_jobs[job].generation;
        if (!entry.is_used || entry.generation != generation) {
            entry = {generation, true, Value{}};
        }
        return entry.value;
    }

private:
    struct Entry {
        std::uint32_t generation = 0;
        bool is_used = false;
        Value value{};
    };

    const OpenJobs& x_jobs;
    StableArray<Entry> x_entries;
};

} // namespace lttng_gpu::model
