// SPDX-License-Identifier: MIT
//
// Trace system virtio_gpu: commands on the virtqueues of a paravirtual GPU. A
// command is a job when it asks for a fence. The response repeats the fence, and
// on kernels that have it the sequence number of the virtqueue, which is the
// safest thing to join by. Commands go to the device in the submitting thread,
// so without fence events queued and submitted are the same moment.
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
    const auto fence_id = find_unsigned(event, field::FenceIdNumber);
    if (!device || !fence_id) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return {};
    }
    const RingId ring = state.rings.intern(event.trace, "virtio" + std::to_string(*device),
                                           find_text(event, field::Ring));
    state.rings.set_driver(ring, "virtio_gpu");
    const auto seqno = find_unsigned(event, field::Seqno);
    const JobKey job{event.trace, seqno ? KeyKind::Virtqueue : KeyKind::Command, ring.value(),
                     seqno.value_or(*fence_id)};
    return Command{job, {{}, FenceSeqno{*fence_id}}, ring};
}

/// virtio_gpu_queue_ctrl_sgs(), in the submitting thread.
void on_command(NormaliserState& state, const trace::RawEvent& event, GpuEvents& out)
{
    auto command = find_job(state, event);
    if (!command) {
        return;
    }
    const Actor actor = state.threads.actor_of(event, state.strings);
    const auto fence =
        state.virtio_fences.take(place_of(event, actor), command->fence.seqno->value());
    Timestamp queued = event.time;
    if (fence) {
        command->fence.context = fence->context;
        queued = fence->begun.value_or(event.time);
    }
    out.push_back({queued, JobQueued{command->job, command->fence, command->ring, actor}});
    out.push_back({event.time, JobSubmitted{command->job, command->fence, command->ring}});
}

/// virtio_gpu_dequeue_ctrl_func(), when the host has answered.
void on_response(NormaliserState& state, const trace::RawEvent& event, GpuEvents& out)
{
    if (const auto command = find_job(state, event)) {
        out.push_back({event.time, JobCompleted{command->job, command->fence, command->ring}});
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
