// SPDX-License-Identifier: MIT
//
// A job with the names and words that its row shows.
#pragma once

#include "../jobs/job.hpp"
#include "../rings/ring_names.hpp"
#include "job_words.hpp"

namespace lttng_gpu::report {

/// Lives no longer than both. Empty texts are unknown.
class JobRow {
public:
    JobRow(const model::Job& job, model::RingNames& names)
        : m_job{job}, m_names{names}, m_ring{job.ring ? &names.rings().at(*job.ring) : nullptr}
    {
    }

    const model::Job& job() const { return m_job; }
    std::string_view device() const { return m_ring ? text(m_ring->device) : std::string_view{}; }
    std::string_view driver() const { return m_ring ? text(m_ring->driver) : std::string_view{}; }
    /// As long as the trace is read, it is final only where it has been shown.
    std::string_view ring() const { return m_ring ? m_names.of(*m_job.ring) : std::string_view{}; }
    Known<FenceContext> context() const { return m_job.fence.context; }
    Known<FenceSeqno> seqno() const { return m_job.fence.seqno; }
    Known<Pid> pid() const { return m_job.actor.pid; }
    Known<Tid> tid() const { return m_job.actor.tid; }
    std::string_view comm() const { return text(m_job.actor.comm); }
    std::string_view api_call() const { return text(m_job.api_call); }
    std::string_view debug_group() const { return text(m_job.debug_group); }
    std::string_view api_call_basis() const { return call_basis_text(m_job.api_call_basis); }
    std::uint64_t api_calls() const { return m_job.api_calls; }
    std::string_view started_basis() const { return basis_text(m_job.started_basis); }
    std::string_view completed_basis() const { return basis_text(m_job.completed_basis); }
    std::string_view status() const { return status_text(m_job); }
    std::string_view fault() const { return fault_text(m_job.fault); }

protected:
    const model::Ring* known_ring() const { return m_ring; }
    std::string_view text(StringId id) const { return m_names.rings().text(id); }

private:
    const model::Job& m_job;
    model::RingNames& m_names;
    const model::Ring* m_ring; // null: unknown
};

} // namespace lttng_gpu::report
