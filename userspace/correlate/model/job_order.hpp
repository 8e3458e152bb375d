// SPDX-License-Identifier: MIT
//
// Puts decided jobs back into the order of their first known time. Jobs are
// decided when they complete, in any order; a decided job is held only while an
// earlier one is open, so memory is bounded by jobs in flight and those that
// overtook them.
#pragma once

#include "job.hpp"

#include <map>
#include <utility>

namespace lttng_gpu::model {

class JobOrder {
public:
    /// A place in the order: first known time, then order of arrival.
    using Slot = std::pair<Timestamp, std::uint64_t>;

    explicit JobOrder(JobSink& sink) : x_sink{sink} {}

    Slot reserve(Timestamp first_known);
    void fill(Slot slot, const Job& job);
    /// Hands on what cannot be overtaken any more. No job that is not reserved
    /// yet will begin before `horizon`.
    void release(Timestamp horizon);
    void release_all();

private:
    JobSink& x_sink;
    std::map<Slot, std::optional<Job>> x_slots;
    std::uint64_t x_next = 0;
};

} // namespace lttng_gpu::model
