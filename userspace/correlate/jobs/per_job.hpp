// SPDX-License-Identifier: MIT
//
// What a driver remembers of each job, beside the job: only traces of that driver have it. It is
// found by the job's number; what was remembered of a job that is gone is not met again, as the
// next job of the number is of another generation.
#pragma once

#include "../base/stable_array.hpp"
#include "open_jobs.hpp"

namespace lttng_gpu::model {

template <typename Value> class PerJob {
public:
    explicit PerJob(const OpenJobs& jobs) : m_jobs{jobs} {}

    /// Fresh when nothing was remembered of the job. Stays where it is.
    Value& of(JobIndex job)
    {
        const std::uint32_t user = m_jobs[job].generation + 1;
        if (job < m_entries.size() && m_entries[job].user == user) {
            return m_entries[job].value;
        }
        return add(job, user);
    }

private:
    struct Entry {
        std::uint32_t user = 0; // of the job's number: its generation and 1; 0: none
        Value value{};
    };

    Value& add(JobIndex job, std::uint32_t user)
    {
        while (job >= m_entries.size()) {
            m_entries.push_back({});
        }
        m_entries[job] = {user, Value{}};
        return m_entries[job].value;
    }

    const OpenJobs& m_jobs;
    StableArray<Entry> m_entries;
};

} // namespace lttng_gpu::model
