// SPDX-License-Identifier: MIT
//
// More jobs known on a ring than the scheduler counts credits there. Each job has one credit or
// more, so they are those of several rings, whose name no device tells apart; or one has ended, and
// its event comes next or is missing.
#pragma once

#include "../jobs/job_tracker.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace lttng_gpu::model {

class CreditExcess {
public:
    explicit CreditExcess(JobTracker& jobs) : m_jobs{jobs} {}

    /// A job was submitted to this ring, on whose hardware the scheduler counts these credits now.
    /// None at all is no count: this job has one.
    void on_submitted(TraceId trace, RingId ring, Timestamp time, std::uint64_t credits)
    {
        const bool is_order_known = note_change(ring, time) != time;
        RingFifo& fifo = m_jobs.fifo(ring);
        if (credits == 0 || fifo.depth() <= credits) {
            return;
        }
        if (m_jobs.has_gaps(trace)) {
            fifo.doubt_all();
        } else if (is_order_known && m_excesses.size() < most_excesses) {
            m_excesses.push_back({ring, time});
        }
    }
    /// A job of this ring ends: where that was not about to happen when there was an excess, not
    /// all jobs that were known are on this ring.
    void on_ended(RingId ring, Timestamp time)
    {
        note_change(ring, time);
        std::erase_if(m_excesses, [&](const Excess& excess) {
            if (excess.ring == ring && time - excess.time > longest_ending) {
                m_jobs.fifo(ring).doubt_all();
            }
            return excess.ring == ring;
        });
    }
    /// No ring of which on_ended() must be told.
    bool is_unused() const { return m_changes.empty(); }

private:
    struct Excess {
        RingId ring;
        Timestamp time;
    };

    /// From the moment at which drm_sched_job_done() takes back credits to the event of it.
    static constexpr Duration longest_ending{50'000};
    static constexpr std::size_t most_excesses = 1024;

    /// Gives the time of the one before on that ring.
    Timestamp note_change(RingId ring, Timestamp time)
    {
        if (ring.value() >= m_changes.size()) {
            m_changes.resize(ring.value() + 1ULL, Timestamp{INT64_MIN});
        }
        return std::exchange(m_changes[ring.value()], time);
    }

    JobTracker& m_jobs;
    std::vector<Excess> m_excesses;
    std::vector<Timestamp> m_changes; // when a job was last run or ended, by ring
};

} // namespace lttng_gpu::model
