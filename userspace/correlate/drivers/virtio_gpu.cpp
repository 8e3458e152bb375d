// SPDX-License-Identifier: MIT
//
// Trace system virtio_gpu: commands on the virtqueues of a paravirtual GPU. A
// command is a job when it asks for a fence. The response repeats the fence, and
// on kernels that have it the sequence number of the virtqueue, which is the
// safest thing to join by. Commands go to the device in the submitting thread:
// it makes the fence first (init: queued), gives it its seqno (emit) and then
// queues the command with that seqno as fence id. In traces without fence events
// queued and submitted are the same moment; in others a command whose fence was
// not seen to be made was queued at an unknown time.
#include "../base/bounded_deque.hpp"
#include "event_family.hpp"

namespace lttng_gpu::model {
namespace {

namespace field {
enum : std::size_t { Device, Ring, Flags, FenceIdNumber, Seqno };
constexpr std::array<std::string_view, 5> names{"dev", "name", "flags", "fence_id", "seqno"};
} // namespace field

constexpr std::uint64_t flag_fence = 1; // VIRTIO_GPU_FLAG_FENCE

/// The fence of a submission under way.
struct VirtioFence {
    std::uint64_t context = 0;
    std::optional<FenceSeqno> seqno;
    JobRef tentative;
    bool is_under_way = false;
};

struct VirtioGpu : FamilyState {
    struct Devices {
        std::optional<std::int64_t> first;
        Known<RingId> control; // of the first
        bool is_one = true;
    };
    /// A command without a fence that the device was not seen to answer.
    struct Open {
        RingId ring;
        std::uint64_t seqno = 0; // of the virtqueue
        Timestamp time;
    };
    struct Trace {
        std::vector<VirtioFence> fences; // by CPU
        BoundedDeque<Open> unfenced;     // the oldest first; seqno 0: answered
        Devices devices;
        bool has_emits = false; // of fences
    };

    explicit VirtioGpu(EventContext& context)
        : FamilyState{context}, queue{jobs.add_step({Stage::Queued})}, response{jobs.add_step(
                                                                           {Stage::Completed})},
          virtqueue{jobs.add_key_space({})}, command{jobs.add_key_space({})},
          fence_number{jobs.add_key_space({.may_fit_several = true})}
    {
    }

