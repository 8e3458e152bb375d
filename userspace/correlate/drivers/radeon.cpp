// SPDX-License-Identifier: MIT
//
// Trace system radeon: GPUs of AMD before GCN 1.2, without a scheduler. radeon_cs is the ioctl,
// after which the same thread writes the job and its fence to the ring, radeon_fence_emit():
// dma_fence_init, then radeon_fence_emit with the same seqno. Our probe adds the fence's context;
// the kernel's own event has device, ring and the low half of the seqno, and is joined to the fence
// by the thread. Buffer moves and page tables have no ioctl of their own: they are queued when they
// are written. Only signals of fences tell when a job ended.
#include "event_family.hpp"

#include <fmt/format.h>

namespace lttng_gpu::model {
namespace {

namespace field {
enum : std::size_t { Device, Ring, Seqno, Context, DeviceName };
constexpr std::array<std::string_view, 5> names{"dev", "ring", "seqno", "context", "dev_name"};
} // namespace field

/// radeon_fence_get_timeline_name(), by the numbers of radeon.h (RADEON_RING_TYPE_GFX_INDEX ...).
constexpr std::array<std::string_view, 8> ring_names{"radeon.gfx",  "radeon.cp1",  "radeon.cp2",
                                                     "radeon.dma",  "radeon.dma1", "radeon.uvd",
                                                     "radeon.vce1", "radeon.vce2"};

/// What a thread is about to give to a ring.
struct Submission {
    JobRef job; // of radeon_cs; nothing of it is known but when it was queued
    std::uint64_t ring = 0;
    std::optional<JobKey> fence; // made last
};

/// What a thread waits for; of several rings, each with events of its own, the first.
struct Sleep {
    std::optional<JobKey> told; // as its events have it
    JobKey fence;
    Timestamp since;
};

struct Radeon : FamilyState {
    explicit Radeon(EventContext& context)
        : FamilyState{context}, queue{jobs.add_step({Stage::Queued})}, emit{jobs.add_step(
                                                                           {Stage::Submitted})},
          ring_seqno{jobs.add_key_space({})}, wait_source{waits.add_source()}
    {
    }

