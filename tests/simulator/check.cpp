// SPDX-License-Identifier: MIT
//
// See check.hpp: the rules for one row.
#include "check.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace lttng_gpu::simulator {

void Check::complain(const char* kind, std::uint32_t job, std::string words)
{
    ++m_tally.complaints;
    if (m_complaints.size() < 20) {
        m_complaints.push_back({kind, job, std::move(words)});
    }
}

std::vector<Complaint> Check::run(Tally& tally)
{
    m_tally.jobs = m_world.jobs.size();
    m_tally.events = m_kept.events.size();
    m_tally.rows = m_shown.rows.size();
    match();
    for (const Matched& matched : m_matched) {
        check_times(matched);
        check_start(matched);
        check_ending(matched);
        check_ring(matched);
        check_actor(matched);
    }
    check_presence();
    check_order();
    check_account();
    check_dependencies();
    check_waits();
    tally.jobs += m_tally.jobs;
    tally.events += m_tally.events;
    tally.rows += m_tally.rows;
    tally.times += m_tally.times;
    tally.starts += m_tally.starts;
    tally.withheld += m_tally.withheld;
    tally.submissions_withheld += m_tally.submissions_withheld;
    tally.complaints += m_tally.complaints;
    return std::move(m_complaints);
}

bool Check::is_fifo(std::uint32_t ring) const
{
    const RingKind kind = m_world.rings[ring].kind;
    return kind == RingKind::Fifo || kind == RingKind::Execlists;
}

/// Pointers are joined to fences by what came next to what; where events are
/// missing, a job may be shown in two parts.
bool Check::has_loose_identity() const
{
    const Recording& recording = m_scenario.recording;
    const Distortion& distortion = m_scenario.distortion;
    const bool is_by_pointer =
        recording.sched == SchedEvents::Pointers || recording.sched == SchedEvents::ProcessOnly;
    return is_by_pointer && (distortion.loss > 0 || distortion.is_late ||
                             distortion.is_cut_at_begin || distortion.is_cut_at_end);
}

void Check::check_times(const Matched& matched)
{
    const auto& [row, job, interval] = matched;
    check_queued(matched);
    if (row->submitted) {
        ++m_tally.times;
        if (!m_truth.is_submission(job, row->submitted->value())) {
            complain("wrong submitted", job, describe(*row, m_shown.rings));
        }
    } else if (m_truth.has_strong(job, Phase::Submitted) && is_exact() && row->interval == 0 &&
               row->is_last && !has_loose_identity() && m_truth.is_return_in_doubt(job)) {
        ++m_tally.submissions_withheld; // caution, counted as an anomaly as well
    } else if (m_truth.has_strong(job, Phase::Submitted) && is_exact() && row->interval == 0 &&
               row->is_last && !has_loose_identity()) {
        complain("missing submitted", job, describe(*row, m_shown.rings));
    }
    if (row->runnable && !m_truth.is_allowed(job, Phase::Runnable, row->runnable->value())) {
        complain("wrong runnable", job, describe(*row, m_shown.rings));
    }
    check_completed(matched);
    if (row->observed && (!row->completed || *row->observed < *row->completed ||
                          !m_truth.is_allowed(job, Phase::WaitEnd, row->observed->value()))) {
        complain("wrong observed", job, describe(*row, m_shown.rings));
    }
}

void Check::check_queued(const Matched& matched)
{
    const auto& [row, job, interval] = matched;
    const bool is_virtio = m_scenario.recording.driver == Driver::VirtioGpu;
    if (!row->queued) {
        if (m_truth.has_strong(job, Phase::Queued) && is_exact() && row->interval == 0 &&
            !has_loose_identity()) {
            complain("missing queued", job, describe(*row, m_shown.rings));
        }
        return;
    }
    ++m_tally.times;
    const Time queued = row->queued->value();
    if (row->interval > 0) {
        // Back in its queue when the interval before was preempted, alone or with
        // its carrier.
        const auto& intervals = m_world.jobs[job].intervals;
        const bool is_carried =
            std::any_of(intervals.begin(), intervals.end(), [&](const Interval& part) {
                return part.carrier != nobody &&
                       m_truth.is_allowed(part.carrier, Phase::Preempted, queued);
            });
        if (!is_carried && !m_truth.is_allowed(job, Phase::Preempted, queued)) {
            complain("wrong queued again", job, describe(*row, m_shown.rings));
        }
        return;
    }
    const auto allowed = m_truth.times(job, Phase::Queued);
    const bool is_sent_at_once = is_virtio && (allowed.empty() || !m_kept.losses.empty()) &&
                                 m_truth.is_allowed(job, Phase::Submitted, queued);
    if (std::find(allowed.begin(), allowed.end(), queued) == allowed.end() && !is_sent_at_once) {
        complain("wrong queued", job, describe(*row, m_shown.rings));
    }
}

