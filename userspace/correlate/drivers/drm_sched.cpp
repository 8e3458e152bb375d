// SPDX-License-Identifier: MIT
//
// Trace system drm_sched: the GPU scheduler shared by amdgpu, xe, v3d, msm,
// nouveau and others. Both generations of names carry the same facts; since
// v6.17 they are stable (drm_sched_job_queue, _run, _done), before that they
// were drm_sched_job, drm_run_job (v5.7) and drm_sched_process_job, and a fence
// pointer was the only identity unless the probe adds context and seqno. Where
// fences are recorded too, the one armed in the same thread names the pointer.
#include "credit_excess.hpp"
#include "event_family.hpp"
#include "firmware_rings.hpp"
#include "made_fences.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace lttng_gpu::model {
namespace {

namespace job_field {
enum : std::size_t { Context, Seqno, Fence, Name, Device, Driver, Id, OnHardware, Entity };
constexpr std::array<std::string_view, 9> names{
    "fence_context", "fence_seqno", "fence",        "name",  "dev",
    "driver",        "id",          "hw_job_count", "entity"};
} // namespace job_field

namespace dependency_field {
enum : std::size_t { Context, Seqno, OtherContext, OtherSeqno, Name, Id };
constexpr std::array<std::string_view, 6> names{"fence_context", "fence_seqno", "ctx",
                                                "seqno",         "name",        "id"};
} // namespace dependency_field

/// amdgpu_cs_submit() pushes the job right after its own event; no other call of
/// the thread fits into so little time, even where events are missing.
constexpr Duration longest_push{500};

/// drm_sched_fence_init() makes both fences one after the other; no other call of
/// the thread fits into so little time. Text has microseconds.
constexpr Duration longest_pair{1000};

struct DrmSched : FamilyState {
    explicit DrmSched(EventContext& context)
        : FamilyState{context}, observers{context.thread_observers},
          queue{jobs.add_step({Stage::Queued, true, true})}, run{jobs.add_step(
                                                                 {Stage::Submitted, true, true})},
          done{jobs.add_step({Stage::Completed, true, true})}, excess{jobs}
    {
        for (const std::string_view driver : firmware_drivers) {
            rings.add_firmware_driver(driver);
        }
    }

