// SPDX-License-Identifier: MIT
//
// Drivers on drm_sched whose firmware schedules, and how their rings are called: most traces do not
// name the driver. Names are those that drm_sched_init() gets.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace lttng_gpu::model {

inline constexpr std::array<std::string_view, 5> firmware_drivers{"xe", "panthor", "powervr",
                                                                  "nouveau", "amdxdna"};

/// xe's exec queues: engine class and guc_id, guc_exec_queue_init().
constexpr bool is_xe_ring(std::string_view name)
{
    constexpr std::array<std::string_view, 6> classes{"rcs", "ccs", "bcs", "vcs", "vecs", "gsccs"};
    return std::any_of(classes.begin(), classes.end(), [name](std::string_view engine_class) {
        return name.size() > engine_class.size() && name.starts_with(engine_class) &&
               name.find_first_not_of("0123456789", engine_class.size()) == std::string_view::npos;
    });
}

/// Of a scheduler of drm_sched; empty: no firmware is known to schedule its jobs.
constexpr std::string_view firmware_driver_of(std::string_view scheduler)
{
    if (scheduler.starts_with("panthor-queue")) { // group_create_queue()
        return "panthor";
    }
    if (scheduler.starts_with("pvr-queue")) { // pvr_queue_create()
        return "powervr";
    }
    if (scheduler == "nouveau_sched") { // one per channel, nouveau_sched_init()
        return "nouveau";
    }
    if (scheduler == "amdxdna_js") { // one per hardware context, aie2_hwctx_init()
        return "amdxdna";
    }
    return is_xe_ring(scheduler) ? "xe" : std::string_view{};
}

} // namespace lttng_gpu::model
