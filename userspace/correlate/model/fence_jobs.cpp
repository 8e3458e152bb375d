// SPDX-License-Identifier: MIT
//
// See fence_jobs.hpp. One function per way in which drivers use fences.
#include "fence_jobs.hpp"

#include "fence_driver.hpp"

#include <charconv>
#include <limits>

namespace lttng_gpu::model {
namespace {

/// drm_sched_fence_init() makes both fences one after the other; no other call of
/// the thread fits into so little time. Text has microseconds.
constexpr Duration longest_pair{1000};

/// Opens a tentative job of this fence; no_job if it has one already.
JobIndex open_job(NormaliserState& state, const FenceEvent& fence, Teller teller, RingId ring,
                  const Actor& actor)
{
    if (state.jobs.find(fence.key) != no_job) {
        return no_job; // both upstream's and our probe are recorded
    }
    const JobIndex job = state.jobs.open_tentative(fence.event.time, fence.event.trace, teller);
    state.jobs.add_key(job, fence.key);
    TrackedJob& tracked = state.jobs.at(job);
    tracked.job.fence = fence_id(fence.key);
    tracked.job.ring = ring;
    tracked.job.actor = actor;
    return job;
}

RingId timeline_ring(NormaliserState& state, const FenceEvent& fence, std::string_view driver)
{
    const RingId ring = state.rings.intern(fence.event.trace, "", fence.timeline);
    state.rings.set_driver(ring, driver);
    return ring;
}

/// i915 calls the timeline of a user's context comm[pid], i915_gem_context.c.
Actor actor_of_timeline(NormaliserState& state, std::string_view timeline)
{
    Actor actor;
    const std::size_t open = timeline.rfind('[');
    if (open == std::string_view::npos || open == 0) {
        return actor;
    }
    const char* const end = timeline.data() + timeline.size() - 1;
    std::int64_t pid = 0;
    const auto parsed = std::from_chars(timeline.data() + open + 1, end, pid);
    if (parsed.ec == std::errc{} && parsed.ptr == end) {
        actor.pid = Pid{pid};
        actor.comm = state.texts.of(timeline.substr(0, open));
    }
    return actor;
}

/// The name turned out to be that of two rings. A job whose hardware fence was not
/// seen yet, or may lie in a gap, is on either.
void leave_unresolved(NormaliserState& state, TraceId trace, RingId first)
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

/// The init of the finished fence must have followed at once. The first of a thread may be such a
/// one itself, when the trace began between the two.
void report_unpaired(NormaliserState& state, const FenceEvent& next, const ThreadNote& note)
{
    const TraceId trace = next.event.trace;
    if (!note.has_scheduled || note.is_scheduled_first ||
        state.jobs.has(trace, Teller::Scheduler) || state.jobs.find(note.scheduled) != no_job) {
        return;
    }
    state.jobs.note_missing_queue(trace, {note.scheduled_time, note.scheduled_time});
}

} // namespace

/// drm_sched_fence_init(): first the scheduled fence, then, with the next context
/// and the same seqno, the finished fence. Only the pair tells which is which.
void on_scheduler_fence(NormaliserState& state, const FenceEvent& fence)
{
    ThreadNote* note = state.note_of(fence.event);
    if (note == nullptr) {
        return;
    }
    if (note->has_scheduled && note->scheduled == fence.key) {
        return; // both upstream's and our probe are recorded
    }
    const Timestamp time = fence.event.time;
    const TraceId trace = fence.event.trace;
    // after a gap the first may be either of a pair; both are made in one go
    const bool is_sure = !state.jobs.is_lost_since(
        trace, note->last_init.value_or(Timestamp{std::numeric_limits<std::int64_t>::min()}));
    const bool has_earlier = note->last_init.has_value();
    note->last_init = time;
    JobKey expected = note->scheduled;
    ++expected.timeline;
    const bool is_pair = note->has_scheduled && expected == fence.key &&
                         (note->is_scheduled_sure || time - note->scheduled_time <= longest_pair);
    if (!is_pair) {
        report_unpaired(state, fence, *note);
        note->scheduled = fence.key;
        note->has_scheduled = true;
        note->is_scheduled_sure = is_sure;
        note->is_scheduled_first = !has_earlier;
        note->scheduled_time = time;
        return;
    }
    note->has_scheduled = false;
    const RingId ring = timeline_ring(state, fence, "");
    ArmedFence armed{fence.key, ring, {}, time, fence.event.cpu};
    if (!state.jobs.has(trace, Teller::Scheduler)) {
        const JobIndex job =
            open_job(state, fence, Teller::Scheduler, ring, state.actor_of(fence.event));
        if (job == no_job) {
            return;
        }
        state.jobs.at(job).job.queued = fence.event.time;
        state.jobs.submit_if_scheduled(job, fence.key);
        armed.tentative = state.jobs.jobs().ref(job);
    }
    note->arm(armed);
}

/// amdgpu_fence_emit(), called by run_job(): the hardware fence of the job that
/// this thread has just run. Each ring of each device has a context of its own,
/// which tells devices apart where the events do not name them.
void on_hardware_fence(NormaliserState& state, const FenceEvent& fence)
{
    ThreadNote* note = state.find_note(fence.event);
    const JobIndex job = note != nullptr ? state.jobs.jobs().get(note->last_run) : no_job;
    if (job == no_job || state.jobs.at(job).state != JobState::Open ||
        !state.jobs.at(job).job.ring) {
        return;
    }
    const RingId ring = *state.jobs.at(job).job.ring;
    // fence->ring->name, amdgpu_fence_get_timeline_name()
    state.tell_name(ring, fence.timeline, NameTeller::Neighbour);
    const std::string_view device = state.rings.text(state.rings.at(ring).device);
    const bool has_real_device = !device.empty() && device.front() != '?';
    if (has_real_device || state.rings.text(state.rings.at(ring).name) != fence.timeline) {
        return;
    }
    note->last_run = {};
    state.jobs.at(job).is_ring_told = true;
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

/// __i915_request_create(). The fence does not say the engine.
void on_i915_fence(NormaliserState& state, const FenceEvent& fence)
{
    if (state.jobs.has(fence.event.trace, Teller::I915)) {
        return;
    }
    const std::string_view device = is_pci_name(fence.driver) ? fence.driver : "";
    const RingId ring = state.rings.intern(fence.event.trace, device, "");
    state.rings.set_driver(ring, "i915");
    state.rings.at(ring).is_fifo = false;
    const JobIndex job =
        open_job(state, fence, Teller::I915, ring, actor_of_timeline(state, fence.timeline));
    if (job != no_job) {
        state.jobs.at(job).job.queued = fence.event.time;
    }
}

void on_plain_fence(NormaliserState& state, const FenceEvent& fence)
{
    const RingId ring = timeline_ring(state, fence, fence.driver);
    const JobIndex job = open_job(state, fence, Teller::None, ring, state.actor_of(fence.event));
    if (job != no_job) {
        state.jobs.submit(job, fence.event.time, ring);
    }
}

/// virtio_gpu_fence_alloc(); the fence has no seqno yet.
void on_virtio_fence(NormaliserState& state, const FenceEvent& fence)
{
    ThreadNote* note = state.note_of(fence.event);
    if (note == nullptr) {
        return;
    }
    state.jobs.note(fence.event.trace, Teller::VirtioFences);
    VirtioFence& virtio = note->virtio;
    const JobIndex old = state.jobs.jobs().get(virtio.tentative);
    if (old != no_job && state.jobs.at(old).is_unnamed) {
        if (virtio.context == fence.key.timeline && state.jobs.at(old).begun == fence.event.time) {
            return;
        }
        state.jobs.drop_tentative(old, Anomaly::SubmissionAbandoned);
    }
    const JobIndex job =
        state.jobs.open_tentative(fence.event.time, fence.event.trace, Teller::Virtio);
    TrackedJob& tracked = state.jobs.at(job);
    tracked.is_unnamed = true;
    tracked.job.ring = timeline_ring(state, fence, "virtio_gpu");
    tracked.job.actor = state.actor_of(fence.event);
    tracked.job.queued = fence.event.time;
    virtio = {fence.key.timeline, {}, state.jobs.jobs().ref(job), true};
}

/// virtio_gpu_fence_emit(), immediately before the command.
void on_virtio_emit(NormaliserState& state, const FenceEvent& fence)
{
    VirtioFence* virtio = state.find_virtio_fence(fence.event);
    if (virtio == nullptr || state.jobs.find(fence.key) != no_job) {
        return;
    }
    JobIndex job = state.jobs.jobs().get(virtio->tentative);
    const bool is_same = virtio->is_under_way && virtio->context == fence.key.timeline &&
                         job != no_job && state.jobs.at(job).is_unnamed &&
                         !state.jobs.is_lost_since(fence.event.trace, state.jobs.at(job).begun);
    const RingId ring = timeline_ring(state, fence, "virtio_gpu");
    if (is_same) {
        state.jobs.add_key(job, fence.key);
        state.jobs.at(job).job.fence = fence_id(fence.key);
        state.jobs.at(job).is_unnamed = false;
    } else {
        job = open_job(state, fence, Teller::Virtio, ring, {});
    }
    state.jobs.add_key(job, virtio_fence_key(fence.key.trace, fence.key.seqno, fence.key.is_cut));
    state.jobs.submit(job, fence.event.time, ring);
    *virtio = {fence.key.timeline, FenceSeqno{fence.key.seqno}, state.jobs.jobs().ref(job), true};
}

} // namespace lttng_gpu::model
