// SPDX-License-Identifier: MIT
//
// See json_kernels.hpp.
#include "json_kernels.hpp"

namespace lttng_gpu::report {
namespace {

Json number_or_null(const std::optional<double>& number)
{
    return number ? Json(*number) : Json(nullptr);
}

Json costly_json(const CostlyLocation& location)
{
    const bool is_named = !location.kind.empty();
    return {{"location", location.number},
            {"kind", text_or_null(location.kind)},
            {"function", text_or_null(location.function)},
            {"line", is_named ? Json(location.line) : Json(nullptr)},
            {"column", is_named ? Json(location.column) : Json(nullptr)},
            {"executions", location.executions},
            {"lanes_mean", number_or_null(location.lanes)},
            {"share", location.share},
            {"share_of", location.is_of_time ? "time" : "executions"}};
}

Json kernel_json(const TracedKernel& kernel)
{
    return {{"name", kernel.name},
            {"program", kernel.program},
            {"unit", kernel.has_warps ? "warp" : "work-item"},
            {"launches", kernel.launches},
            {"executions", kernel.executions},
            {"lanes_mean", number_or_null(kernel.lanes)},
            {"most_expensive", kernel.costly ? costly_json(*kernel.costly) : Json(nullptr)},
            {"imbalance", number_or_null(kernel.imbalance)},
            {"tail_ratio", number_or_null(kernel.tail)},
            {"records_lost", kernel.lost_records}};
}

} // namespace

Json traced_kernels_json(const TracedKernels& traced)
{
    Json kernels = Json::array();
    for (const TracedKernel& kernel : traced.kernels) {
        kernels.push_back(kernel_json(kernel));
    }
    return {{"kernels", std::move(kernels)},
            {"untraced", Json(traced.untraced)},
            {"launches_unread", traced.launches_unread},
            {"parts_lost", traced.parts_lost},
            {"parts_damaged", traced.parts_damaged},
            {"clock_conflicts", traced.conflicts},
            {"details", "lttng-gpu device"}};
}

} // namespace lttng_gpu::report
