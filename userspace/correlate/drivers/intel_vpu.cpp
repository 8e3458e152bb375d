// SPDX-License-Identifier: MIT
//
// Trace system vpu: Intel's NPUs, which have no scheduler in the kernel. vpu_job (job, as the
// kernel calls it) tells in the ioctl that the device was told of a job, ivpu_job_submit(), and
// that its fence was just signaled, ivpu_job_signal_and_destroy(). The fence, one context per job,
// is made when the ioctl begins: then the job is queued. Our probe names it; by the kernel's own
// event it is the one that the same thread made last, and the job's number, used again soon, names
// the end. Messages to and from the firmware (jsm) and power states (pm) name no job.
#include "event_family.hpp"

namespace lttng_gpu::model {
namespace {

namespace field {
enum : std::size_t { Event, FileContext, Engine, Job, Context, Seqno, DeviceName };
constexpr std::array<std::string_view, 7> names{"event",   "ctx_id", "engine_id", "job_id",
                                                "context", "seqno",  "dev_name"};
} // namespace field

/// DRM_IVPU_ENGINE_COMPUTE and DRM_IVPU_ENGINE_COPY, ivpu_accel.h.
constexpr std::array<std::string_view, 2> engine_names{"compute", "copy"};

/// The fence of the ioctl under way.
struct MadeFence {
    JobKey key;
    JobRef job;
    bool is_under_way = false;
};

struct IntelVpu : FamilyState {
    explicit IntelVpu(EventContext& context)
        : FamilyState{context}, queue{jobs.add_step({Stage::Queued})}, submit{jobs.add_step(
                                                                           {Stage::Submitted})},
          done{jobs.add_step({Stage::Completed})}, number{jobs.add_key_space({.is_pointer = true})}
    {
    }

    Step queue;
    Step submit;
    Step done;
    KeySpace number; // of the file's context and of the job, which come back
    PerThread<MadeFence> made;
};

RingId ring_of(IntelVpu& state, const trace::RawEvent& event)
{
    const std::uint64_t engine = find_unsigned(event, field::Engine).value_or(0);
    const std::string_view device = find_text(event, field::DeviceName);
    const RingId ring = engine < engine_names.size()
                            ? state.rings.intern(event.trace, device, engine_names[engine])
                            : state.rings.intern(event.trace, device, std::to_string(engine));
    state.rings.set_driver(ring, "intel_vpu");
    // each process has queues of its own, of several priorities, which the firmware chooses from
    state.rings.at(ring).is_fifo = false;
    return ring;
}

std::optional<JobKey> find_fence(const trace::RawEvent& event)
{
    const auto context = find_unsigned(event, field::Context);
    const auto seqno = find_unsigned(event, field::Seqno);
    if (!context || !seqno) {
        return {};
    }
    return fence_key(event.trace, *context, *seqno);
}

std::optional<JobKey> find_number(IntelVpu& state, const trace::RawEvent& event)
{
    const auto file = find_unsigned(event, field::FileContext);
    const auto job = find_unsigned(event, field::Job);
    if (!file || !job) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return {};
    }
    return JobKey{event.trace, state.number, false, *file, *job};
}

/// The fence that this thread made for the job.
std::optional<JobKey> take_made(IntelVpu& state, const trace::RawEvent& event)
{
    MadeFence* made = state.find_note(state.made, event);
    const JobIndex job = made != nullptr ? state.jobs.jobs().get(made->job) : no_job;
    if (job == no_job || !made->is_under_way ||
        state.jobs.is_lost_since(event.trace, state.jobs.at(job).begun)) {
        return {};
    }
    made->is_under_way = false;
    return made->key;
}

void on_submit(IntelVpu& state, const trace::RawEvent& event, const JobKey& number)
{
    const auto named = find_fence(event);
    const auto made = take_made(state, event);
    const auto fence = named ? named : made;
    if (const JobIndex old = state.jobs.find_open(number); old != no_job) {
        state.jobs.give_up(old, Anomaly::CompletionNeverSeen); // the number is used again
    }
    const JobKey key = fence ? *fence : number;
    const RingId ring = ring_of(state, event);
    JobIndex job = state.jobs.find_open(key);
    if (job != no_job && state.jobs.at(job).is_tentative) {
        state.jobs.adopt(job, true);
        state.jobs.at(job).steps |= set_of(state.queue);
        state.jobs.at(job).job.ring = ring;
    } else if (job == no_job) { // when its ioctl began was not recorded
        state.jobs.queued(event.time, state.queue,
                          {key, fence ? fence_id(*fence) : FenceId{}, ring, state.actor_of(event)});
    }
    job = state.jobs.submitted(event.time, state.submit, {key, FenceId{}, ring});
    if (job != no_job) {
        state.jobs.add_key(job, number);
    }
}

void on_done(IntelVpu& state, const trace::RawEvent& event, const JobKey& number)
{
    const auto fence = find_fence(event);
    const JobKey key = fence ? *fence : number;
    // its number is forgotten when its fence, which is signaled just before, has ended it
    if (state.jobs.find(key) != no_job || fence) {
        state.jobs.completed(event.time, state.done,
                             {key, fence ? fence_id(*fence) : FenceId{}, ring_of(state, event)});
    }
}

void on_job(IntelVpu& state, const trace::RawEvent& event)
{
    const auto number = find_number(state, event);
    if (!number) {
        return;
    }
    const std::string_view what = find_text(event, field::Event);
    if (what == "submit") {
        state.jobs.note_seen(event.trace, state.submit);
        on_submit(state, event, *number);
    } else if (what == "done") {
        on_done(state, event, *number);
    }
}

/// ivpu_job_create().
void on_fence(IntelVpu& state, const FenceEvent& fence)
{
    MadeFence* made = state.note_of(state.made, fence.event);
    if (made == nullptr || made->key == fence.key) {
        return; // both upstream's and our probe are recorded
    }
    const RingId ring = timeline_ring(state, fence, "intel_vpu");
    state.rings.at(ring).is_fifo = false;
    const JobIndex job =
        open_fence_job(state, fence, set_of(state.submit), ring, state.actor_of(fence.event));
    if (job != no_job) {
        state.jobs.at(job).job.queued = fence.event.time;
        *made = {fence.key, state.jobs.jobs().ref(job), true};
    }
}

constexpr std::array<EventSpec, 2> events{{
    {"vpu_job", field::names, handler<on_job>},
    {"job", field::names, handler<on_job>}, // as in ftrace
}};
constexpr std::array<FenceSpec, 1> fences{{
    {"intel_vpu", fence_handler<on_fence>},
}};

} // namespace

EventFamily intel_vpu_family()
{
    return {"intel_vpu", events, fences, make_state<IntelVpu>};
}

} // namespace lttng_gpu::model