void Check::check_completed(const Matched& matched)
{
    const auto& [row, job, interval] = matched;
    if (!row->completed) {
        if (row->is_last && m_truth.has_strong(job, Phase::Completed) && is_exact() &&
            !has_loose_identity()) {
            complain("missing completed", job, describe(*row, m_shown.rings));
        }
        return;
    }
    ++m_tally.times;
    const Time completed = row->completed->value();
    const bool is_preempted = row->ending == model::Ending::Preempted;
    if (row->completed_basis == model::Basis::Inferred) {
        const auto& intervals = m_world.jobs[job].intervals;
        const std::uint32_t carrier =
            interval < intervals.size() ? intervals[interval].carrier : nobody;
        const bool is_carried =
            carrier != nobody && carrier != job &&
            (m_truth.is_allowed(carrier, Phase::Completed, completed) ||
             (is_preempted && m_truth.is_allowed(carrier, Phase::Preempted, completed)));
        const auto own = m_truth.times(job, Phase::Completed);
        const bool is_late =
            std::all_of(own.begin(), own.end(), [&](Time time) { return time >= completed; });
        if (!is_carried || !is_late) {
            complain("completion inferred from nothing", job, describe(*row, m_shown.rings));
        }
        return;
    }
    if (is_preempted) {
        if (!m_truth.is_allowed(job, Phase::Preempted, completed, interval)) {
            complain("wrong end of interval", job, describe(*row, m_shown.rings));
        }
        return;
    }
    if (has_loose_identity()) {
        // The first event that told of the end may have had a pointer that was in doubt.
        if (!m_truth.is_told(job, Phase::Completed, completed)) {
            complain("wrong completed", job, describe(*row, m_shown.rings));
        }
        return;
    }
    // Before the first event of drm_sched nobody knows that it will tell the ends, too.
    if (completed <= m_truth.first_sched_event() &&
        m_truth.is_told(job, Phase::Completed, completed)) {
        return;
    }
    const auto allowed = m_truth.times(job, Phase::Completed);
    if (allowed.empty() || completed != *std::min_element(allowed.begin(), allowed.end())) {
        complain("wrong completed", job, describe(*row, m_shown.rings));
    }
}

/// The ends of an interval that its row shows, that its events tell, or that the
/// whole stream would have told: the next may begin at any of them.
std::vector<Time> Check::possible_ends(std::uint32_t job, std::uint8_t interval) const
{
    const auto& intervals = m_world.jobs[job].intervals;
    const bool is_last = interval + 1U >= intervals.size();
    std::vector<Time> ends = is_last ? m_truth.times(job, Phase::Completed) : std::vector<Time>{};
    const Time ended = is_last ? m_truth.whole_end(job) : intervals[interval].ended;
    ends.push_back(ended - ended % m_scenario.distortion.grain);
    for (const std::size_t place : m_rows_of[job]) {
        const Matched& other = m_matched[place];
        if (other.interval == interval && other.row->completed) {
            ends.push_back(other.row->completed->value());
        }
    }
    return ends;
}