    const std::vector<ThreadObserver*>& observers;
    Step queue;
    Step run;
    Step done;
    PerThread<MadeFences> made_fences;
    bool has_made_fences = false; // of any thread
    CreditExcess excess;
    std::vector<bool> named; // by ring: whether its name tells the driver was looked at
};

/// The ring of a scheduler, whose name may tell the driver.
RingId known(DrmSched& state, RingId ring)
{
    if (ring.value() >= state.named.size()) {
        state.named.resize(ring.value() + 1ULL);
    }
    if (!state.named[ring.value()]) [[unlikely]] {
        state.named[ring.value()] = true;
        state.rings.set_driver(ring,
                               firmware_driver_of(state.rings.text(state.rings.at(ring).name)));
    }
    return ring;
}

/// Context and seqno where the event has them, else the fence pointer. Filled in
/// place, as copying what was just written is slow.
template <typename Event>
bool fill_identity(DrmSched& state, const trace::RawEvent& event, Event& out)
{
    const auto context = find_unsigned(event, job_field::Context);
    const auto seqno = find_unsigned(event, job_field::Seqno);
    out.job.trace = event.trace;
    if (context && seqno) {
        out.job.timeline = *context;
        out.job.seqno = *seqno;
        out.fence.context = FenceContext{*context};
        out.fence.seqno = FenceSeqno{*seqno};
        return true;
    }
    if (const auto pointer = find_unsigned(event, job_field::Fence)) {
        out.job.space = KeySpace::Pointer;
        out.job.timeline = *pointer;
        return true;
    }
    state.anomalies.count(Anomaly::EventWithoutIdentity);
    return false;
}

RingId ring_of(DrmSched& state, const trace::RawEvent& event, std::string_view name)
{
    return known(state, state.rings.intern(event.trace, find_text(event, job_field::Device), name));
}

/// The job, known by its fence, that the driver's own event has just told of, amdgpu_cs_ioctl.
JobIndex take_announced(DrmSched& state, const trace::RawEvent& event)
{
    ThreadNote* note = state.find_note(event);
    if (note == nullptr || note->announced.key) {
        return no_job;
    }
    const auto number = find_unsigned(event, job_field::Id);
    const bool has_numbers = number && note->announced.number;
    if (has_numbers && *number != *note->announced.number) {
        return no_job; // of another job of the same gang
    }
    const JobIndex job = state.jobs.jobs().get(note->announced.job);
    note->announced = {};
    if (job == no_job) {
        return no_job;
    }
    const TrackedJob& told = state.jobs.at(job);
    // a later event of the job, on another CPU, is no sign that this is it
    const Timestamp since = told.job.queued.value_or(told.last_event);
    const bool is_fence =
        told.state == JobState::Open && told.key_count > 0 && told.keys[0].space == KeySpace::Fence;
    const bool is_sure = has_numbers || event.time - since <= longest_push ||
                         state.jobs.has_stayed(event.trace, told.queued_on, since) ||
                         !state.jobs.is_lost_since(event.trace, since);
    return is_fence && is_sure ? job : no_job;
}

void disarm(MadeFences& made, const JobKey& fence)
{
    for (std::size_t at = 0; at < made.armed_count; ++at) {
        if (made.armed[at].key == fence) {
            made.disarm(at);
            return;
        }
    }
}

bool may_be_of(DrmSched& state, const ArmedFence& armed, RingId ring)
{
    return state.rings.at(ring).is_number || state.rings.is_same_name(armed.ring, ring);
}

/// The fence of this job may be one that was left alone of its pair. And where events are missing,
/// the first of several may be one whose job was pushed unseen.
bool is_choice(DrmSched& state, const trace::RawEvent& event, const MadeFences& made, RingId ring)
{
    const auto fitting =
        std::count_if(made.armed.begin(), made.armed.begin() + made.armed_count,
                      [&](const ArmedFence& armed) { return may_be_of(state, armed, ring); });
    return made.has_scheduled || (fitting > 1 && state.jobs.has_gaps(event.trace));
}

void name_by_armed(DrmSched& state, const trace::RawEvent& event, MadeFences& made, JobIndex job,
                   RingId ring)
{
    const bool is_unsure = is_choice(state, event, made, ring);
    for (std::size_t at = 0; at < made.armed_count;) {
        const ArmedFence armed = made.armed[at];
        if (!may_be_of(state, armed, ring)) {
            ++at;
            continue;
        }
        const bool is_sure =
            !is_unsure && (!state.jobs.is_lost_since(event.trace, armed.time) ||
                           state.jobs.has_stayed(event.trace, armed.cpu, armed.time));
        made.disarm(at);
        if (is_sure) {
            state.tell_name(ring, state.rings.text(state.rings.at(armed.ring).name),
                            NameSource::OtherEvent);
            join(state, job, armed.key);
            return;
        }
        state.jobs.note_unnamed(armed.key); // its job may have been pushed in the gap
    }
}

/// drm_sched_job_arm() and drm_sched_entity_push_job() are called in the same
/// thread and in the same order, so the oldest armed fence of the ring is it; and
/// what amdgpu_cs_ioctl has told of just before.
void name_by_thread(DrmSched& state, const trace::RawEvent& event, JobIndex job, RingId ring)
{
    if (!state.threads.tid_of(event)) [[unlikely]] {
        state.jobs.note_unknown_thread(event.trace);
        return;
    }
    MadeFences* made = state.has_made_fences ? state.find_note(state.made_fences, event) : nullptr;
    if (made != nullptr) {
        ++made->group_pushed;
        made->pushed = event.time;
    }
    const JobIndex told = take_announced(state, event);
    if (told != no_job) {
        const JobKey fence = state.jobs.at(told).keys[0];
        state.tell_name_of_job(told, ring);
        join(state, job, fence);
        if (made != nullptr) {
            disarm(*made, fence);
        }
    } else if (made != nullptr) {
        name_by_armed(state, event, *made, job, ring);
    }
}

/// The driver has told of the same job just before, by a key of its own: xe_sched_job_push().
void adopt_announced(DrmSched& state, const trace::RawEvent& event, JobIndex job)
{
    ThreadNote* note = state.jobs.has_seen(event.trace, state.jobs.steps().beside_scheduler)
                           ? state.find_note(event)
                           : nullptr;
    if (note == nullptr || !note->announced.key) {
        return;
    }
    const JobIndex told = state.jobs.jobs().get(note->announced.job);
    if (told != no_job && told != job && state.jobs.at(told).state == JobState::Open) {
        state.jobs.drop(told);
    }
    state.jobs.add_key(job, *note->announced.key);
    note->announced = {};
}

/// No event of the scheduler was joined to it yet.
bool is_told_by_amdgpu(DrmSched& state, JobIndex job)
{
    const TrackedJob& tracked = state.jobs.at(job);
    return tracked.state == JobState::Open && !tracked.id && !tracked.has_pointer &&
           tracked.key_count > 0 && tracked.keys[0].space == KeySpace::Fence;
}

/// The scheduler's number of the job; by it dependencies name the job. Gives the job, which may
/// turn out to be one that amdgpu told of.
JobIndex number(DrmSched& state, const trace::RawEvent& event, JobIndex job, RingId ring)
{
    if (const auto id = find_unsigned(event, job_field::Id)) {
        state.jobs.at(job).id = *id;
        state.jobs.at(job).entity = find_unsigned(event, job_field::Entity).value_or(0);
        const JobKey key = scheduler_number_key(event.trace, ring, *id);
        const JobIndex same = state.jobs.find_open(key);
        if (same != no_job && same != job && state.jobs.at(same).entity != 0 &&
            state.jobs.at(same).entity != state.jobs.at(job).entity) {
            state.jobs.note_same_number(ring);
        }
        if (same != no_job && same != job && is_told_by_amdgpu(state, same) &&
            state.is_one_ring(ring)) {
            join(state, job, state.jobs.at(same).keys[0]);
            const JobIndex joined = state.jobs.find_open(key); // either of the two
            job = joined != no_job ? joined : job;
        }
        state.jobs.add_key(job, key);
        const bool is_queued = state.jobs.at(job).job.queued.has_value();
        state.jobs.note_number_on_ring(ring, event.trace, *id, event.time, is_queued);
    } else {
        state.jobs.note_unnumbered(event.trace);
    }
    return job;
}

/// The pointer is the same, but the scheduler's number of the job is another, or its
/// entity, as two devices may have equal numbers: a new job, and the end of the old
/// one was not seen.
void end_reused(DrmSched& state, const trace::RawEvent& event, const JobKey& pointer, RingId ring)
{
    const auto id = find_unsigned(event, job_field::Id);
    const JobIndex job = id ? state.jobs.find_open(pointer) : no_job;
    if (job == no_job || state.jobs.at(job).state != JobState::Open || !state.jobs.at(job).id) {
        return;
    }
    const auto& on = state.jobs.at(job).job.ring;
    const std::uint64_t entity = find_unsigned(event, job_field::Entity).value_or(0);
    const bool is_comparable =
        on && state.rings.at(*on).is_number == state.rings.at(ring).is_number;
    if (*state.jobs.at(job).id != *id || state.jobs.at(job).entity != entity ||
        (is_comparable && !state.rings.is_same_name(*on, ring))) {
        state.jobs.give_up(job, Anomaly::FencePointerReused);
    }
}

/// The event has a number where amdgpu's own event may have told the job's ring by its name.
RingId named_ring(DrmSched& state, const JobKey& key, RingId number)
{
    if (!state.rings.has_numbers_and_names() || !state.rings.at(number).is_number) {
        return number;
    }
    const JobIndex job = state.jobs.find_open(key);
    state.tell_name_of_job(job, number);
    const bool is_named = job != no_job && state.jobs.at(job).job.ring &&
                          state.rings.is_same_name(*state.jobs.at(job).job.ring, number);
    return is_named ? *state.jobs.at(job).job.ring : number;
}

/// drm_sched_entity_push_job(), in the submitting thread.
void on_queue(DrmSched& state, const trace::RawEvent& event)
{
    JobQueued queued;
    if (!fill_identity(state, event, queued)) {
        return;
    }
    state.jobs.note_seen(event.trace, state.queue);
    const NameText name{event.fields[job_field::Name]};
    queued.ring = ring_of(state, event, name.text());
    queued.actor = state.actor_of(event);
    if (queued.job.space == KeySpace::Pointer) {
        end_reused(state, event, queued.job, queued.ring);
    }
    const RingId told = queued.ring;
    queued.ring = named_ring(state, queued.job, told);
    JobIndex job = state.jobs.queued(event.time, state.queue, queued);
    if (job == no_job) {
        return;
    }
    if (queued.job.space == KeySpace::Pointer) {
        job = number(state, event, job, told);
        name_by_thread(state, event, job, told);
    }
    if (state.jobs.at(job).state == JobState::Open) {
        adopt_announced(state, event, job);
    }
}

/// Just before the driver's run_job(), in the scheduler's worker.
JobIndex run(DrmSched& state, const trace::RawEvent& event)
{
    JobSubmitted submitted;
    if (!fill_identity(state, event, submitted)) {
        return no_job;
    }
    state.jobs.note_seen(event.trace, state.run);
    const NameText name{event.fields[job_field::Name]};
    submitted.ring = ring_of(state, event, name.text());
    state.rings.set_driver(submitted.ring, find_text(event, job_field::Driver));
    if (submitted.job.space == KeySpace::Pointer) {
        end_reused(state, event, submitted.job, submitted.ring);
    }
    const RingId told = submitted.ring;
    submitted.ring = named_ring(state, submitted.job, told);
    JobIndex job = state.jobs.submitted(event.time, state.run, submitted);
    if (job != no_job && submitted.job.space == KeySpace::Pointer && !state.jobs.at(job).id) {
        job = number(state, event, job, told);
    }
    const bool tells_all = state.rings.has_device(submitted.ring) &&
                           !state.rings.at(submitted.ring).is_firmware_scheduled &&
                           !state.jobs.has_seen(event.trace, state.jobs.steps().beside_scheduler);
    if (job == no_job || tells_all) {
        return job;
    }
    if (ThreadNote* note = state.note_of(event)) {
        note->last_run = state.jobs.jobs().ref(job); // what comes next there is of this job
    }
    return job;
}

/// hw_job_count of an event of run: drm_sched_main(), since 6.8 drm_sched_run_job_work(), has just
/// added this job, or its credits (drm_sched_job_init() refuses a job without any).
void claim_depth(DrmSched& state, const trace::RawEvent& event, JobIndex job)
{
    const auto counted = find_unsigned(event, job_field::OnHardware);
    if (job == no_job || !counted || !state.jobs.at(job).is_in_fifo) {
        return;
    }
    const RingId ring = *state.jobs.at(job).job.ring;
    const bool are_jobs = state.shared_rings.has_job_counts(event.trace);
    const bool has_gaps = state.jobs.has_gaps(event.trace);
    if (!are_jobs && !state.rings.has_device(ring)) {
        state.excess.on_submitted(event.trace, ring, event.time, *counted);
    }
    if (!are_jobs && (!has_gaps || !state.is_one_ring(ring))) {
        return; // the name may be that of two rings; or nothing is doubtful
    }
    const DepthUnit unit = are_jobs ? DepthUnit::Jobs : DepthUnit::Credits;
    const auto oldest = state.jobs.fifo(ring).oldest();
    const bool is_sure = !state.jobs.is_lost_since(event.trace, oldest.value_or(event.time));
    state.jobs.claim_depth(job, *counted, unit, is_sure);
}

void on_run(DrmSched& state, const trace::RawEvent& event)
{
    const JobIndex job = run(state, event);
    if (job != no_job && !state.observers.empty()) {
        state.jobs.at(job).job.submitter = state.threads.tid_of(event);
    }
    claim_depth(state, event, job);
}

void tell_end_of_excess(DrmSched& state, Timestamp time, JobIndex ending)
{
    const auto ring = ending != no_job ? state.jobs.at(ending).job.ring : Known<RingId>{};
    if (ring && !state.rings.has_device(*ring)) {
        state.excess.on_ended(*ring, time);
    }
}

/// drm_sched_job_done(), just before the finished fence is signaled.
void on_done(DrmSched& state, const trace::RawEvent& event)
{
    JobCompleted completed;
    if (fill_identity(state, event, completed)) {
        if (!state.excess.is_unused()) {
            tell_end_of_excess(state, event.time, state.jobs.find_open(completed.job));
        }
        state.jobs.note_seen(event.trace, state.done);
        state.jobs.completed(event.time, state.done, completed);
    }
}

/// Up to v6.16. Where xe's run_job() returns no fence, as for long-running VMs on v6.12, drm_sched
/// ends the job in the thread that has just run it, drm_sched_run_job_work().
void on_processed(DrmSched& state, const trace::RawEvent& event)
{
    JobCompleted completed;
    const ThreadNote* note = state.find_note(event);
    const JobIndex run = note != nullptr ? state.jobs.jobs().get(note->last_run) : no_job;
    if (run != no_job && state.jobs.at(run).state == JobState::Open &&
        fill_identity(state, event, completed) && state.jobs.find_open(completed.job) == run) {
        const auto& ring = state.jobs.at(run).job.ring;
        if (ring && state.rings.text(state.rings.at(*ring).driver) == "xe") {
            state.jobs.set_end_untold(run);
        }
    }
    on_done(state, event);
}

void add_dependency(DrmSched& state, const trace::RawEvent& event, bool is_blocking)
{
    const auto context = find_unsigned(event, dependency_field::Context);
    const auto seqno = find_unsigned(event, dependency_field::Seqno);
    const auto id = find_unsigned(event, dependency_field::Id);
    const auto other_context = find_unsigned(event, dependency_field::OtherContext);
    const auto other_seqno = find_unsigned(event, dependency_field::OtherSeqno);
    if ((!(context && seqno) && !id) || !other_context || !other_seqno) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return;
    }
    JobKey key;
    if (context && seqno) {
        key = fence_key(event.trace, *context, *seqno);
    } else {
        const NameText name{event.fields[dependency_field::Name]};
        key = scheduler_number_key(event.trace, state.rings.intern(event.trace, "", name.text()),
                                   *id);
    }
    const JobIndex job = state.jobs.find(key);
    if (job == no_job) {
        state.anomalies.count(Anomaly::DependencyOfUnknownJob);
    } else if (state.jobs.at(job).state == JobState::Open) {
        state.jobs.dependencies().add(
            event.time, job, fence_key(event.trace, *other_context, *other_seqno), is_blocking);
    }
}

