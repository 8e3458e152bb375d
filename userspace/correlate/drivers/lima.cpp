// SPDX-License-Identifier: MIT
//
// Trace system lima: a task is pushed to drm_sched (lima_task_submit, right before drm_sched's own
// event) and run (lima_task_run). Both name its finished fence, which ends it, cut to 32 bits.
#include "event_family.hpp"

namespace lttng_gpu::model {
namespace {

namespace field {
enum : std::size_t { Context, Seqno, Pipe };
constexpr std::array<std::string_view, 3> names{"context", "seqno", "pipe"};
} // namespace field

struct Lima : FamilyState {
    explicit Lima(EventContext& context)
        : FamilyState{context}, submit{jobs.add_step({Stage::Queued, true})}, run{jobs.add_step(
                                                                                  {Stage::Submitted,
                                                                                   true})}
    {
    }

    Step submit;
    Step run;
};

std::optional<JobKey> find_key(Lima& state, const trace::RawEvent& event)
{
    const auto context = find_unsigned(event, field::Context);
    const auto seqno = find_unsigned(event, field::Seqno);
    if (!context || !seqno) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return {};
    }
    return fence_key(event.trace, *context, *seqno, true);
}

RingId ring_of(Lima& state, const trace::RawEvent& event)
{
    const RingId ring = state.rings.intern(event.trace, "", find_text(event, field::Pipe));
    state.rings.set_driver(ring, "lima");
    return ring;
}

/// lima_sched_context_queue_task().
void on_submit(Lima& state, const trace::RawEvent& event)
{
    const auto key = find_key(state, event);
    if (!key) {
        return;
    }
    state.jobs.note_seen(event.trace, state.submit);
    const JobIndex job =
        state.jobs.queued(event.time, state.submit,
                          {*key, fence_id(*key), ring_of(state, event), state.actor_of(event)});
    ThreadNote* note = job != no_job ? state.note_of(event) : nullptr;
    if (note != nullptr) {
        note->announced = {state.jobs.jobs().ref(job), {}, {}};
    }
}

/// lima_sched_run_job().
void on_run(Lima& state, const trace::RawEvent& event)
{
    const auto key = find_key(state, event);
    if (!key) {
        return;
    }
    state.jobs.note_seen(event.trace, state.run);
    if (state.jobs.find_open(*key) != no_job ||
        !state.jobs.has_seen(event.trace, state.jobs.steps().scheduler_run)) {
        state.jobs.submitted(event.time, state.run, {*key, fence_id(*key), ring_of(state, event)});
    }
}

constexpr std::array<EventSpec, 2> events{{
    {"lima_task_submit", field::names, handler<on_submit>},
    {"lima_task_run", field::names, handler<on_run>},
}};

} // namespace

EventFamily lima_family()
{
    return {"lima", events, {}, make_state<Lima>, false, drm_scheduler_words};
}

} // namespace lttng_gpu::model