void Check::check_start(const Matched& matched)
{
    const auto& [row, job, interval] = matched;
    const std::uint32_t ring = m_world.jobs[job].ring;
    if (!row->started) {
        if (is_start_determined(matched) && !m_kept.losses.empty()) {
            ++m_tally.withheld; // caution after a loss is allowed, but not much of it
        } else if (is_start_determined(matched)) {
            complain("missing start", job, describe(*row, m_shown.rings));
        }
        return;
    }
    ++m_tally.times;
    ++m_tally.starts;
    const Time started = row->started->value();
    if (!row->submitted || row->started_basis != model::Basis::Inferred ||
        started < row->submitted->value() ||
        (row->completed && started > row->completed->value())) {
        complain("impossible start", job, describe(*row, m_shown.rings));
        return;
    }
    const auto& intervals = m_world.jobs[job].intervals;
    if (interval < intervals.size() && intervals[interval].started == never) {
        complain("start though it never ran", job, describe(*row, m_shown.rings));
    } else if (m_world.rings[ring].kind == RingKind::Multiplexed) {
        complain("start on a name of many queues", job, describe(*row, m_shown.rings));
    } else if (!is_fifo(ring)) {
        if (row->completed && m_scenario.distortion.grain == 1 &&
            row->completed->value() > m_truth.first_violation(ring)) {
            complain("start after a violation", job, describe(*row, m_shown.rings));
        }
    } else {
        const auto previous = m_truth.previous(job, interval);
        const Time submitted = row->submitted->value();
        bool is_true = !previous && started == submitted;
        Time truth = submitted;
        for (const Time end :
             previous ? possible_ends(previous->job, previous->interval) : std::vector<Time>{}) {
            truth = std::max(submitted, end);
            const Time difference = truth > started ? truth - started : started - truth;
            is_true = is_true || difference <= 2 * m_scenario.distortion.skew;
        }
        if (!is_true && !m_truth.is_tied_start(ring)) {
            complain("wrong start", job,
                     describe(*row, m_shown.rings) + " truly " + std::to_string(truth));
        }
    }
}

/// Ring in order, both ends seen, and nothing unseen can have come between.
bool Check::is_start_determined(const Matched& matched) const
{
    const auto& [row, job, interval] = matched;
    const std::uint32_t ring = m_world.jobs[job].ring;
    const bool is_one_by_one =
        m_world.rings[ring].kind == RingKind::Execlists && !m_scenario.hardware.has_coalescing &&
        m_scenario.recording.has_low_level && m_scenario.recording.i915 != I915Events::None;
    if ((m_world.rings[ring].kind != RingKind::Fifo && !is_one_by_one) || !is_exact() ||
        !row->submitted || !row->completed || m_scenario.recording.driver == Driver::Xe ||
        m_world.jobs[job].is_killed || m_truth.is_return_in_doubt(job) || has_loose_identity() ||
        m_truth.is_tied_start(ring) || m_truth.is_ambiguous(ring) ||
        m_truth.first_violation(ring) != never) {
        return false;
    }
    const auto& intervals = m_world.jobs[job].intervals;
    if (interval < intervals.size() && intervals[interval].started == never) {
        return false; // it was taken back before its turn
    }
    // Nor does the clock tell whether its turn came before it was taken back.
    const Time grain = m_scenario.distortion.grain;
    if (row->ending == model::Ending::Preempted && interval < intervals.size() &&
        intervals[interval].started / grain == intervals[interval].ended / grain) {
        return false;
    }
    // A pointer's fence is known only once both were told; until then its signals are
    // those of unknown jobs.
    const Recording& recording = m_scenario.recording;
    const bool is_joined =
        recording.fences != FenceEvents::None &&
        (recording.sched == SchedEvents::Pointers || recording.sched == SchedEvents::ProcessOnly);
    if (m_scenario.distortion.grain > 1 && is_joined) {
        return false;
    }
    const Time submitted = row->submitted->value();
    const Time completed = row->completed->value();
    // Whether the scheduler's count of jobs fits ours, equal times leave open.
    if (!m_scenario.kernel_release.empty() && m_truth.has_tie(ring, submitted, completed)) {
        return false;
    }
    // What ended before the job before it did changes nothing.
    const auto previous = m_truth.previous(job, interval);
    const Time free = previous ? m_truth.exact_end(*previous).value_or(submitted) : submitted;
    return !m_truth.is_lossy(submitted, completed) &&
           !m_truth.has_stranger(std::max(submitted, free), completed, ring, job);
}

