// SPDX-License-Identifier: MIT
//
// Trace systems gpu_fence (ours, full 64-bit numbers), dma_fence and, before
// v4.10, fence (the kernel's, which cut context and seqno to 32 bits). Signaled
// may end a job; init and emit tell of jobs that nothing else tells of; a thread
// waits between wait_start and wait_end. The other fence events are not needed.
#include "fence_driver.hpp"
#include "fence_jobs.hpp"

namespace lttng_gpu::model {
namespace {

namespace field {
enum : std::size_t { Driver, Timeline, Context, Seqno };
constexpr std::array<std::string_view, 4> names{"driver", "timeline", "context", "seqno"};
} // namespace field

std::optional<JobKey> find_key(NormaliserState& state, const trace::RawEvent& event, bool is_cut)
{
    const auto context = find_unsigned(event, field::Context);
    const auto seqno = find_unsigned(event, field::Seqno);
    if (!context || !seqno) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return {};
    }
    return fence_key(event.trace, *context, *seqno, is_cut);
}

FenceDriver driver_of(const trace::RawEvent& event)
{
    return fence_driver(find_text(event, field::Driver), find_text(event, field::Timeline));
}

template <bool is_cut> void on_init(NormaliserState& state, const trace::RawEvent& event)
{
    const FenceDriver driver = driver_of(event);
    if (driver == FenceDriver::Other) {
        return;
    }
    const auto key = find_key(state, event, is_cut);
    if (!key) {
        return;
    }
    const FenceEvent fence{event, *key, find_text(event, field::Driver),
                           find_text(event, field::Timeline)};
    switch (driver) {
    case FenceDriver::Scheduler:
        return on_scheduler_fence(state, fence);
    case FenceDriver::Virtio:
        return on_virtio_fence(state, fence);
    case FenceDriver::I915:
        return on_i915_fence(state, fence);
    case FenceDriver::Amdgpu:
        return on_hardware_fence(state, fence);
    case FenceDriver::Plain:
        return on_plain_fence(state, fence);
    case FenceDriver::Other:
        return;
    }
}

template <bool is_cut> void on_emit(NormaliserState& state, const trace::RawEvent& event)
{
    const FenceDriver driver = driver_of(event);
    if (driver != FenceDriver::Virtio && driver != FenceDriver::Plain &&
        driver != FenceDriver::Amdgpu) {
        return;
    }
    const auto key = find_key(state, event, is_cut);
    if (!key) {
        return;
    }
    const FenceEvent fence{event, *key, find_text(event, field::Driver),
                           find_text(event, field::Timeline)};
    if (driver == FenceDriver::Virtio) {
        on_virtio_emit(state, fence);
    } else if (driver == FenceDriver::Plain) {
        on_plain_fence(state, fence);
    } else {
        on_hardware_fence(state, fence);
    }
}

FenceOwner owner_of(FenceDriver driver)
{
    if (driver == FenceDriver::Scheduler) {
        return FenceOwner::Scheduler;
    }
    return driver == FenceDriver::I915 ? FenceOwner::I915 : FenceOwner::Other;
}

template <bool is_cut> void on_signaled(NormaliserState& state, const trace::RawEvent& event)
{
    // by far the most frequent of them: not by way of find_key()
    const auto context = find_unsigned(event, field::Context);
    const auto seqno = find_unsigned(event, field::Seqno);
    if (!context || !seqno) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return;
    }
    state.jobs.signaled(event.time,
                        {event.trace, FenceContext{*context}, FenceSeqno{*seqno}, is_cut,
                         owner_of(driver_of(event)), find_text(event, field::Timeline)});
    state.waits.on_signaled(event.time, fence_key(event.trace, *context, *seqno, is_cut));
}

template <bool is_cut> void on_wait_start(NormaliserState& state, const trace::RawEvent& event)
{
    if (const auto key = find_key(state, event, is_cut)) {
        state.waits.on_begin(event.time, state.actor_of(event), *key,
                             is_cut ? WaitFamily::DmaFence : WaitFamily::GpuFence);
    }
}

template <bool is_cut> void on_wait_end(NormaliserState& state, const trace::RawEvent& event)
{
    if (const auto key = find_key(state, event, is_cut)) {
        state.waits.on_end(event.time, state.threads.tid_of(event), *key,
                           is_cut ? WaitFamily::DmaFence : WaitFamily::GpuFence);
    }
}

constexpr std::array<EventSpec, 15> events{{
    {"gpu_fence_init", field::names, on_init<false>},
    {"gpu_fence_emit", field::names, on_emit<false>},
    {"gpu_fence_signaled", field::names, on_signaled<false>, false, false},
    {"gpu_fence_wait_start", field::names, on_wait_start<false>},
    {"gpu_fence_wait_end", field::names, on_wait_end<false>},
    {"dma_fence_init", field::names, on_init<true>},
    {"dma_fence_emit", field::names, on_emit<true>},
    {"dma_fence_signaled", field::names, on_signaled<true>, false, false},
    {"dma_fence_wait_start", field::names, on_wait_start<true>},
    {"dma_fence_wait_end", field::names, on_wait_end<true>},
    {"fence_init", field::names, on_init<true>},
    {"fence_emit", field::names, on_emit<true>},
    {"fence_signaled", field::names, on_signaled<true>, false, false},
    {"fence_wait_start", field::names, on_wait_start<true>},
    {"fence_wait_end", field::names, on_wait_end<true>},
}};

} // namespace

std::span<const EventSpec> gpu_fence_events()
{
    return events;
}

} // namespace lttng_gpu::model
