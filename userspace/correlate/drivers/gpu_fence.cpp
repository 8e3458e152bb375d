// SPDX-License-Identifier: MIT
//
// Trace systems gpu_fence (ours, full 64-bit numbers), dma_fence and, before
// v4.10, fence (the kernel's, which cut context and seqno to 32 bits). Signaled
// may end a job; init and emit tell of jobs that nothing else tells of; a thread
// waits between wait_start and wait_end. The other fence events are not needed.
#include "event_family.hpp"

namespace lttng_gpu::model {
namespace {

namespace field {
enum : std::size_t { Driver, Timeline, Context, Seqno };
constexpr std::array<std::string_view, 4> names{"driver", "timeline", "context", "seqno"};
} // namespace field

struct GpuFence : FamilyState {
    explicit GpuFence(EventContext& context)
        : FamilyState{context}, families{context.fences}, waits_of_gpu_fence{waits.add_source()},
          waits_of_dma_fence{waits.add_source()}
    {
    }

    const FenceFamilies& families;
    WaitSource waits_of_gpu_fence;
    WaitSource waits_of_dma_fence;
};

std::optional<JobKey> find_key(GpuFence& state, const trace::RawEvent& event, bool is_cut)
{
    const auto context = find_unsigned(event, field::Context);
    const auto seqno = find_unsigned(event, field::Seqno);
    if (!context || !seqno) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return {};
    }
    return fence_key(event.trace, *context, *seqno, is_cut);
}

/// What the event is called since v4.10.
template <bool is_cut, bool is_init> constexpr std::string_view name_of()
{
    if constexpr (is_cut) {
        return is_init ? "dma_fence_init" : "dma_fence_emit";
    } else {
        return is_init ? "gpu_fence_init" : "gpu_fence_emit";
    }
}

/// One more job may begin with it, or go on.
template <bool is_cut, FenceHandler FenceSpec::*action>
void on_made(GpuFence& state, const trace::RawEvent& event)
{
    const std::string_view driver = find_text(event, field::Driver);
    const std::string_view timeline = find_text(event, field::Timeline);
    if (FenceFamilies::is_display(driver, timeline)) {
        if constexpr (action == &FenceSpec::on_init) {
            state.others.count_display(driver, timeline, false);
        }
        return;
    }
    const FenceFamilies::Entry* family = state.families.find(driver, timeline);
    if (family == nullptr) {
        state.others.count(driver, name_of<is_cut, action == &FenceSpec::on_init>());
        if (const auto context = find_unsigned(event, field::Context)) {
            state.shared_rings.note_hardware(event.trace, timeline, *context);
        }
    }
    if (family == nullptr || family->spec->*action == nullptr) {
        return;
    }
    if (const auto key = find_key(state, event, is_cut)) {
        (family->spec->*action)(*family->family, {event, *key, driver, timeline});
    }
}

template <bool is_cut> void on_init(GpuFence& state, const trace::RawEvent& event)
{
    on_made<is_cut, &FenceSpec::on_init>(state, event);
}

template <bool is_cut> void on_emit(GpuFence& state, const trace::RawEvent& event)
{
    on_made<is_cut, &FenceSpec::on_emit>(state, event);
}

template <bool is_cut> void on_signaled(GpuFence& state, const trace::RawEvent& event)
{
    // by far the most frequent of them: not by way of find_key()
    const auto context = find_unsigned(event, field::Context);
    const auto seqno = find_unsigned(event, field::Seqno);
    if (!context || !seqno) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return;
    }
    const std::string_view driver = find_text(event, field::Driver);
    const std::string_view timeline = find_text(event, field::Timeline);
    const FenceFamilies::Entry* family = state.families.find(driver, timeline);
    FenceOwner owner = family != nullptr ? family->spec->owner : FenceOwner::Other;
    const bool is_display = FenceFamilies::is_display(driver, timeline);
    if (is_display) {
        state.others.count_display(driver, timeline, true);
        owner = FenceOwner::Other;
    }
    const JobIndex job =
        state.jobs.signaled(event.time, {event.trace, FenceContext{*context}, FenceSeqno{*seqno},
                                         is_cut, owner, timeline});
    if (family == nullptr && !is_display && job == no_job) {
        state.others.count(driver, is_cut ? "dma_fence_signaled" : "gpu_fence_signaled");
    }
    state.waits.on_signaled(event.time, fence_key(event.trace, *context, *seqno, is_cut));
}

template <bool is_cut> void on_wait_start(GpuFence& state, const trace::RawEvent& event)
{
    if (const auto key = find_key(state, event, is_cut)) {
        state.waits.on_begin(event.time, state.actor_of(event), *key,
                             is_cut ? state.waits_of_dma_fence : state.waits_of_gpu_fence,
                             {find_text(event, field::Driver), find_text(event, field::Timeline)});
    }
}

template <bool is_cut> void on_wait_end(GpuFence& state, const trace::RawEvent& event)
{
    if (const auto key = find_key(state, event, is_cut)) {
        state.waits.on_end(event.time, state.threads.tid_of(event), *key,
                           is_cut ? state.waits_of_dma_fence : state.waits_of_gpu_fence);
    }
}

constexpr std::array<EventSpec, 15> events{{
    {"gpu_fence_init", field::names, handler<on_init<false>>},
    {"gpu_fence_emit", field::names, handler<on_emit<false>>},
    {"gpu_fence_signaled", field::names, handler<on_signaled<false>>, false, false},
    {"gpu_fence_wait_start", field::names, handler<on_wait_start<false>>},
    {"gpu_fence_wait_end", field::names, handler<on_wait_end<false>>},
    {"dma_fence_init", field::names, handler<on_init<true>>},
    {"dma_fence_emit", field::names, handler<on_emit<true>>},
    {"dma_fence_signaled", field::names, handler<on_signaled<true>>, false, false},
    {"dma_fence_wait_start", field::names, handler<on_wait_start<true>>},
    {"dma_fence_wait_end", field::names, handler<on_wait_end<true>>},
    {"fence_init", field::names, handler<on_init<true>>},
    {"fence_emit", field::names, handler<on_emit<true>>},
    {"fence_signaled", field::names, handler<on_signaled<true>>, false, false},
    {"fence_wait_start", field::names, handler<on_wait_start<true>>},
    {"fence_wait_end", field::names, handler<on_wait_end<true>>},
}};

} // namespace

EventFamily gpu_fence_family()
{
    return {"gpu_fence", events, {}, make_state<GpuFence>};
}

} // namespace lttng_gpu::model
