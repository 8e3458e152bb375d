// SPDX-License-Identifier: MIT
//
// Trace system amdgpu: its own events of the jobs that drm_sched runs for it.
// Context and seqno are those of the finished fence, so they name the same job as
// drm_sched's events: amdgpu_cs_ioctl comes just before drm_sched_job_queue in the
// same thread, amdgpu_sched_run_job just after drm_sched_job_run.
#include "event_family.hpp"

namespace lttng_gpu::model {
namespace {

namespace job_field {
enum : std::size_t { Context, Seqno, KernelRing, Ring, Device, Timeline, SchedulerNumber };
constexpr std::array<std::string_view, 7> names{"context", "seqno",    "ring_name",   "ring",
                                                "dev",     "timeline", "sched_job_id"};
} // namespace job_field

namespace sync_field {
enum : std::size_t { Ring, Name, Context, Seqno };
constexpr std::array<std::string_view, 4> names{"ring", "name", "ctx", "seqno"};
} // namespace sync_field

/// From drm_run_job to amdgpu_sched_run_job, which follows at once.
constexpr Duration longest_call{100'000};

struct Amdgpu : FamilyState {
    explicit Amdgpu(EventContext& context)
        : FamilyState{context}, queue{jobs.add_step({Stage::Queued, true})},
          run{jobs.add_step({Stage::Submitted, true})}, hardware_fence{
                                                            jobs.add_step({.tells_ring = true})}
    {
    }

    Step queue;
    Step run;
    Step hardware_fence;
};

/// The kernel's events have the ring as ring_name and, before 6.17, cut numbers.
bool is_kernel_event(const trace::RawEvent& event)
{
    return event.fields[job_field::KernelRing].kind() != trace::FieldValue::Kind::None;
}

std::optional<JobKey> find_key(Amdgpu& state, const trace::RawEvent& event)
{
    const auto context = find_unsigned(event, job_field::Context);
    const auto seqno = find_unsigned(event, job_field::Seqno);
    if (!context || !seqno) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return {};
    }
    constexpr std::uint64_t longest_cut = 0xffffffff;
    const bool is_cut = is_kernel_event(event) && *context <= longest_cut && *seqno <= longest_cut;
    return fence_key(event.trace, *context, *seqno, is_cut);
}

RingId ring_of(Amdgpu& state, const trace::RawEvent& event)
{
    const NameText name{
        event.fields[is_kernel_event(event) ? job_field::KernelRing : job_field::Ring]};
    const RingId ring =
        state.rings.intern(event.trace, find_text(event, job_field::Device), name.text());
    state.rings.set_driver(ring, "amdgpu");
    // up to v5.4 ring_name is a pointer; the timeline is the name of the job's scheduler, which
    // amdgpu_fence_driver_init_ring() called after the ring
    state.tell_name(ring, find_text(event, job_field::Timeline), NameSource::OwnEvent);
    return ring;
}

/// Where one ring has the name: by it the scheduler's events of the job are found.
std::optional<JobKey> find_number_key(Amdgpu& state, const trace::RawEvent& event)
{
    const auto number = find_unsigned(event, job_field::SchedulerNumber);
    const RingId ring = ring_of(state, event);
    if (!number || !state.is_one_ring(ring)) {
        return {};
    }
    return scheduler_number_key(event.trace, ring, *number);
}

/// amdgpu_cs_submit(), in the submitting thread.
void on_cs_ioctl(Amdgpu& state, const trace::RawEvent& event)
{
    if (const auto key = find_key(state, event)) {
        state.jobs.note_seen(event.trace, state.queue);
        const JobIndex job =
            state.jobs.queued(event.time, state.queue,
                              {*key, fence_id(*key), ring_of(state, event), state.actor_of(event)});
        if (const auto number = find_number_key(state, event); number && job != no_job) {
            state.jobs.add_key(job, *number);
        }
        ThreadNote* note = job != no_job ? state.note_of(event) : nullptr;
        if (note != nullptr) {
            note->announced = {
                state.jobs.jobs().ref(job), find_unsigned(event, job_field::SchedulerNumber), {}};
        }
    }
}

/// drm_run_job has told of this job just before, in the same worker.
bool is_of_one_call(Amdgpu& state, const trace::RawEvent& event, const TrackedJob& run)
{
    const Duration since = event.time - run.last_event;
    const auto number = find_unsigned(event, job_field::SchedulerNumber);
    if (number && run.id) {
        return *number == *run.id;
    }
    return state.jobs.has_stayed(event.trace, run.submitted_on, run.last_event) ||
           (since <= longest_call && !state.jobs.is_lost_since(event.trace, run.last_event));
}

/// Of a job that was run before, this run is none.
void join_run(Amdgpu& state, JobIndex run, const JobKey& fence)
{
    const JobIndex known = state.jobs.find_open(fence);
    if (known == no_job || state.jobs.at(known).is_tentative ||
        !state.jobs.at(known).job.submitted) {
        join(state, run, fence);
    }
}

/// drm_sched told of this job by its pointer, but what that event came just after or before is
/// missing.
void join_by_number(Amdgpu& state, const trace::RawEvent& event, const JobKey& fence)
{
    const auto number = find_number_key(state, event);
    const JobIndex numbered = number ? state.jobs.find_open(*number) : no_job;
    if (numbered == no_job || state.jobs.at(numbered).timeline != no_job) {
        return;
    }
    join_run(state, numbered, fence);
}

/// amdgpu_job_run(), in the scheduler's worker.
void on_run_job(Amdgpu& state, const trace::RawEvent& event)
{
    const auto key = find_key(state, event);
    if (!key) {
        return;
    }
    state.jobs.note_seen(event.trace, state.run);
    ThreadNote* note = state.note_of(event);
    const JobIndex run = note != nullptr ? state.jobs.jobs().get(note->last_run) : no_job;
    if (run != no_job && state.jobs.at(run).state == JobState::Open &&
        state.jobs.at(run).key_count > 0 && state.jobs.at(run).keys[0].space == KeySpace::Pointer &&
        is_of_one_call(state, event, state.jobs.at(run))) {
        join_run(state, run, *key); // drm_run_job has just told of it by its pointer
    }
    const RingId ring = ring_of(state, event);
    join_by_number(state, event, *key);
    if (state.rings.has_numbers_and_names()) {
        state.tell_name_of_job(state.jobs.find_open(*key), ring);
    }
    const JobIndex job = state.jobs.submitted(event.time, state.run, {*key, fence_id(*key), ring});
    if (note != nullptr && job != no_job) {
        note->last_run = state.jobs.jobs().ref(job);
    }
}

/// amdgpu_ib_schedule(), called by amdgpu_job_run(): the job is on its ring, which
/// first waits for this fence.
void on_pipe_sync(Amdgpu& state, const trace::RawEvent& event)
{
    const auto context = find_unsigned(event, sync_field::Context);
    const auto seqno = find_unsigned(event, sync_field::Seqno);
    const ThreadNote* note = state.find_note(event);
    const JobIndex job = note != nullptr ? state.jobs.jobs().get(note->last_run) : no_job;
    if (!context || !seqno) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
    } else if (job == no_job || state.jobs.at(job).state != JobState::Open) {
        state.anomalies.count(Anomaly::DependencyOfUnknownJob);
    } else {
        state.jobs.dependencies().add(event.time, job, fence_key(event.trace, *context, *seqno),
                                      false);
    }
}

/// The name turned out to be that of two rings. A job whose hardware fence was not
/// seen yet, or may lie in a gap, is on either.
void leave_unresolved(Amdgpu& state, TraceId trace, RingId first)
{
    const std::string name{state.rings.text(state.rings.at(first).name)};
    const RingId bare = state.rings.intern(trace, "", name);
    OpenJobs& jobs = state.jobs.jobs();
    for (JobIndex job = 0; job < jobs.capacity(); ++job) {
        const TrackedJob& tracked = jobs[job];
        if (tracked.state == JobState::Open && tracked.job.ring == first &&
            (!tracked.job.submitted || state.jobs.is_lost_since(trace, *tracked.job.submitted))) {
            state.jobs.move_to(job, bare);
        }
    }
}

/// amdgpu_fence_emit(), called by run_job(): the hardware fence of the job that
/// this thread has just run. Each ring of each device has a context of its own,
/// which tells devices apart where the events do not name them.
void on_hardware_fence(Amdgpu& state, const FenceEvent& fence)
{
    ThreadNote* note = state.find_note(fence.event);
    const JobIndex job = note != nullptr ? state.jobs.jobs().get(note->last_run) : no_job;
    if (job == no_job || state.jobs.at(job).state != JobState::Open ||
        !state.jobs.at(job).job.ring) {
        return;
    }
    const RingId ring = *state.jobs.at(job).job.ring;
    // fence->ring->name, amdgpu_fence_get_timeline_name()
    state.tell_name(ring, fence.timeline, NameSource::OtherEvent);
    const std::string_view device = state.rings.text(state.rings.at(ring).device);
    const bool has_real_device = !device.empty() && device.front() != '?';
    if (has_real_device || state.rings.text(state.rings.at(ring).name) != fence.timeline) {
        return;
    }
    note->last_run = {};
    state.jobs.at(job).steps |= set_of(state.hardware_fence);
    if (!state.jobs.note_hardware(fence.event.trace, fence.timeline, fence.key.timeline)) {
        return;
    }
    const bool was_single = device.empty();
    const RingId resolved = state.shared_rings.resolve(ring, fence.key.timeline);
    if (resolved != ring) {
        state.jobs.move_to(job, resolved);
    }
    if (was_single && state.rings.has_device(ring)) {
        leave_unresolved(state, fence.event.trace, ring);
    }
}

constexpr std::array<EventSpec, 3> events{{
    {"amdgpu_cs_ioctl", job_field::names, handler<on_cs_ioctl>},
    {"amdgpu_sched_run_job", job_field::names, handler<on_run_job>},
    {"amdgpu_ib_pipe_sync", sync_field::names, handler<on_pipe_sync>},
}};
constexpr std::array<FenceSpec, 1> fences{{
    {"amdgpu", fence_handler<on_hardware_fence>, fence_handler<on_hardware_fence>},
}};

} // namespace

EventFamily amdgpu_family()
{
    return {"amdgpu", events, fences, make_state<Amdgpu>, false, drm_scheduler_words};
}

} // namespace lttng_gpu::model