/// drm_sched_entity_push_job(), once per dependency.
void on_add_dependency(DrmSched& state, const trace::RawEvent& event)
{
    add_dependency(state, event, false);
}

/// drm_sched_entity_add_dependency_cb(); up to 6.16 drm_sched_entity_pop_job().
void on_blocked(DrmSched& state, const trace::RawEvent& event)
{
    add_dependency(state, event, true);
}

/// The init of the finished fence must have followed at once. The first of a thread may be such a
/// one itself, when the trace began between the two.
void report_unpaired(DrmSched& state, TraceId trace, const MadeFences& made)
{
    if (!made.has_scheduled || made.is_scheduled_first ||
        state.jobs.has_seen(trace, state.jobs.steps().scheduler_jobs()) ||
        state.jobs.find(made.scheduled) != no_job) {
        return;
    }
    state.jobs.note_missing_queue(trace, {made.scheduled_time, made.scheduled_time});
}

/// A thread arms one job or several, pushes all of them, and only then makes the next fences. So
/// the push of one that is left is missing, and which one that is, is not known.
void begin_group(DrmSched& state, TraceId trace, MadeFences& made)
{
    if (made.group_pushed == 0) {
        return;
    }
    const bool is_gap_known = state.jobs.is_lost_since(trace, made.group_begun);
    if (made.group_pushed < made.group_armed && !is_gap_known) {
        state.jobs.note_missing_queue(trace, {made.pushed, made.pushed}); // about then
    }
    for (; made.armed_count > 0; made.disarm(0)) {
        state.jobs.note_unnamed(made.armed[0].key);
    }
    made.group_armed = 0;
    made.group_pushed = 0;
}

