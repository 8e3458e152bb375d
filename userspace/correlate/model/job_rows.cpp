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
    TrackedJob& tracked = x_jobs[job];
    tracked.is_held = false;
    if (tracked.has_row) {
        x_order.decide(tracked.row);
        return;
    }
    hand_on(job);
}

void JobTracker::hand_on(JobIndex job)
{
    TrackedJob& tracked = x_jobs[job];
    if (tracked.first_interval != no_job) {
        hand_on_intervals(tracked);
    }
    x_host_waits[tracked.trace].add(tracked.job);
    x_sink.on_job(tracked.job);
    tracked.has_row = false;
    x_jobs.free_if_unused(job);
}

void JobTracker::hand_on_intervals(TrackedJob& tracked)
{
    for (JobIndex interval = tracked.first_interval; interval != no_job;) {
        const JobIndex next = x_jobs[interval].newer;
        x_sink.on_job(x_jobs[interval].job);
        x_jobs[interval].newer = no_job;
        x_jobs.free(interval);
        --x_intervals;
        interval = next;
    }
    tracked.first_interval = no_job;
    tracked.last_interval = no_job;
}

void JobTracker::release()
{
    while (!x_order.is_empty()) {
        const JobIndex job = x_order.front();
        if (x_order.is_front_decided()) {
            if (x_order.front_time() >= x_now) {
                return;
            }
            x_order.pop_front();
            hand_on(job);
        } else if (x_now - x_order.front_time() > longest_submission && // asked for every event
                   x_jobs[job].is_unnamed) {
            drop_tentative(job, Anomaly::SubmissionAbandoned);
        } else {
            return;
        }
    }
}

void JobTracker::give_way()
{
    while (!x_order.is_empty() && !x_order.is_front_decided() &&
           (x_order.decided() + x_intervals > most_rows || x_order.size() > 4 * most_rows)) {
        detach_front();
    }
    while (x_open > most_open && !x_order.is_empty() && !x_order.is_front_decided()) {
        const JobIndex job = x_order.front();
        if (x_jobs[job].is_held) {
            decide(job);
        } else if (x_jobs[job].is_tentative) {
            drop_tentative(job, Anomaly::TooManyOpenJobs);
        } else if (x_jobs[job].state == JobState::Closing) {
            settle_all();
        } else {
            give_up(job, Anomaly::TooManyOpenJobs);
        }
        release();
    }
}

void JobTracker::detach_front()
{
    const JobIndex job = x_order.front();
    TrackedJob& tracked = x_jobs[job];
    x_order.pop_front();
    tracked.has_row = false;
    if (tracked.is_held) {
        decide(job);
    } else {
        x_anomalies.count(Anomaly::RowOutOfOrder);
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
    while (!x_order.is_empty()) {
        const JobIndex job = x_order.front();
        if (x_order.is_front_decided()) {
            x_order.pop_front();
            hand_on(job);
        } else {
            finish_open(job);
        }
    }
    for (JobIndex job = 0; job < x_jobs.capacity(); ++job) {
        if (x_jobs[job].state == JobState::Open) {
            finish_open(job);
        }
    }
    report_orders();
    if (x_anomalies.unannounced_losses() == 0) {
        x_host_waits.for_each([this](TraceId trace, const HostWaits& waits) {
            x_anomalies.count(Anomaly::QueueEventMissing, has_gaps(trace) ? 0 : waits.unlikely());
        });
    }
    // A report is made next, which needs as much memory again for each of a million rings.
    x_fifos = StableArray<RingFifo>{};
    x_numbers = {};
    x_depths = {};
}

void JobTracker::find_completing_drivers()
{
    for (std::uint32_t ring = 0; ring < x_fifos.size(); ++ring) {
        if (x_fifos[ring].has_completed()) {
            const Ring& facts = x_rings.at(RingId{ring});
            x_completing.emplace(facts.trace, facts.driver);
        }
    }
}

bool JobTracker::is_completing(RingId ring) const
{
    const Ring& facts = x_rings.at(ring);
    return x_completing.contains({facts.trace, facts.driver});
}

void JobTracker::finish_open(JobIndex job)
{
    TrackedJob& tracked = x_jobs[job];
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
    if (x_findings != nullptr && tracked.job.queued && !tracked.job.submitted && tracked.job.ring &&
        is_of_scheduler(tracked)) {
        x_findings->add_pending({tracked.trace, *tracked.job.ring, *tracked.job.queued});
    }
    const bool is_lost =
        tracked.job.completed_by || is_lost_since(tracked.trace, begin_of_interval(tracked));
    tracked.job.ending = is_lost ? Ending::Lost : Ending::Normal;
    tracked.job.is_alive_at_end = !is_lost && !tracked.job.submitted_by && !tracked.is_retired &&
                                  tracked.job.ring && is_completing(*tracked.job.ring);
    end_without_completion(job);
}

} // namespace lttng_gpu::model
