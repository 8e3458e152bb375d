// SPDX-License-Identifier: MIT
//
// Drivers without a scheduler and without events of their own that are read: one fence per job,
// made when the job is given to the hardware. qxl_release_fence_buffer_objects(),
// vmw_fence_create(), vc4_queue_submit().
#include "event_family.hpp"

namespace lttng_gpu::model {
namespace {

constexpr FenceHandler on_fence = fence_handler<on_plain_fence>;
constexpr std::array<FenceSpec, 3> fences{{
    {"qxl", on_fence, on_fence},
    {"vc4", on_fence, on_fence},
    {"vmwgfx", on_fence, on_fence},
}};

} // namespace

EventFamily plain_fences_family()
{
    return {"plain_fences", {}, fences, make_state<FamilyState>};
}

} // namespace lttng_gpu::model
