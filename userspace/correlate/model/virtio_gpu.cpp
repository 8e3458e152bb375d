// SPDX-License-Identifier: MIT
//
// Trace system virtio_gpu: commands on the virtqueues of a paravirtual GPU. A
// command is a job when it asks for a fence. The response repeats the fence, and
// on kernels that have it the sequence number of the virtqueue, which is the
// safest thing to join by. Commands go to the device in the submitting thread:
// it makes the fence first (init: queued), gives it its seqno (emit) and then
// queues the command with that seqno as fence id. Without fence events queued and
// submitted are the same moment.
#include "event_spec.hpp"

namespace lttng_gpu::model {
namespace {

namespace field {
enum : std::size_t { Device, Ring, Flags, FenceIdNumber, Seqno };
constexpr std::array<std::string_view, 5> names{"dev", "name", "flags", "fence_id", "seqno"};
} // namespace field

constexpr std::uint64_t flag_fence = 1; // VIRTIO_GPU_FLAG_FENCE

struct Command {
    JobKey job;
    FenceId fence;
    RingId ring;
};

std::optional<Command> find_job(NormaliserState& state, const trace::RawEvent& event)
{
    if ((find_unsigned(event, field::Flags).value_or(0) & flag_fence) == 0) {
        return {};
    }
    const auto device = find_signed(event, field::Device);
    const auto fence_number = find_unsigned(event, field::FenceIdNumber);
    if (!device || !fence_number) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return {};
    }
    state.jobs.note(event.trace, Teller::Virtio);
    auto& devices = state.virtio_devices[event.trace];
    devices.is_one = devices.is_one && *device == devices.first.value_or(*device);
    devices.first = device;
    const RingId ring = state.rings.intern(event.trace, "virtio" + std::to_string(*device),
                                           find_text(event, field::Ring));
    state.rings.set_driver(ring, "virtio_gpu");
    const auto seqno = find_unsigned(event, field::Seqno);
    const JobKey job{event.trace, seqno ? KeyKind::Virtqueue : KeyKind::Command, false,
                     ring.value(), seqno.value_or(*fence_number)};
    return Command{job, {{}, FenceSeqno{*fence_number}}, ring};
}

/// The fence under way in this thread, if it is that of the command.
std::optional<VirtioFence> take_fence(NormaliserState& state, const trace::RawEvent& event,
                                      FenceSeqno number)
{
    VirtioFence* fence = state.find_virtio_fence(event);
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
void adopt_begun(NormaliserState& state, JobIndex begun, const Command& command)
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
void adopt_by_number(NormaliserState& state, TraceId trace, Command& command)
{
    if (!state.virtio_devices[trace].is_one || state.jobs.find_open(command.job) != no_job) {
        return;
    }
    const JobIndex begun =
        state.jobs.find_open(virtio_fence_key(trace, command.fence.seqno->value()));
    if (begun != no_job && state.jobs.at(begun).state == JobState::Open) {
        command.fence.context = state.jobs.at(begun).job.fence.context;
        adopt_begun(state, begun, command);
    }
}

/// The thread went on without the command of the fence that it emitted.
void drop_unsent(NormaliserState& state, const trace::RawEvent& event, const JobKey& command)
{
    ThreadNote* note = state.find_note(event);
    if (state.jobs.find(command) != no_job) {
        return; // told again
    }
    if (note == nullptr || !note->virtio.is_under_way || !note->virtio.seqno) {
        return;
    }
    const JobIndex begun = state.jobs.jobs().get(note->virtio.tentative);
    if (begun != no_job && state.jobs.at(begun).is_tentative &&
        state.jobs.at(begun).state == JobState::Open &&
        !state.jobs.is_lost_since(event.trace, state.jobs.at(begun).begun)) {
        state.jobs.drop_tentative(begun, Anomaly::FenceWithoutJobEvents);
    }
    note->virtio = {};
}

/// virtio_gpu_queue_ctrl_sgs(), in the submitting thread.
void on_command(NormaliserState& state, const trace::RawEvent& event)
{
    auto command = find_job(state, event);
    if (!command) {
        return;
    }
    const auto fence = take_fence(state, event, *command->fence.seqno);
    if (fence) {
        command->fence.context = FenceContext{fence->context};
        adopt_begun(state, state.jobs.jobs().get(fence->tentative), *command);
    } else {
        drop_unsent(state, event, command->job);
        adopt_by_number(state, event.trace, *command);
    }
    const JobIndex under_way = state.jobs.find_open(command->job);
    if (under_way == no_job && state.jobs.has(event.trace, Teller::VirtioFences)) {
        // its fence was made earlier, but unseen: nobody knows when
        const JobIndex begun = state.jobs.submitted(event.time, Step::VirtioQueue,
                                                    {command->job, command->fence, command->ring});
        if (begun != no_job) {
            state.jobs.at(begun).job.actor = state.actor_of(event);
        }
        return;
    }
    const JobIndex job =
        state.jobs.queued(event.time, Step::VirtioQueue,
                          {command->job, command->fence, command->ring, state.actor_of(event)});
    if (job != no_job && !state.jobs.at(job).job.submitted &&
        state.jobs.at(job).state == JobState::Open) {
        state.jobs.submit(job, event.time, command->ring);
    }
}

/// virtio_gpu_dequeue_ctrl_func(), when the host has answered.
void on_response(NormaliserState& state, const trace::RawEvent& event)
{
    if (auto command = find_job(state, event)) {
        adopt_by_number(state, event.trace, *command);
        state.jobs.completed(event.time, Step::VirtioResponse,
                             {command->job, command->fence, command->ring});
    }
}

constexpr std::array<EventSpec, 2> events{{
    {"virtio_gpu_cmd_queue", field::names, on_command},
    {"virtio_gpu_cmd_response", field::names, on_response},
}};

} // namespace

std::span<const EventSpec> virtio_gpu_events()
{
    return events;
}

} // namespace lttng_gpu::model
