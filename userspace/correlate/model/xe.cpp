// SPDX-License-Identifier: MIT
//
// Trace system xe: its own events of the jobs that drm_sched runs for it. They
// name the driver's fence; our probe adds the finished fence of drm_sched, by which
// they tell of the same job. Without it they are joined to drm_sched's events by
// their neighbourhood in the same thread: xe_sched_job_exec comes right before
// drm_sched_job_queue (xe_sched_job_push()), xe_sched_job_run right after
// drm_sched_job_run; then they only add what went wrong with a job.
#include "event_spec.hpp"

#include <cstdio>

namespace lttng_gpu::model {
namespace {

namespace field {
enum : std::size_t { Context, Seqno, Fence, Device, Gt, FinishedContext, FinishedSeqno };
constexpr std::array<std::string_view, 7> names{"ctx",   "seqno",         "fence",      "dev",
                                                "gt_id", "fence_context", "fence_seqno"};
} // namespace field

/// A new job's fence may have no number yet; then the pointer names it.
std::optional<JobKey> find_key(NormaliserState& state, const trace::RawEvent& event)
{
    state.jobs.note(event.trace, Teller::Xe);
    const auto context = find_unsigned(event, field::Context);
    const auto seqno = find_unsigned(event, field::Seqno);
    if (context.value_or(0) != 0 && seqno) {
        return JobKey{event.trace, KeyKind::XeFence, false, *context, *seqno};
    }
    if (const auto pointer = find_unsigned(event, field::Fence)) {
        return JobKey{event.trace, KeyKind::XePointer, false, *pointer, 0};
    }
    state.anomalies.count(Anomaly::EventWithoutIdentity);
    return {};
}

/// The finished fence of drm_sched, in events of our probe.
std::optional<JobKey> find_finished(const trace::RawEvent& event)
{
    const auto context = find_unsigned(event, field::FinishedContext);
    const auto seqno = find_unsigned(event, field::FinishedSeqno);
    if (context.value_or(0) == 0 || !seqno) {
        return {};
    }
    return fence_key(event.trace, *context, *seqno);
}

/// The queue's engine class is not in these events, its GT is.
RingId ring_of(NormaliserState& state, const trace::RawEvent& event)
{
    std::array<char, 16> name{};
    const int length =
        std::snprintf(name.data(), name.size(), "gt%u",
                      static_cast<unsigned>(find_unsigned(event, field::Gt).value_or(0) & 0xff));
    const RingId ring = state.rings.intern(event.trace, find_text(event, field::Device),
                                           {name.data(), static_cast<std::size_t>(length)});
    state.rings.set_driver(ring, "xe");
    state.rings.at(ring).is_coarse = true;
    return ring;
}

/// The driver's fence tells of the same job as its finished fence.
void add_own_key(NormaliserState& state, JobIndex job, const JobKey& own)
{
    if (job != no_job && state.jobs.at(job).state == JobState::Open) {
        state.jobs.add_key(job, own);
    }
}

/// xe_sched_job_push(), in the submitting thread. The driver's fence is not shown:
/// users know the finished fence of drm_sched.
void on_exec(NormaliserState& state, const trace::RawEvent& event)
{
    const auto key = find_key(state, event);
    if (!key) {
        return;
    }
    if (const auto finished = find_finished(event)) {
        add_own_key(state,
                    state.jobs.queued(event.time, Step::XeExec,
                                      {*finished, fence_id(*finished), ring_of(state, event),
                                       state.actor_of(event)}),
                    *key);
        return;
    }
    JobIndex job = no_job;
    if (!state.jobs.has(event.trace, Teller::Scheduler)) {
        job = state.jobs.queued(event.time, Step::XeExec,
                                {*key, FenceId{}, ring_of(state, event), state.actor_of(event)});
    }
    if (ThreadNote* note = state.note_of(event)) {
        note->has_xe = true;
        note->xe_key = *key;
        note->xe_job = job != no_job ? state.jobs.jobs().ref(job) : JobRef{};
    }
}

/// guc_exec_queue_run_job(), in the scheduler's worker.
void on_run(NormaliserState& state, const trace::RawEvent& event)
{
    const auto key = find_key(state, event);
    if (!key) {
        return;
    }
    if (const auto finished = find_finished(event)) {
        add_own_key(state,
                    state.jobs.submitted(event.time, Step::XeRun,
                                         {*finished, fence_id(*finished), ring_of(state, event)}),
                    *key);
        return;
    }
    if (!state.jobs.has(event.trace, Teller::Scheduler)) {
        state.jobs.submitted(event.time, Step::XeRun, {*key, FenceId{}, ring_of(state, event)});
        return;
    }
    const JobIndex known = state.jobs.find_open(*key);
    if (known != no_job) {
        if (!state.jobs.at(known).job.submitted && state.jobs.at(known).job.ring &&
            state.jobs.at(known).state == JobState::Open) {
            state.jobs.submit(known, event.time, *state.jobs.at(known).job.ring);
        }
        return;
    }
    const ThreadNote* note = state.find_note(event);
    const JobIndex job = note != nullptr ? state.jobs.jobs().get(note->last_run) : no_job;
    if (job != no_job && state.jobs.find(*key) == no_job) {
        state.jobs.add_key(job, *key);
    }
}

/// xe_hw_fence_irq_run_cb() has seen that the fence is passed. Fences of jobs that
/// run on several engines are others and unknown here.
void on_hw_signal(NormaliserState& state, const trace::RawEvent& event)
{
    const auto key = find_key(state, event);
    if (!key || state.jobs.has(event.trace, Teller::Scheduler) ||
        state.jobs.has(event.trace, Teller::DoneEvents)) {
        return;
    }
    if (state.jobs.find_open(*key) != no_job) {
        state.jobs.completed(event.time, Step::XeSignal, {*key, FenceId{}, {}});
    } else if (state.jobs.find(*key) == no_job) {
        state.anomalies.count(Anomaly::CompleteOfUnknownJob);
    }
}

template <Fault fault> void on_fault(NormaliserState& state, const trace::RawEvent& event)
{
    const auto own = find_key(state, event);
    const auto finished = find_finished(event);
    const auto& key = finished ? finished : own;
    const JobIndex job = key ? state.jobs.find_open(*key) : no_job;
    // a job that timed out or is banned gets an error as well
    if (job != no_job && (fault != Fault::Error || state.jobs.at(job).job.fault == Fault::None)) {
        state.jobs.set_fault(job, fault);
    }
}

constexpr std::array<EventSpec, 6> events{{
    {"xe_sched_job_exec", field::names, on_exec},
    {"xe_sched_job_run", field::names, on_run},
    {"xe_hw_fence_signal", field::names, on_hw_signal},
    {"xe_sched_job_timedout", field::names, on_fault<Fault::TimedOut>},
    {"xe_sched_job_set_error", field::names, on_fault<Fault::Error>},
    {"xe_sched_job_ban", field::names, on_fault<Fault::Banned>},
}};

} // namespace

std::span<const EventSpec> xe_events()
{
    return events;
}

} // namespace lttng_gpu::model
