// SPDX-License-Identifier: MIT
//
// Trace system amdxdna: AMD's NPUs, on drm_sched. amdxdna_job (xdna_job, as the kernel calls it)
// names the finished fence of drm_sched and says what was done: "sent to device" just after
// drm_sched_job_run in the same worker, aie2_sched_job_run(), and, when the device has answered,
// "signaling fence" (up to v6.19 "signaled fence"), aie2_sched_notify(). Messages of the mailbox
// (mbox_*) name no job.
#include "event_family.hpp"

namespace lttng_gpu::model {
namespace {

namespace field {
enum : std::size_t { What, Context, Seqno };
constexpr std::array<std::string_view, 3> names{"str", "fence_context", "fence_seqno"};
} // namespace field

struct Amdxdna : FamilyState {
    explicit Amdxdna(EventContext& context)
        : FamilyState{context}, run{jobs.add_step({Stage::Submitted, true})},
          answer{jobs.add_step({Stage::Completed})}
    {
    }

    Step run;
    Step answer;
};

/// What drm_sched's events call it, aie2_hwctx_init().
RingId ring_of(Amdxdna& state, TraceId trace)
{
    const RingId ring = state.rings.intern(trace, "", "amdxdna_js");
    state.rings.set_driver(ring, "amdxdna");
    state.rings.at(ring).is_fifo = false;
    return ring;
}

/// Each hardware context has a scheduler of that name, and they run side by side.
void note_ring(Amdxdna& state, JobIndex job)
{
    if (job == no_job || !state.jobs.at(job).job.ring) {
        return;
    }
    const RingId ring = *state.jobs.at(job).job.ring;
    state.rings.set_driver(ring, "amdxdna");
    state.rings.at(ring).is_fifo = false;
    state.jobs.fifo(ring).set_unordered();
}

/// drm_sched told of it by its pointer just before.
void join_run(Amdxdna& state, const trace::RawEvent& event, const JobKey& fence)
{
    const ThreadNote* note = state.find_note(event);
    const JobIndex run = note != nullptr ? state.jobs.jobs().get(note->last_run) : no_job;
    if (run == no_job || state.jobs.at(run).state != JobState::Open ||
        state.jobs.at(run).timeline != no_job ||
        state.jobs.is_lost_since(event.trace, state.jobs.at(run).last_event)) {
        return;
    }
    join(state, run, fence);
}

void on_answer(Amdxdna& state, const trace::RawEvent& event, const JobKey& key)
{
    const JobIndex job = state.jobs.find(key);
    if (job != no_job && state.jobs.at(job).has_pointer) {
        return; // drm_sched_process_job comes next and has nothing but that
    }
    state.jobs.completed(event.time, state.answer, {key, fence_id(key), {}});
}

void on_job(Amdxdna& state, const trace::RawEvent& event)
{
    const auto context = find_unsigned(event, field::Context);
    const auto seqno = find_unsigned(event, field::Seqno);
    if (!context || !seqno) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return;
    }
    const JobKey key = fence_key(event.trace, *context, *seqno);
    const std::string_view what = find_text(event, field::What);
    if (what == "sent to device") {
        state.jobs.note_seen(event.trace, state.run);
        join_run(state, event, key);
        note_ring(state, state.jobs.submitted(event.time, state.run,
                                              {key, fence_id(key), ring_of(state, event.trace)}));
    } else if (what == "signaling fence" || what == "signaled fence") {
        on_answer(state, event, key);
    } else if (what == "job timedout") {
        if (const JobIndex job = state.jobs.find_open(key); job != no_job) {
            state.jobs.set_fault(job, Fault::TimedOut);
        }
    }
}

constexpr std::array<EventSpec, 2> events{{
    {"amdxdna_job", field::names, handler<on_job>},
    {"xdna_job", field::names, handler<on_job>}, // as in ftrace
}};

} // namespace

EventFamily amdxdna_family()
{
    return {"amdxdna", events, {}, make_state<Amdxdna>};
}

} // namespace lttng_gpu::model
