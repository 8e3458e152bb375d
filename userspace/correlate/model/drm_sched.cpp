// SPDX-License-Identifier: MIT
//
// Trace system drm_sched: the GPU scheduler shared by amdgpu, xe, v3d, msm,
// nouveau and others. Both generations of names carry the same facts; since
// v6.17 they are stable (drm_sched_job_queue, _run, _done), before that they
// were drm_sched_job, drm_run_job and drm_sched_process_job, and a fence pointer
// was the only identity unless the probe adds context and seqno.
#include "event_spec.hpp"

namespace lttng_gpu::model {
namespace {

namespace job_field {
enum : std::size_t { Context, Seqno, Fence, Name, Device, Driver };
constexpr std::array<std::string_view, 6> names{"fence_context", "fence_seqno", "fence",
                                                "name",          "dev",         "driver"};
} // namespace job_field

namespace dependency_field {
enum : std::size_t { Context, Seqno, OtherContext, OtherSeqno };
constexpr std::array<std::string_view, 4> names{"fence_context", "fence_seqno", "ctx", "seqno"};
} // namespace dependency_field

struct Identity {
    JobKey job;
    FenceId fence;
};

/// Context and seqno where the event has them, else the fence pointer.
std::optional<Identity> find_identity(const trace::RawEvent& event)
{
    const auto context = find_unsigned(event, job_field::Context);
    const auto seqno = find_unsigned(event, job_field::Seqno);
    if (context && seqno) {
        return Identity{{event.trace, KeyKind::Fence, *context, *seqno},
                        {FenceContext{*context}, FenceSeqno{*seqno}}};
    }
    if (const auto pointer = find_unsigned(event, job_field::Fence)) {
        return Identity{{event.trace, KeyKind::Pointer, *pointer, 0}, {}};
    }
    return {};
}

RingId ring_of(NormaliserState& state, const trace::RawEvent& event)
{
    return state.rings.intern(event.trace, find_text(event, job_field::Device),
                              find_text(event, job_field::Name));
}

/// drm_sched_entity_push_job(), in the submitting thread.
void on_queue(NormaliserState& state, const trace::RawEvent& event, GpuEvents& out)
{
    const auto identity = find_identity(event);
    if (!identity) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return;
    }
    out.push_back({event.time, JobQueued{identity->job, identity->fence, ring_of(state, event),
                                         state.threads.actor_of(event, state.strings)}});
}

/// Just before the driver's run_job(), in the scheduler's worker.
void on_run(NormaliserState& state, const trace::RawEvent& event, GpuEvents& out)
{
    const auto identity = find_identity(event);
    if (!identity) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return;
    }
    const RingId ring = ring_of(state, event);
    state.rings.set_driver(ring, find_text(event, job_field::Driver));
    out.push_back({event.time, JobSubmitted{identity->job, identity->fence, ring}});
}

/// drm_sched_job_done(), just before the finished fence is signaled.
void on_done(NormaliserState& state, const trace::RawEvent& event, GpuEvents& out)
{
    const auto identity = find_identity(event);
    if (!identity) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return;
    }
    out.push_back({event.time, JobCompleted{identity->job, identity->fence, {}}});
}

void add_dependency(const trace::RawEvent& event, bool is_blocking, GpuEvents& out)
{
    const auto context = find_unsigned(event, dependency_field::Context);
    const auto seqno = find_unsigned(event, dependency_field::Seqno);
    const auto other_context = find_unsigned(event, dependency_field::OtherContext);
    const auto other_seqno = find_unsigned(event, dependency_field::OtherSeqno);
    if (!context || !seqno || !other_context || !other_seqno) {
        return; // the old event names the waiting job by a per-scheduler id only
    }
    out.push_back(
        {event.time, JobDependency{{event.trace, KeyKind::Fence, *context, *seqno},
                                   {FenceContext{*other_context}, FenceSeqno{*other_seqno}},
                                   is_blocking}});
}

void on_add_dependency(NormaliserState&, const trace::RawEvent& event, GpuEvents& out)
{
    add_dependency(event, false, out);
}

void on_blocked(NormaliserState&, const trace::RawEvent& event, GpuEvents& out)
{
    add_dependency(event, true, out);
}

constexpr std::array<EventSpec, 9> events{{
    {"drm_sched_job_queue", job_field::names, on_queue},
    {"drm_sched_job_run", job_field::names, on_run},
    {"drm_sched_job_done", job_field::names, on_done},
    {"drm_sched_job_add_dep", dependency_field::names, on_add_dependency},
    {"drm_sched_job_unschedulable", dependency_field::names, on_blocked},
    {"drm_sched_job", job_field::names, on_queue},
    {"drm_run_job", job_field::names, on_run},
    {"drm_sched_process_job", job_field::names, on_done},
    {"drm_sched_job_wait_dep", dependency_field::names, on_blocked},
}};

} // namespace

std::span<const EventSpec> drm_sched_events()
{
    return events;
}

} // namespace lttng_gpu::model
