// SPDX-License-Identifier: MIT
//
// Events of GPUs that no other family reads are counted by their names. What the patterns leave
// out are events that are known to tell nothing of jobs: fences being destroyed or asked to signal.
#include "event_family.hpp"

namespace lttng_gpu::model {
namespace {

constexpr std::array<std::string_view, 1> field_names{"$name"};

struct OtherEventNames : FamilyState {
    explicit OtherEventNames(EventContext& context) : FamilyState{context} {}
};

void on_other(OtherEventNames& state, const trace::RawEvent& event)
{
    state.others.count({}, find_text(event, 0));
}

constexpr EventSpec other(std::string_view pattern)
{
    return {pattern, field_names, handler<on_other>, false, false};
}

/// By the kernel's names of trace systems and the prefixes of their events.
constexpr std::array<EventSpec, 31> events{{
    other("drm_*"),     other("gpu_[!f]*"),    other("gpu_f[!e]*"),  other("i915_*"),
    other("intel_*"),   other("amdgpu_*"),     other("amd_sched_*"), other("amdkfd_*"),
    other("kfd_*"),     other("xe_*"),         other("msm_*"),       other("kgsl_*"),
    other("adreno_*"),  other("v3d_*"),        other("vc4_*"),       other("mali_*"),
    other("kbase_*"),   other("panfrost_*"),   other("panthor_*"),   other("pvr_*"),
    other("powervr_*"), other("lima_*"),       other("etnaviv_*"),   other("nouveau_*"),
    other("radeon_*"),  other("virtio_gpu_*"), other("ttm_*"),       other("host1x_*"),
    other("nvidia_*"),  other("asahi_*"),      other("amdxdna_*"),
}};

} // namespace

EventFamily other_events_family()
{
    return {"other_events", events, {}, make_state<OtherEventNames>};
}

} // namespace lttng_gpu::model
