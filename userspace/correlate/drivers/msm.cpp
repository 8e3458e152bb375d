// SPDX-License-Identifier: MIT
//
// Trace system drm_msm_gpu: msm's own events of its submits, read where drm_sched's are not
// recorded. A submit has a number of its own (msm_gem_submit::ident). It is queued by the ioctl
// (msm_gpu_submit), written to its ring (msm_gpu_submit_flush) and retired by a worker
// (msm_gpu_submit_retired), by which time it has ended. The GPU's counter of 19.2 MHz was read when
// the job was flushed and when the GPU began it, so the start is that much later; what it had when
// the job ended was read before the caches were flushed: no end. Since v7.2 the start is read from
// a counter that stands still while the ring is preempted (CP_ALWAYS_ON_CONTEXT), so no start is
// told where rings may be preempted.
#include "../base/per_trace.hpp"
#include "../jobs/per_job.hpp"
#include "event_family.hpp"

#include <fmt/format.h>

namespace lttng_gpu::model {
namespace {

namespace field {
enum : std::size_t { Number, Pid, Ring, RingNumber, Seqno, Ticks, StartTicks };
constexpr std::array<std::string_view, 7> names{"id",    "pid",   "ringid",     "ring",
                                                "seqno", "ticks", "start_ticks"};
} // namespace field

/// When the GPU's counter had which value.
struct Flush {
    Timestamp time;
    std::uint64_t ticks = 0;
};

struct Msm : FamilyState {
    explicit Msm(EventContext& context)
        : FamilyState{context}, queue{jobs.add_step({Stage::Queued})},
          flush{jobs.add_step({Stage::Submitted})}, retire{jobs.add_step({Stage::Completed})},
          number{jobs.add_key_space({})}, flushes{jobs.jobs()}
    {
    }

    Step queue;
    Step flush;
    Step retire;
    KeySpace number; // of the submit
    PerJob<Flush> flushes;
    PerTrace<bool> may_preempt; // there is more than one ring
};

std::optional<JobKey> find_key(Msm& state, const trace::RawEvent& event)
{
    const auto number = find_unsigned(event, field::Number);
    if (!number) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return {};
    }
    if (state.jobs.has_seen(event.trace, state.jobs.steps().scheduler_jobs())) {
        return {}; // drm_sched tells of the same jobs
    }
    return JobKey{event.trace, state.number, false, 0, *number};
}

RingId ring_of(Msm& state, const trace::RawEvent& event)
{
    const auto recorded = find_unsigned(event, field::Ring);
    const auto printed = find_unsigned(event, field::RingNumber);
    const std::uint64_t number = recorded ? *recorded : printed.value_or(0);
    bool& may_preempt = state.may_preempt[event.trace];
    may_preempt = may_preempt || number > 0;
    const RingId ring = state.rings.intern(event.trace, "", fmt::format("ring{}", number));
    state.rings.set_driver(ring, "msm");
    return ring;
}

FenceId shown(const trace::RawEvent& event)
{
    const auto seqno = find_unsigned(event, field::Seqno);
    return {{}, seqno ? Known<FenceSeqno>{FenceSeqno{*seqno}} : Known<FenceSeqno>{}};
}

/// msm_ioctl_gem_submit().
void on_submit(Msm& state, const trace::RawEvent& event)
{
    if (const auto key = find_key(state, event)) {
        state.jobs.note_seen(event.trace, state.queue);
        state.jobs.queued(event.time, state.queue,
                          {*key, {}, ring_of(state, event), state.actor_of(event)});
    }
}

/// a6xx_submit() and the like.
void on_flush(Msm& state, const trace::RawEvent& event)
{
    const auto key = find_key(state, event);
    if (!key) {
        return;
    }
    state.jobs.note_seen(event.trace, state.flush);
    const JobIndex job =
        state.jobs.submitted(event.time, state.flush, {*key, shown(event), ring_of(state, event)});
    if (job != no_job && state.jobs.at(job).state == JobState::Open) {
        state.jobs.at(job).job.fence = shown(event);
        state.flushes.of(job) = {event.time, find_unsigned(event, field::Ticks).value_or(0)};
    }
}

/// Older GPUs have no such counter: 0.
void note_start(Msm& state, const trace::RawEvent& event, JobIndex job)
{
    constexpr double nanoseconds_per_tick = 1e9 / 19.2e6;
    constexpr std::uint64_t most_ticks = std::uint64_t{1} << 40U;
    const Flush flush = state.flushes.of(job);
    if (state.may_preempt[event.trace]) {
        return;
    }
    const std::uint64_t start = find_unsigned(event, field::StartTicks).value_or(0);
    if (flush.ticks == 0 || start < flush.ticks || start - flush.ticks > most_ticks) {
        return;
    }
    const auto passed =
        static_cast<std::int64_t>(static_cast<double>(start - flush.ticks) * nanoseconds_per_tick);
    const Timestamp started = flush.time + Duration{passed};
    TrackedJob& tracked = state.jobs.at(job);
    if (tracked.job.submitted && *tracked.job.submitted <= started && started <= event.time) {
        tracked.job.started = started;
        tracked.job.started_basis = Basis::Observed;
    }
}

/// retire_submit().
void on_retired(Msm& state, const trace::RawEvent& event)
{
    const auto key = find_key(state, event);
    if (!key) {
        return;
    }
    if (const JobIndex job = state.jobs.find_open(*key); job != no_job) {
        note_start(state, event, job);
    }
    state.jobs.completed(event.time, state.retire, {*key, shown(event), ring_of(state, event)});
}

/// a6xx_preempt_trigger(), a6xx_preempt_irq().
void on_preemption(Msm& state, const trace::RawEvent& event)
{
    state.may_preempt[event.trace] = true;
}

constexpr std::array<EventSpec, 5> events{{
    {"msm_gpu_submit", field::names, handler<on_submit>},
    {"msm_gpu_submit_flush", field::names, handler<on_flush>, false, false},
    {"msm_gpu_submit_retired", field::names, handler<on_retired>, false, false},
    {"msm_gpu_preemption_trigger", field::names, handler<on_preemption>, false, false},
    {"msm_gpu_preemption_irq", field::names, handler<on_preemption>, false, false},
}};

} // namespace

EventFamily msm_family()
{
    return {"msm", events, {}, make_state<Msm>};
}

} // namespace lttng_gpu::model
