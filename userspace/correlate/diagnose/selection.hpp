// SPDX-License-Identifier: MIT
//
// Which diagnoses are shown: the worst, those over a length, or those of one job.
#pragma once

#include "../base/expected.hpp"
#include "../rings/ring_table.hpp"
#include "reason.hpp"

#include <string>

namespace lttng_gpu::diagnose {

/// DEVICE/RING:SEQNO or CONTEXT:SEQNO.
struct JobName {
    std::string device;
    std::string ring;
    Known<FenceContext> context; // instead of both
    FenceSeqno seqno;

    bool is(const model::Job& job, const model::RingTable& rings) const;
};
std::optional<JobName> parse_job_name(const std::string& text);

struct Wanted {
    std::size_t worst = 5;
    std::optional<JobName> job;   // then neither of the others counts
    std::optional<Duration> over; // all of at least that latency, worst first
};

/// Keeps what is wanted; of jobs of which events are missing only the one that was named. Bounded
/// by what was asked for: of `over`, the worst 100000 are kept.
class Selection {
public:
    explicit Selection(Wanted wanted) : m_wanted{std::move(wanted)} {}

    void add(Diagnosis&& diagnosis, const model::RingTable& rings);
    /// The worst first.
    std::vector<Diagnosis> take();
    std::uint64_t left_out() const { return m_left_out; }

private:
    std::size_t most() const;

    Wanted m_wanted;
    std::vector<Diagnosis> m_kept; // a heap, the least on top
    std::uint64_t m_left_out = 0;
};

} // namespace lttng_gpu::diagnose