    Step queue;
    Step response;
    KeySpace virtqueue;    // ring and virtqueue sequence number
    KeySpace command;      // ring and fence id
    KeySpace fence_number; // fence id, of whichever device
    PerThread<VirtioFence> fences;
    PerTrace<Trace> traces;
};

struct Command {
    JobKey job;
    FenceId fence;
    RingId ring;
};

bool has_fence(const trace::RawEvent& event)
{
    return (find_unsigned(event, field::Flags).value_or(0) & flag_fence) != 0;
}

RingId ring_of(VirtioGpu& state, const trace::RawEvent& event, std::int64_t device)
{
    const RingId ring = state.rings.intern(event.trace, "virtio" + std::to_string(device),
                                           find_text(event, field::Ring));
    state.rings.set_driver(ring, "virtio_gpu");
    return ring;
}

/// virtio_gpu_get_timeline_name() is "controlq" for each fence, and only commands of the virtqueue
/// "control" have fences.
RingId ring_of(VirtioGpu& state, const FenceEvent& fence)
{
    const bool is_control = fence.timeline == "controlq";
    const RingId ring =
        state.rings.intern(fence.event.trace, "", is_control ? "control" : fence.timeline);
    state.rings.set_driver(ring, "virtio_gpu");
    return ring;
}

/// virtio_gpu_fence_emit() numbers the fences of a device one by one, and each has its command.
void note_emitted(VirtioGpu& state, const FenceEvent& fence)
{
    const VirtioGpu::Devices& devices = state.traces[fence.event.trace].devices;
    if (devices.control && devices.is_one && !fence.key.is_cut) {
        state.jobs.note_number_on_ring(*devices.control, fence.event.trace, fence.key.seqno,
                                       fence.event.time, true);
    }
}

std::optional<Command> find_job(VirtioGpu& state, const trace::RawEvent& event)
{
    const auto device = find_signed(event, field::Device);
    const auto fence_number = find_unsigned(event, field::FenceIdNumber);
    if (!device || !fence_number) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return {};
    }
    state.jobs.note_seen(event.trace, state.queue); // or the response
    auto& devices = state.traces[event.trace].devices;
    devices.is_one = devices.is_one && *device == devices.first.value_or(*device);
    devices.first = device;
    const RingId ring = ring_of(state, event, *device);
    devices.control = devices.control ? devices.control : ring; // others have no fences
    state.jobs.set_numbers_in_order(ring);
    const auto seqno = find_unsigned(event, field::Seqno);
    const JobKey job{event.trace, seqno ? state.virtqueue : state.command, false, ring.value(),
                     seqno.value_or(*fence_number)};
    return Command{job, {{}, FenceSeqno{*fence_number}}, ring};
}

constexpr std::size_t most_unfenced = 256;

/// No job, as nothing asks for its end; but it takes its place in the queue.
void on_unfenced(VirtioGpu& state, const trace::RawEvent& event, bool is_answer)
{
    const auto device = find_signed(event, field::Device);
    if (!device) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return;
    }
    const RingId ring = ring_of(state, event, *device);
    const Ring& names = state.rings.at(ring);
    UnfencedCommands& commands =
        state.others.unfenced(state.rings.text(names.device), state.rings.text(names.name));
    const std::uint64_t seqno = find_unsigned(event, field::Seqno).value_or(0);
    BoundedDeque<VirtioGpu::Open>& open = state.traces[event.trace].unfenced;
    while (!open.is_empty() && (open.front().seqno == 0 || open.size() >= most_unfenced)) {
        open.pop_front();
    }
    if (!is_answer) {
        ++commands.queued;
        if (seqno != 0) {
            open.push_back({ring, seqno, event.time});
        }
    }
    std::uint64_t depth = 0;
    for (std::size_t at = 0; at < open.size(); ++at) {
        depth += open[at].seqno != 0 && open[at].ring == ring ? 1 : 0;
        if (is_answer && seqno != 0 && open[at].seqno == seqno && open[at].ring == ring) {
            commands.add_answer(event.time - open[at].time);
            open[at].seqno = 0;
        }
    }
    commands.depth_most = std::max(commands.depth_most, depth);
    commands.unmatched += is_answer && seqno == 0 ? 1 : 0;
}

/// The submission under way: of the thread where it is known, else of the CPU; a CPU only tells
/// that emit and command follow each other.
VirtioFence* find_fence(VirtioGpu& state, const trace::RawEvent& event)
{
    if (VirtioFence* fence = state.note_of(state.fences, event)) {
        return fence;
    }
    constexpr std::size_t most_cpus = 8192;
    if (event.cpu.value() >= most_cpus) {
        return nullptr;
    }
    std::vector<VirtioFence>& cpus = state.traces[event.trace].fences;
    if (event.cpu.value() >= cpus.size()) {
        cpus.resize(event.cpu.value() + 1ULL);
    }
    return &cpus[event.cpu.value()];
}

/// The fence under way in this thread, if it is that of the command.
std::optional<VirtioFence> take_fence(VirtioGpu& state, const trace::RawEvent& event,
                                      FenceSeqno number)
{
    VirtioFence* fence = find_fence(state, event);
    // upstream's dma_fence events carry the low half of the seqno only
    if (fence == nullptr || !fence->is_under_way || !fence->seqno ||
        static_cast<std::uint32_t>(fence->seqno->value()) !=
            static_cast<std::uint32_t>(number.value())) {
        return {};
    }
    const VirtioFence taken = *fence;
    *fence = {};
    return taken;
}

/// The command of a job known by its fence only.
void adopt_begun(VirtioGpu& state, JobIndex begun, const Command& command)
{
    if (begun == no_job || !state.jobs.at(begun).is_tentative) {
        return;
    }
    const bool has_init = state.jobs.at(begun).job.queued.has_value();
    state.jobs.adopt(begun, has_init);
    state.jobs.add_key(begun, command.job);
    state.jobs.at(begun).job.fence = command.fence;
    state.jobs.at(begun).job.ring = command.ring;
}