    Step queue;
    Step emit;
    KeySpace ring_seqno; // device and ring, and the low half of the seqno
    WaitSource wait_source;
    PerThread<Submission> submissions;
    PerThread<Sleep> sleeps;
};

constexpr std::uint64_t low_half(std::uint64_t value)
{
    return value & 0xffffffff;
}

RingId ring_of(Radeon& state, const trace::RawEvent& event)
{
    const std::uint64_t number = find_unsigned(event, field::Ring).value_or(0);
    const auto minor = find_unsigned(event, field::Device);
    const std::string_view probed = find_text(event, field::DeviceName);
    const std::string device =
        probed.empty() && minor ? fmt::format("card{}", *minor) : std::string{probed};
    const RingId ring = number < ring_names.size()
                            ? state.rings.intern(event.trace, device, ring_names[number])
                            : state.rings.intern(event.trace, device, std::to_string(number));
    state.rings.set_driver(ring, "radeon");
    return ring;
}

std::optional<JobKey> find_key(Radeon& state, const trace::RawEvent& event)
{
    const auto ring = find_unsigned(event, field::Ring);
    const auto seqno = find_unsigned(event, field::Seqno);
    if (!ring || !seqno) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return {};
    }
    if (const auto context = find_unsigned(event, field::Context)) {
        return fence_key(event.trace, *context, *seqno);
    }
    const std::uint64_t device = find_unsigned(event, field::Device).value_or(0);
    return JobKey{event.trace, state.ring_seqno, false, device << 32U | low_half(*ring),
                  low_half(*seqno)};
}

/// radeon_cs_ioctl(), before anything is written.
void on_cs(Radeon& state, const trace::RawEvent& event)
{
    Submission* submission = state.note_of(state.submissions, event);
    if (submission == nullptr) {
        return;
    }
    const JobIndex old = state.jobs.jobs().get(submission->job);
    if (old != no_job && state.jobs.at(old).is_unnamed) {
        state.jobs.drop_tentative(old, Anomaly::SubmissionAbandoned); // the ioctl failed
    }
    const JobIndex job = state.jobs.open_tentative(event.time, event.trace, set_of(state.emit));
    TrackedJob& tracked = state.jobs.at(job);
    tracked.is_unnamed = true;
    tracked.job.ring = ring_of(state, event);
    tracked.job.actor = state.actor_of(event);
    tracked.job.queued = event.time;
    submission->job = state.jobs.jobs().ref(job);
    submission->ring = find_unsigned(event, field::Ring).value_or(0);
}

/// The job of the ioctl under way, if it is of this ring; page tables are written by others.
JobIndex take_queued(Radeon& state, const trace::RawEvent& event, Submission* submission)
{
    const JobIndex job = submission != nullptr ? state.jobs.jobs().get(submission->job) : no_job;
    if (job == no_job || !state.jobs.at(job).is_unnamed ||
        submission->ring != find_unsigned(event, field::Ring).value_or(0) ||
        state.jobs.is_lost_since(event.trace, state.jobs.at(job).begun)) {
        return no_job;
    }
    submission->job = {};
    state.jobs.adopt(job, true);
    state.jobs.at(job).steps |= set_of(state.queue);
    return job;
}

/// The fence that was made just before, by the same thread.
std::optional<JobKey> take_fence(const trace::RawEvent& event, Submission* submission)
{
    if (submission == nullptr || !submission->fence) {
        return {};
    }
    const JobKey fence = *submission->fence;
    submission->fence.reset();
    const std::uint64_t seqno = find_unsigned(event, field::Seqno).value_or(0);
    return low_half(fence.seqno) == low_half(seqno) ? std::optional{fence} : std::nullopt;
}

/// Where the event of its ioctl may be missing nobody knows when it was queued.
void queue_now(Radeon& state, const trace::RawEvent& event, const JobKey& key, RingId ring)
{
    constexpr Duration longest_ioctl{10'000'000};
    if (!state.jobs.is_lost_since(event.trace, event.time - longest_ioctl)) {
        state.jobs.queued(event.time, state.queue, {key, FenceId{}, ring, state.actor_of(event)});
    }
}

/// radeon_fence_emit(), right behind the job on its ring.
void on_emit(Radeon& state, const trace::RawEvent& event)
{
    const auto key = find_key(state, event);
    if (!key) {
        return;
    }
    state.jobs.note_seen(event.trace, state.emit);
    const RingId ring = ring_of(state, event);
    Submission* submission = state.find_note(state.submissions, event);
    const auto made = take_fence(event, submission);
    const auto fence = key->space == KeySpace::Fence ? key : made;
    if (const JobIndex by_fence = fence ? state.jobs.find_open(*fence) : no_job;
        by_fence != no_job && state.jobs.at(by_fence).is_tentative) {
        state.jobs.drop(by_fence); // this event tells more
    }
    const JobIndex queued = take_queued(state, event, submission);
    if (queued != no_job) {
        state.jobs.add_key(queued, *key);
    } else if (state.jobs.find(*key) == no_job) {
        queue_now(state, event, *key, ring);
    }
    const FenceId shown = fence ? fence_id(*fence) : FenceId{};
    const JobIndex job = state.jobs.submitted(event.time, state.emit, {*key, shown, ring});
    if (job != no_job && fence) {
        join(state, job, *fence);
    }
}

/// The fence by which others know it; nothing where none was seen.
std::optional<JobKey> find_fence(Radeon& state, const JobKey& key)
{
    if (key.space == KeySpace::Fence) {
        return key;
    }
    const JobIndex job = state.jobs.find(key);
    if (job == no_job || !state.jobs.at(job).job.fence.context) {
        return {};
    }
    const FenceId& fence = state.jobs.at(job).job.fence;
    return fence_key(key.trace, fence.context->value(), fence.seqno->value());
}

/// radeon_fence_wait_seq_timeout(), before it sleeps: one event for each ring, in one go.
void on_wait_begin(Radeon& state, const trace::RawEvent& event)
{
    constexpr Duration longest_telling{10'000};
    const auto key = find_key(state, event);
    const auto fence = key ? find_fence(state, *key) : std::nullopt;
    Sleep* sleep = fence ? state.note_of(state.sleeps, event) : nullptr;
    if (sleep == nullptr || (sleep->told && event.time - sleep->since <= longest_telling)) {
        return;
    }
    *sleep = {*key, *fence, event.time};
    state.waits.on_begin(event.time, state.actor_of(event), *fence, state.wait_source,
                         {"radeon", {}});
}

void on_wait_end(Radeon& state, const trace::RawEvent& event)
{
    const auto key = find_key(state, event);
    Sleep* sleep = key ? state.find_note(state.sleeps, event) : nullptr;
    if (sleep != nullptr && sleep->told == key) {
        state.waits.on_end(event.time, state.threads.tid_of(event), sleep->fence,
                           state.wait_source);
        sleep->told.reset();
    }
}

/// dma_fence_init() in radeon_fence_emit().
void on_fence(Radeon& state, const FenceEvent& fence)
{
    if (Submission* submission = state.note_of(state.submissions, fence.event)) {
        submission->fence = fence.key;
    }
    if (state.jobs.has_seen(fence.event.trace, set_of(state.emit))) {
        return; // the next event tells more
    }
    const RingId ring = timeline_ring(state, fence, "radeon");
    const JobIndex job =
        open_fence_job(state, fence, set_of(state.emit), ring, state.actor_of(fence.event));
    if (job != no_job) {
        state.jobs.submit(job, fence.event.time, ring);
    }
}

constexpr std::array<EventSpec, 4> events{{
    {"radeon_cs", field::names, handler<on_cs>},
    {"radeon_fence_emit", field::names, handler<on_emit>},
    {"radeon_fence_wait_begin", field::names, handler<on_wait_begin>},
    {"radeon_fence_wait_end", field::names, handler<on_wait_end>},
}};
constexpr std::array<FenceSpec, 1> fences{{
    {"radeon", fence_handler<on_fence>, fence_handler<on_fence>},
}};

} // namespace

EventFamily radeon_family()
{
    return {"radeon", events, fences, make_state<Radeon>};
}

} // namespace lttng_gpu::model
