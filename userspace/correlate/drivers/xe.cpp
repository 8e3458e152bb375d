// SPDX-License-Identifier: MIT
//
// Trace system xe: its own events of the jobs that drm_sched runs for it. They
// name the driver's fence; our probe adds the finished fence of drm_sched, by which
// they tell of the same job. Without it they are joined to drm_sched's events by
// their neighbourhood in the same thread: xe_sched_job_exec comes right before
// drm_sched_job_queue (xe_sched_job_push()), xe_sched_job_run right after
// drm_sched_job_run; then they only add what went wrong with a job.
#include "event_family.hpp"

#include <cstdio>

namespace lttng_gpu::model {
namespace {

namespace field {
enum : std::size_t { Context, Seqno, Fence, Device, Gt, FinishedContext, FinishedSeqno, Error };
constexpr std::array<std::string_view, 8> names{"ctx",   "seqno",         "fence",       "dev",
                                                "gt_id", "fence_context", "fence_seqno", "error"};
} // namespace field

struct Xe : FamilyState {
    explicit Xe(EventContext& context)
        : FamilyState{context}, exec{jobs.add_step(
                                    {.stage = Stage::Queued, .is_beside_scheduler = true})},
          run{jobs.add_step({.stage = Stage::Submitted, .is_beside_scheduler = true})},
          signal{jobs.add_step({.stage = Stage::Completed, .is_beside_scheduler = true})},
          own_fence{jobs.add_key_space({})}, own_pointer{jobs.add_key_space({.is_pointer = true})}
    {
    }