/// Its fence id is the seqno of the fence, virtio_gpu_fence_emit(), and comes from
/// one counter per device.
void adopt_by_number(VirtioGpu& state, TraceId trace, Command& command)
{
    if (!state.traces[trace].devices.is_one || state.jobs.find_open(command.job) != no_job) {
        return;
    }
    const JobIndex begun = state.jobs.find_open(
        JobKey{trace, state.fence_number, false, 0, command.fence.seqno->value()});
    if (begun != no_job && state.jobs.at(begun).state == JobState::Open) {
        command.fence.context = state.jobs.at(begun).job.fence.context;
        adopt_begun(state, begun, command);
    }
}

/// A command came before the fence that its thread had made got a number: that event is missing,
/// and whether the fence is this command's or another's is not known.
void forget_unnumbered(VirtioGpu& state, const trace::RawEvent& event, JobIndex made)
{
    if (made == no_job || !state.jobs.at(made).is_unnamed) {
        return;
    }
    const Timestamp since = state.jobs.at(made).begun;
    if (state.traces[event.trace].has_emits) {
        state.jobs.report_missing(
            {event.trace, Missing::Submit, 1, {since, event.time}, {}, {}, false},
            Anomaly::SubmitEventMissing);
    }
    state.jobs.drop(made);
}

/// The thread went on without the command of the fence that it emitted.
void drop_unsent(VirtioGpu& state, const trace::RawEvent& event, const JobKey& command)
{
    VirtioFence* fence = state.find_note(state.fences, event);
    if (state.jobs.find(command) != no_job) {
        return; // told again
    }
    if (fence == nullptr || !fence->is_under_way) {
        return;
    }
    const JobIndex begun = state.jobs.jobs().get(fence->tentative);
    if (!fence->seqno) {
        forget_unnumbered(state, event, begun);
        *fence = {};
        return;
    }
    if (begun != no_job && state.jobs.at(begun).is_tentative &&
        state.jobs.at(begun).state == JobState::Open &&
        !state.jobs.is_lost_since(event.trace, state.jobs.at(begun).begun)) {
        state.jobs.drop_tentative(begun, Anomaly::FenceWithoutJobEvents);
    }
    *fence = {};
}

/// virtio_gpu_queue_ctrl_sgs(), in the submitting thread.
void on_command(VirtioGpu& state, const trace::RawEvent& event)
{
    if (!has_fence(event)) {
        on_unfenced(state, event, false);
        return;
    }
    auto command = find_job(state, event);
    if (!command) {
        return;
    }
    state.jobs.note_number_on_ring(command->ring, event.trace, command->fence.seqno->value(),
                                   event.time, true);
    const auto fence = take_fence(state, event, *command->fence.seqno);
    if (fence) {
        command->fence.context = FenceContext{fence->context};
        adopt_begun(state, state.jobs.jobs().get(fence->tentative), *command);
    } else {
        drop_unsent(state, event, command->job);
        adopt_by_number(state, event.trace, *command);
    }
    const JobIndex under_way = state.jobs.find_open(command->job);
    const bool lacks_init = under_way != no_job ? !state.jobs.at(under_way).job.queued
                                                : state.jobs.has_queue_fences(event.trace);
    if (lacks_init) {
        // its fence was made earlier, but unseen: nobody knows when
        const JobIndex begun = state.jobs.submitted(event.time, state.queue,
                                                    {command->job, command->fence, command->ring});
        if (begun != no_job) {
            state.jobs.at(begun).job.actor = state.actor_of(event);
        }
        return;
    }
    state.jobs.note_queued_without_fence(event.trace);
    const JobIndex job =
        state.jobs.queued(event.time, state.queue,
                          {command->job, command->fence, command->ring, state.actor_of(event)});
    if (job != no_job && !state.jobs.at(job).job.submitted &&
        state.jobs.at(job).state == JobState::Open) {
        state.jobs.submit(job, event.time, command->ring);
    }
}

