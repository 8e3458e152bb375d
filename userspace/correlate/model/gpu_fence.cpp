// SPDX-License-Identifier: MIT
//
// Trace systems gpu_fence (ours, full 64-bit numbers) and dma_fence (upstream's,
// which cuts context and seqno to 32 bits). Signaled may end a job; init and
// emit tell when and with which context a virtio_gpu job came to be. The other
// fence events are not needed for jobs and so are not asked for.
#include "event_spec.hpp"

namespace lttng_gpu::model {
namespace {

namespace field {
enum : std::size_t { Driver, Context, Seqno };
constexpr std::array<std::string_view, 3> names{"driver", "context", "seqno"};
} // namespace field

VirtioFences::Place place_of(NormaliserState& state, const trace::RawEvent& event)
{
    return model::place_of(event, state.threads.actor_of(event, state.strings));
}

bool is_virtio(const trace::RawEvent& event)
{
    return find_text(event, field::Driver) == "virtio_gpu";
}

/// virtio_gpu_fence_alloc(); the fence has no seqno yet.
void on_init(NormaliserState& state, const trace::RawEvent& event, GpuEvents&)
{
    const auto context = find_unsigned(event, field::Context);
    if (context && is_virtio(event)) {
        state.virtio_fences.on_init(place_of(state, event), event.time, FenceContext{*context});
    }
}

/// virtio_gpu_fence_emit(), immediately before the command.
void on_emit(NormaliserState& state, const trace::RawEvent& event, GpuEvents&)
{
    const auto context = find_unsigned(event, field::Context);
    const auto seqno = find_unsigned(event, field::Seqno);
    if (context && seqno && is_virtio(event)) {
        state.virtio_fences.on_emit(place_of(state, event), FenceContext{*context},
                                    FenceSeqno{*seqno});
    }
}

void add_signaled(const trace::RawEvent& event, bool is_32_bit, GpuEvents& out)
{
    const auto context = find_unsigned(event, field::Context);
    const auto seqno = find_unsigned(event, field::Seqno);
    if (context && seqno) {
        out.push_back({event.time, FenceSignaled{event.trace, FenceContext{*context},
                                                 FenceSeqno{*seqno}, is_32_bit}});
    }
}

void on_signaled(NormaliserState&, const trace::RawEvent& event, GpuEvents& out)
{
    add_signaled(event, false, out);
}

void on_signaled_32_bit(NormaliserState&, const trace::RawEvent& event, GpuEvents& out)
{
    add_signaled(event, true, out);
}

constexpr std::array<EventSpec, 6> events{{
    {"gpu_fence_init", field::names, on_init},
    {"gpu_fence_emit", field::names, on_emit},
    {"gpu_fence_signaled", field::names, on_signaled},
    {"dma_fence_init", field::names, on_init},
    {"dma_fence_emit", field::names, on_emit},
    {"dma_fence_signaled", field::names, on_signaled_32_bit},
}};

} // namespace

std::span<const EventSpec> gpu_fence_events()
{
    return events;
}

} // namespace lttng_gpu::model
