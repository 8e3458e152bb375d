// SPDX-License-Identifier: MIT
//
// A job with the names and words that its row shows.
#pragma once

#include "../model/job.hpp"
#include "../model/ring_names.hpp"
#include "job_words.hpp"

namespace lttng_gpu::report {

/// Lives no longer than both. Empty texts are unknown.
class JobRow {
public:
    JobRow(const model::Job& job, model::RingNames& names)
        : x_job{job}, x_names{names}, x_ring{job.ring ? &names.rings().at(*job.ring) : nullptr}
    {
    }

    const model::Job& job() const { return x_job; }
    std::string_view device() const { return x_ring ? text(x_ring->device) : std::string_view{}; }
    std::string_view driver() const { return x_ring ? text(x_ring->driver) : std::string_view{}; }
    /// As long as the trace is read, it is final only where it has been shown.
    std::string_view ring() const { return x_ring ? x_names.of(*x_job.ring) : std::string_view{}; }
    Known<FenceContext> context() const { return x_job.fence.context; }
    Known<FenceSeqno> seqno() const { return x_job.fence.seqno; }
    Known<Pid> pid() const { return x_job.actor.pid; }
    Known<Tid> tid() const { return x_job.actor.tid; }
    std::string_view comm() const { return text(x_job.actor.comm); }
    std::string_view api_call() const { return text(x_job.api_call); }
    std::string_view debug_group() const { return text(x_job.debug_group); }
    std::string_view api_call_basis() const { return call_basis_text(x_job.api_call_basis); }
    std::uint64_t api_calls() const { return x_job.api_calls; }
    std::string_view started_basis() const { return basis_text(x_job.started_basis); }
    std::string_view completed_basis() const { return basis_text(x_job.completed_basis); }
    std::string_view status() const { return status_text(x_job); }
    std::string_view fault() const { return fault_text(x_job.fault); }

protected:
    const model::Ring* known_ring() const { return x_ring; }
    std::string_view text(StringId id) const { return x_names.rings().text(id); }

private:
    const model::Job& x_job;
    model::RingNames& x_names;
    const model::Ring* x_ring; // null: unknown
};

} // namespace lttng_gpu::report