/// virtio_gpu_dequeue_ctrl_func(), when the host has answered.
void on_response(VirtioGpu& state, const trace::RawEvent& event)
{
    if (!has_fence(event)) {
        on_unfenced(state, event, true);
    } else if (auto command = find_job(state, event)) {
        state.jobs.note_number_unsent(command->ring, event.trace, command->fence.seqno->value());
        adopt_by_number(state, event.trace, *command);
        state.jobs.completed(event.time, state.response,
                             {command->job, command->fence, command->ring});
    }
}

/// virtio_gpu_fence_alloc(); the fence has no seqno yet.
void on_virtio_fence(VirtioGpu& state, const FenceEvent& fence)
{
    VirtioFence* virtio = state.note_of(state.fences, fence.event);
    if (virtio == nullptr) {
        return;
    }
    state.jobs.note_queue_fences(fence.event.trace);
    const JobIndex old = state.jobs.jobs().get(virtio->tentative);
    if (old != no_job && state.jobs.at(old).is_unnamed) {
        if (virtio->context == fence.key.timeline && state.jobs.at(old).begun == fence.event.time) {
            return;
        }
        state.jobs.drop_tentative(old, Anomaly::SubmissionAbandoned);
    }
    const JobIndex job =
        state.jobs.open_tentative(fence.event.time, fence.event.trace, set_of(state.queue));
    TrackedJob& tracked = state.jobs.at(job);
    tracked.is_unnamed = true;
    tracked.job.ring = ring_of(state, fence);
    tracked.job.actor = state.actor_of(fence.event);
    tracked.job.queued = fence.event.time;
    *virtio = {fence.key.timeline, {}, state.jobs.jobs().ref(job), true};
}

/// virtio_gpu_fence_emit(), immediately before the command.
void on_virtio_emit(VirtioGpu& state, const FenceEvent& fence)
{
    state.jobs.note_queue_fences(fence.event.trace);
    state.traces[fence.event.trace].has_emits = true;
    note_emitted(state, fence);
    VirtioFence* virtio = find_fence(state, fence.event);
    if (virtio == nullptr || state.jobs.find(fence.key) != no_job) {
        return;
    }
    JobIndex job = state.jobs.jobs().get(virtio->tentative);
    const bool is_same = virtio->is_under_way && virtio->context == fence.key.timeline &&
                         job != no_job && state.jobs.at(job).is_unnamed &&
                         !state.jobs.is_lost_since(fence.event.trace, state.jobs.at(job).begun);
    const RingId ring = ring_of(state, fence);
    if (is_same) {
        state.jobs.add_key(job, fence.key);
        state.jobs.at(job).job.fence = fence_id(fence.key);
        state.jobs.at(job).is_unnamed = false;
    } else {
        job = open_fence_job(state, fence, set_of(state.queue), ring, {});
    }
    state.jobs.add_key(job,
                       {fence.key.trace, state.fence_number, fence.key.is_cut, 0, fence.key.seqno});
    state.jobs.submit(job, fence.event.time, ring);
    state.jobs.at(job).is_sent = true;
    *virtio = {fence.key.timeline, FenceSeqno{fence.key.seqno}, state.jobs.jobs().ref(job), true};
}

constexpr std::array<EventSpec, 2> events{{
    {"virtio_gpu_cmd_queue", field::names, handler<on_command>},
    {"virtio_gpu_cmd_response", field::names, handler<on_response>},
}};
constexpr std::array<FenceSpec, 1> fences{{
    {"virtio_gpu", fence_handler<on_virtio_fence>, fence_handler<on_virtio_emit>},
}};

} // namespace

EventFamily virtio_gpu_family()
{
    return {"virtio_gpu",
            events,
            fences,
            make_state<VirtioGpu>,
            false,
            "host queue: fences, and room in the virtqueue; the device is the host, from there on"};
}

} // namespace lttng_gpu::model