void Check::check_ending(const Matched& matched)
{
    const auto& [row, job, interval] = matched;
    if (row->ending == model::Ending::Lost &&
        (!m_truth.is_lossy(first_time(*row).value(), never) || row->completed)) {
        complain("lost without a loss", job, describe(*row, m_shown.rings));
    }
    if (row->ending == model::Ending::Preempted &&
        (row->is_last || interval >= m_world.jobs[job].intervals.size() ||
         !m_world.jobs[job].intervals[interval].is_preempted)) {
        complain("preempted it was not", job, describe(*row, m_shown.rings));
    }
    if (row->ending == model::Ending::Normal && row->is_last && !row->completed &&
        m_truth.has_real_loss_after(first_time(*row).value())) {
        complain("lost, but not said so", job, describe(*row, m_shown.rings));
    }
    const bool is_timed_out = m_world.jobs[job].is_hanging && m_scenario.recording.has_xe_events;
    if (row->fault != model::Fault::None && !is_timed_out) {
        complain("fault without one", job, describe(*row, m_shown.rings));
    }
}

void Check::check_ring(const Matched& matched)
{
    const auto& [row, job, interval] = matched;
    const RingConfig& config = m_world.rings[m_world.jobs[job].ring];
    if (!row->ring) {
        return;
    }
    const model::Ring& ring = m_shown.rings.at(*row->ring);
    const auto shown = m_shown.rings.text(ring.shown);
    const auto name = shown.substr(0, shown.find(" #"));
    const bool is_untold = ring.is_number && ring.shown == ring.name;
    const auto device = m_shown.rings.text(ring.device);
    const Recording& recording = m_scenario.recording;
    // By number, or not at all.
    const bool has_own_names =
        (recording.driver == Driver::I915 && recording.i915 != I915Events::Modern) ||
        (recording.has_xe_events && name.starts_with("gt")); // xe's events tell the GT only
    if (!has_own_names && recording.driver != Driver::VirtioGpu && name != config.name &&
        !is_untold && !(recording.driver == Driver::I915 && recording.i915 == I915Events::None)) {
        complain("wrong ring", job, describe(*row, m_shown.rings));
    }
    check_number(matched);
    const bool is_named = !device.empty() && device.front() != '?';
    const bool is_i915 = recording.driver == Driver::I915;
    if (is_named && device != config.device && !is_i915) {
        complain("wrong device", job, describe(*row, m_shown.rings));
    }
}

/// A number tells which of two rings of one name it is; amdgpu's own events name it always.
void Check::check_number(const Matched& matched)
{
    const auto& [row, job, interval] = matched;
    const model::Ring& ring = m_shown.rings.at(*row->ring);
    if (!ring.is_number) {
        return;
    }
    const auto number = fmt::format("{:#x}", ring_number(m_world.jobs[job].ring));
    if (m_shown.rings.text(ring.name) != number) {
        complain("wrong ring number", job, describe(*row, m_shown.rings));
    }
    if (m_scenario.recording.has_amdgpu_numbers && ring.shown == ring.name) {
        complain("missing ring name", job, describe(*row, m_shown.rings));
    }
}

void Check::check_actor(const Matched& matched)
{
    const auto& [row, job, interval] = matched;
    const Thread& thread = m_world.clients[m_world.jobs[job].client];
    const auto comm = m_shown.rings.text(row->actor.comm);
    if ((row->actor.tid && row->actor.tid->value() != thread.tid) ||
        (row->actor.pid && row->actor.pid->value() != thread.pid) ||
        (!comm.empty() && comm != thread.name)) {
        complain("wrong actor", job, describe(*row, m_shown.rings));
    }
    if (!row->queued || row->interval > 0 || !is_exact()) {
        return;
    }
    for (const Told& told : m_truth.told(job)) {
        const bool is_shown = told.phase == Phase::Queued && told.time == row->queued->value();
        // i915's fences name process and thread group in their timeline.
        const bool is_by_timeline = m_scenario.recording.driver == Driver::I915 &&
                                    m_scenario.recording.i915 == I915Events::None;
        const bool has_actor =
            (row->actor.tid || is_by_timeline) && row->actor.pid && !comm.empty();
        if (is_shown && !told.is_weak && m_truth.is_thread_known(told.event) && !has_actor) {
            complain("missing actor", job, describe(*row, m_shown.rings));
            return;
        }
    }
}

} // namespace lttng_gpu::simulator