    Step exec;
    Step run;
    Step signal;
    KeySpace own_fence;   // fence context and seqno of xe's own fence
    KeySpace own_pointer; // pointer of it, seqno 0
};

/// A new job's fence may have no number yet; then the pointer names it.
std::optional<JobKey> find_key(Xe& state, const trace::RawEvent& event)
{
    state.jobs.note_seen(event.trace, state.exec); // any of xe's
    const auto context = find_unsigned(event, field::Context);
    const auto seqno = find_unsigned(event, field::Seqno);
    if (context.value_or(0) != 0 && seqno) {
        return JobKey{event.trace, state.own_fence, false, *context, *seqno};
    }
    if (const auto pointer = find_unsigned(event, field::Fence)) {
        return JobKey{event.trace, state.own_pointer, false, *pointer, 0};
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

/// That drm_sched tells of it, too, is known of one of both keys.
JobIndex find_open(Xe& state, const trace::RawEvent& event, const JobKey& key)
{
    const JobIndex job = state.jobs.find_open(key);
    const auto pointer = find_unsigned(event, field::Fence);
    return job != no_job || !pointer
               ? job
               : state.jobs.find_open({event.trace, state.own_pointer, false, *pointer, 0});
}

/// drm_sched's ring of the job, whatever its name.
void note_driver(Xe& state, JobIndex job)
{
    if (job != no_job && state.jobs.at(job).job.ring) {
        const RingId ring = *state.jobs.at(job).job.ring;
        state.rings.set_driver(ring, "xe");
        state.jobs.fifo(ring).set_unordered();
    }
}

/// The queue's engine class is not in these events, its GT is.
RingId ring_of(Xe& state, const trace::RawEvent& event)
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
void add_own_key(Xe& state, JobIndex job, const JobKey& own)
{
    if (job != no_job && state.jobs.at(job).state == JobState::Open) {
        state.jobs.add_key(job, own);
    }
}

/// xe_sched_job_push(), in the submitting thread. The driver's fence is not shown:
/// users know the finished fence of drm_sched.
void on_exec(Xe& state, const trace::RawEvent& event)
{
    const auto key = find_key(state, event);
    if (!key) {
        return;
    }
    if (const auto finished = find_finished(event)) {
        add_own_key(state,
                    state.jobs.queued(event.time, state.exec,
                                      {*finished, fence_id(*finished), ring_of(state, event),
                                       state.actor_of(event)}),
                    *key);
        return;
    }
    JobIndex job = no_job;
    if (!state.jobs.has_seen(event.trace, state.jobs.steps().scheduler_jobs())) {
        job = state.jobs.queued(event.time, state.exec,
                                {*key, FenceId{}, ring_of(state, event), state.actor_of(event)});
    }
    if (ThreadNote* note = state.note_of(event)) {
        note->announced = {job != no_job ? state.jobs.jobs().ref(job) : JobRef{}, {}, *key};
    }
}

/// guc_exec_queue_run_job(), in the scheduler's worker.
void on_run(Xe& state, const trace::RawEvent& event)
{
    const auto key = find_key(state, event);
    if (!key) {
        return;
    }
    if (const auto finished = find_finished(event)) {
        add_own_key(state,
                    state.jobs.submitted(event.time, state.run,
                                         {*finished, fence_id(*finished), ring_of(state, event)}),
                    *key);
        return;
    }
    if (!state.jobs.has_seen(event.trace, state.jobs.steps().scheduler_jobs())) {
        state.jobs.submitted(event.time, state.run, {*key, FenceId{}, ring_of(state, event)});
        return;
    }
    const JobIndex known = find_open(state, event, *key);
    if (known != no_job) {
        note_driver(state, known);
        if (!state.jobs.at(known).job.submitted && state.jobs.at(known).job.ring &&
            state.jobs.at(known).state == JobState::Open) {
            state.jobs.submit(known, event.time, *state.jobs.at(known).job.ring);
        }
        return;
    }
    const ThreadNote* note = state.find_note(event);
    const JobIndex job = note != nullptr ? state.jobs.jobs().get(note->last_run) : no_job;
    note_driver(state, job);
    if (job != no_job && state.jobs.find(*key) == no_job) {
        state.jobs.add_key(job, *key);
    }
}

/// xe_hw_fence_irq_run_cb() has seen that the fence is passed. Fences of jobs that
/// run on several engines are others and unknown here. In ftrace this event alone has a context.
void on_hw_signal(Xe& state, const trace::RawEvent& event)
{
    const auto key = find_key(state, event);
    if (!key || state.jobs.has_seen(event.trace, state.jobs.steps().scheduler_jobs()) ||
        state.jobs.has_seen(event.trace, state.jobs.steps().scheduler_done)) {
        return;
    }
    if (const JobIndex job = find_open(state, event, *key); job != no_job) {
        state.jobs.completed(event.time, state.signal, {state.jobs.at(job).keys[0], FenceId{}, {}});
    } else if (state.jobs.find(*key) == no_job) {
        state.anomalies.count(Anomaly::CompleteOfUnknownJob);
    }
}

/// guc_exec_queue_run_job() of v6.12 says so of a job of a long-running VM, which drm_sched then
/// ends at once: -EOPNOTSUPP, no failure.
constexpr std::int64_t not_supported = -95;

template <Fault fault> void on_fault(Xe& state, const trace::RawEvent& event)
{
    const auto own = find_key(state, event);
    const auto finished = find_finished(event);
    const auto& key = finished ? finished : own;
    const JobIndex job = key ? find_open(state, event, *key) : no_job;
    if (job != no_job && fault == Fault::Error &&
        static_cast<std::int32_t>(find_signed(event, field::Error).value_or(0)) == not_supported) {
        state.jobs.set_end_untold(job);
        return;
    }
    // a job that timed out or is banned gets an error as well
    if (job != no_job && (fault != Fault::Error || state.jobs.at(job).job.fault == Fault::None)) {
        state.jobs.set_fault(job, fault);
    }
}

constexpr std::array<EventSpec, 6> events{{
    {"xe_sched_job_exec", field::names, handler<on_exec>},
    {"xe_sched_job_run", field::names, handler<on_run>},
    {"xe_hw_fence_signal", field::names, handler<on_hw_signal>},
    {"xe_sched_job_timedout", field::names, handler<on_fault<Fault::TimedOut>>},
    {"xe_sched_job_set_error", field::names, handler<on_fault<Fault::Error>>},
    {"xe_sched_job_ban", field::names, handler<on_fault<Fault::Banned>>},
}};

} // namespace

EventFamily xe_family()
{
    return {"xe", events, {}, make_state<Xe>, false, firmware_words};
}

} // namespace lttng_gpu::model
