// SPDX-License-Identifier: MIT
//
// The keys of the jobs that completed last, a fixed number of them. A second
// event of a completed job is a duplicate and not a job of its own; without this
// memory the two could not be told apart.
#pragma once

#include "gpu_event.hpp"

#include <set>

namespace lttng_gpu::model {

class RecentJobs {
public:
    void add(const JobKey& job)
    {
        if (!x_jobs.insert(job).second) {
            return;
        }
        if (x_order.size() < capacity) {
            x_order.push_back(job);
            return;
        }
        x_jobs.erase(x_order[x_next]);
        x_order[x_next] = job;
        x_next = (x_next + 1) % capacity;
    }

    bool contains(const JobKey& job) const { return x_jobs.contains(job); }

private:
    static constexpr std::size_t capacity = 4096;

    std::set<JobKey> x_jobs;
    std::vector<JobKey> x_order; // a ring buffer once it is full
    std::size_t x_next = 0;
};

} // namespace lttng_gpu::model
