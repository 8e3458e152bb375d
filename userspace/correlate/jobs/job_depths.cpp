// SPDX-License-Identifier: MIT
//
// The part of the job tracker (job_tracker.hpp) that compares how many jobs it
// knows on a ring's hardware with how many the driver counts there: a smaller
// count is the sign that one ring name hides several schedulers, an equal one
// shows that no job on the hardware was overlooked.
#include "job_tracker.hpp"

#include <algorithm>

namespace lttng_gpu::model {
namespace {

/// So many contradictions in a row.
constexpr unsigned no_chance = 3;
/// So many counts that agree: clocks of two CPUs may differ by what lies between two events,
/// and then two schedulers agree by chance.
constexpr unsigned no_doubt = 4;
/// So many more counts that fit so many credits of each job than counts that do not.
constexpr unsigned enough_votes = 8;

} // namespace

void JobTracker::claim_depth(JobIndex submitted, std::uint64_t counted, DepthUnit unit,
                             bool is_sure)
{
    const TrackedJob& tracked = m_jobs[submitted];
    const RingId ring = *tracked.job.ring;
    m_claims.push_back({ring, tracked.place, fifo(ring).depth(), counted, unit, is_sure});
}

/// Credits of the jobs that are known make up the count. How many a job has is the driver's
/// choice, mostly one for each (amdgpu, v3d, xe), and is learned from what most counts say.
bool JobTracker::is_credit_of_all(DepthHistory& history, const DepthClaim& claim)
{
    if (claim.seen == 0 || claim.counted % claim.seen != 0) {
        return false;
    }
    const std::uint64_t credits = claim.counted / claim.seen;
    if (credits == history.credits) {
        ++history.votes;
        return history.votes > enough_votes && credits > 0;
    }
    if (history.votes > 0) {
        --history.votes;
    } else {
        history.credits = credits;
        history.votes = 1;
    }
    return false;
}

/// Where events are missing, one was submitted unseen, and nobody knows when.
bool JobTracker::has_unseen_job(const DepthHistory& history, const DepthClaim& claim)
{
    if (!has_gaps(m_rings.at(claim.ring).trace)) {
        return false;
    }
    if (claim.unit == DepthUnit::Jobs) {
        return claim.seen < claim.counted;
    }
    return history.votes > enough_votes && claim.seen * history.credits < claim.counted;
}

/// All events of the time are there now. More jobs seen than counted are not all
/// of one scheduler, or one of them has just ended and its event is still to come;
/// several such in a row are no chance.
void JobTracker::check_depths()
{
    for (const DepthClaim& claim : m_claims) {
        const auto ended = static_cast<std::size_t>(
            std::count_if(m_closing.begin(), m_closing.end(), [&](JobIndex job) {
                return m_jobs[job].is_in_fifo && *m_jobs[job].job.ring == claim.ring;
            }));
        if (m_depths.size() <= claim.ring.value()) {
            m_depths.resize(claim.ring.value() + 1ULL);
        }
        DepthHistory& history = m_depths[claim.ring.value()];
        if (claim.seen <= claim.counted) {
            history.contradictions = 0;
            const bool is_credit =
                claim.unit == DepthUnit::Credits && ended == 0 && is_credit_of_all(history, claim);
            if (has_unseen_job(history, claim)) {
                fifo(claim.ring).doubt_all();
            } else if (history.doubtful > 0) {
                --history.doubtful;
                fifo(claim.ring).doubt_all();
            } else if (claim.unit == DepthUnit::Credits) {
                if (is_credit) {
                    fifo(claim.ring).set_all_known(claim.place);
                }
            } else if (claim.seen == claim.counted && ended == 0 && !history.was_doubtful &&
                       has_gaps(m_rings.at(claim.ring).trace)) {
                fifo(claim.ring).set_all_known(claim.place);
            }
            continue;
        }
        if (claim.unit == DepthUnit::Credits) {
            continue; // one of them has ended, and its event is still to come
        }
        fifo(claim.ring).doubt_all();
        if (!claim.is_sure || claim.seen <= claim.counted + ended) {
            continue; // it had ended just before; or not, the clock does not tell
        }
        history.doubtful = no_doubt;
        history.was_doubtful = true;
        if (++history.contradictions == no_chance && m_rings.at(claim.ring).is_fifo) {
            m_rings.at(claim.ring).is_fifo = false;
            m_rings.at(claim.ring).is_shared = true;
            m_anomalies.count(Anomaly::RingNameShared);
        }
    }
    m_claims.clear();
}

} // namespace lttng_gpu::model
