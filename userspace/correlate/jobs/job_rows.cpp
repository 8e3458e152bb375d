// SPDX-License-Identifier: MIT
//
// The part of the job tracker (job_tracker.hpp) by which decided jobs leave: their
// rows wait for their order and are handed on, memory stays bounded, and the end
// of the trace closes what is open.
#include "job_tracker.hpp"

namespace lttng_gpu::model {
namespace {

/// A call that submits does not take this long.
constexpr Duration longest_submission{1'000'000'000};

} // namespace

void JobTracker::decide(JobIndex job)
{
    TrackedJob& tracked = m_jobs[job];
    tracked.is_held = false;
    if (tracked.has_row) {
        m_order.decide(tracked.row);
        return;
    }
    hand_on(job);
}

void JobTracker::hand_on(JobIndex job)
{
    TrackedJob& tracked = m_jobs[job];
    if (tracked.first_interval != no_job) {
        hand_on_intervals(tracked);
    }
    m_host_waits[tracked.trace].add(tracked.job);
    m_sink.on_job(tracked.job);
    tracked.has_row = false;
    m_jobs.free_if_unused(job);
}

void JobTracker::hand_on_intervals(TrackedJob& tracked)
{
    for (JobIndex interval = tracked.first_interval; interval != no_job;) {
        const JobIndex next = m_jobs[interval].newer;
        m_sink.on_job(m_jobs[interval].job);
        m_jobs[interval].newer = no_job;
        m_jobs.free(interval);
        --m_intervals;
        interval = next;
    }
    tracked.first_interval = no_job;
    tracked.last_interval = no_job;
}

void JobTracker::release()
{
    while (!m_order.is_empty()) {
        const JobIndex job = m_order.front();
        if (m_order.is_front_decided()) {
            if (m_order.front_time() >= m_now) {
                return;
            }
            m_order.pop_front();
            hand_on(job);
        } else if (m_now - m_order.front_time() > longest_submission && // asked for every event
                   m_jobs[job].is_unnamed) {
            drop_tentative(job, Anomaly::SubmissionAbandoned);
        } else {
            return;
        }
    }
}

void JobTracker::evict_oldest()
{
    while (!m_order.is_empty() && !m_order.is_front_decided() &&
           (m_order.decided() + m_intervals > most_rows || m_order.size() > 4 * most_rows)) {
        detach_front();
    }
    while (m_open > most_open && !m_order.is_empty() && !m_order.is_front_decided()) {
        const JobIndex job = m_order.front();
        if (m_jobs[job].is_held) {
            decide(job);
        } else if (m_jobs[job].is_tentative) {
            drop_tentative(job, Anomaly::TooManyOpenJobs);
        } else if (m_jobs[job].state == JobState::Closing) {
            settle_all();
        } else {
            give_up(job, Anomaly::TooManyOpenJobs);
        }
        release();
    }
}

void JobTracker::detach_front()
{
    const JobIndex job = m_order.front();
    TrackedJob& tracked = m_jobs[job];
    m_order.pop_front();
    tracked.has_row = false;
    if (tracked.is_held) {
        decide(job);
    } else {
        m_anomalies.count(Anomaly::RowOutOfOrder);
        tracked.is_out_of_order = true;
        hand_on_intervals(tracked);
    }
    release();
}

void JobTracker::finish()
{
    check_depths();
    settle_all();
    find_completing_drivers();
    while (!m_order.is_empty()) {
        const JobIndex job = m_order.front();
        if (m_order.is_front_decided()) {
            m_order.pop_front();
            hand_on(job);
        } else {
            finish_open(job);
        }
    }
    for (JobIndex job = 0; job < m_jobs.capacity(); ++job) {
        if (m_jobs[job].state == JobState::Open) {
            finish_open(job);
        }
    }
    report_orders();
    if (m_anomalies.unannounced_losses() == 0) {
        m_host_waits.for_each([this](TraceId trace, const HostWaits& waits) {
            m_anomalies.count(Anomaly::QueueEventMissing, has_gaps(trace) ? 0 : waits.unlikely());
        });
    }
    // A report is made next, which needs as much memory again for each of a million rings.
    m_fifos = StableArray<RingFifo>{};
    m_numbers = {};
    m_depths = {};
}

void JobTracker::find_completing_drivers()
{
    for (std::uint32_t ring = 0; ring < m_fifos.size(); ++ring) {
        if (m_fifos[ring].has_completed()) {
            const Ring& facts = m_rings.at(RingId{ring});
            m_completing.emplace(facts.trace, facts.driver);
        }
    }
}

bool JobTracker::is_completing(RingId ring) const
{
    const Ring& facts = m_rings.at(ring);
    return m_completing.contains({facts.trace, facts.driver});
}

void JobTracker::finish_open(JobIndex job)
{
    TrackedJob& tracked = m_jobs[job];
    if (tracked.is_held) {
        decide(job);
        return;
    }
    if (tracked.is_unnamed) {
        drop_tentative(job, Anomaly::SubmissionAbandoned);
        return;
    }
    if (is_dispensable(tracked, true)) {
        drop_tentative(job, Anomaly::FenceWithoutJobEvents);
        return;
    }
    if (m_findings != nullptr && tracked.job.queued && !tracked.job.submitted && tracked.job.ring &&
        is_of_scheduler(tracked)) {
        m_findings->add_pending({tracked.trace, *tracked.job.ring, *tracked.job.queued});
    }
    const bool is_lost =
        tracked.job.completed_by || is_lost_since(tracked.trace, begin_of_interval(tracked));
    tracked.job.ending = is_lost ? Ending::Lost : Ending::Normal;
    tracked.job.is_alive_at_end = !is_lost && !tracked.job.submitted_by && !tracked.is_retired &&
                                  tracked.job.ring && is_completing(*tracked.job.ring);
    end_without_completion(job);
}

} // namespace lttng_gpu::model