/// drm_sched_fence_init(): first the scheduled fence, then, with the next context
/// and the same seqno, the finished fence. Only the pair tells which is which.
void on_scheduler_fence(DrmSched& state, const FenceEvent& fence)
{
    MadeFences* made = state.note_of(state.made_fences, fence.event);
    if (made == nullptr) {
        return;
    }
    if (made->has_scheduled && made->scheduled == fence.key) {
        return; // both upstream's and our probe are recorded
    }
    const Timestamp time = fence.event.time;
    const TraceId trace = fence.event.trace;
    begin_group(state, trace, *made);
    // after a gap the first may be either of a pair; both are made in one go
    const bool is_sure = !state.jobs.is_lost_since(
        trace, made->last_init.value_or(Timestamp{std::numeric_limits<std::int64_t>::min()}));
    const bool has_earlier = made->last_init.has_value();
    made->last_init = time;
    JobKey expected = made->scheduled;
    ++expected.timeline;
    const bool is_pair = made->has_scheduled && expected == fence.key &&
                         (made->is_scheduled_sure || time - made->scheduled_time <= longest_pair);
    if (!is_pair) {
        report_unpaired(state, trace, *made);
        made->scheduled = fence.key;
        made->has_scheduled = true;
        made->is_scheduled_sure = is_sure;
        made->is_scheduled_first = !has_earlier;
        made->scheduled_time = time;
        return;
    }
    made->has_scheduled = false;
    const RingId ring = known(state, timeline_ring(state, fence, ""));
    ArmedFence armed{fence.key, ring, {}, time, fence.event.cpu};
    const StepSet told_by = state.jobs.steps().scheduler_jobs();
    if (!state.jobs.has_seen(trace, told_by)) {
        const JobIndex job =
            open_fence_job(state, fence, told_by, ring, state.actor_of(fence.event));
        if (job == no_job) {
            return;
        }
        state.jobs.at(job).job.queued = fence.event.time;
        state.jobs.submit_if_scheduled(job, fence.key);
        armed.tentative = state.jobs.jobs().ref(job);
    }
    if (made->group_armed == 0) {
        made->group_begun = made->scheduled_time;
    }
    ++made->group_armed;
    made->arm(armed);
    state.has_made_fences = true;
}

constexpr std::array<EventSpec, 9> events{{
    {"drm_sched_job_queue", job_field::names, handler<on_queue>},
    {"drm_sched_job_run", job_field::names, handler<on_run>},
    {"drm_sched_job_done", job_field::names, handler<on_done>, false, false},
    {"drm_sched_job_add_dep", dependency_field::names, handler<on_add_dependency>, false, false},
    {"drm_sched_job_unschedulable", dependency_field::names, handler<on_blocked>, false, false},
    {"drm_sched_job", job_field::names, handler<on_queue>},
    {"drm_run_job", job_field::names, handler<on_run>},
    {"drm_sched_process_job", job_field::names, handler<on_processed>},
    {"drm_sched_job_wait_dep", dependency_field::names, handler<on_blocked>, false, false},
}};
constexpr std::array<FenceSpec, 2> fences{{
    {"drm_sched", fence_handler<on_scheduler_fence>, nullptr, FenceOwner::Scheduler},
    {"amd_sched", fence_handler<on_scheduler_fence>, nullptr, FenceOwner::Scheduler}, // to v4.16
}};

} // namespace

EventFamily drm_sched_family()
{
    return {"drm_sched", events, fences, make_state<DrmSched>};
}

} // namespace lttng_gpu::model
