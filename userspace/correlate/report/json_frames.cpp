// SPDX-License-Identifier: MIT
//
// See json_frames.hpp.
#include "json_frames.hpp"

#include "frame_row.hpp"

#include <nlohmann/json.hpp>

namespace lttng_gpu::report {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text)
{
    return text.empty() ? Json(nullptr) : Json(text);
}

Json lengths_json(const LatencySummary& lengths)
{
    return {{"count", lengths.count}, {"min", lengths.min},
            {"p50", lengths.p50},     {"p90", lengths.p90},
            {"p99", lengths.p99},     {"max", lengths.max},
            {"sum", lengths.sum},     {"error_ratio", lengths.error_ratio}};
}

Json surface_json(const SurfaceReport& surface)
{
    Json late_by = Json::object();
    for (std::size_t part = 0; part < surface.late_by.size(); ++part) {
        late_by[std::string{frame_part_text(static_cast<model::FramePart>(part))}] =
            surface.late_by[part];
    }
    Json json;
    json["api"] = text_or_null(surface.api);
    json["pid"] = surface.pid ? Json(surface.pid->value()) : Json(nullptr);
    json["comm"] = text_or_null(surface.comm);
    json["surface"] = surface.surface;
    json["frames"] = surface.frames;
    json["frames_judged"] = surface.judged;
    json["late"] = surface.late;
    json["late_by"] = late_by;
    json["jobs"] = surface.jobs;
    json["jobs_by_time"] = surface.jobs_by_time;
    json["interval_ns"] = lengths_json(surface.interval);
    json["in_calls_ns"] = lengths_json(surface.in_calls);
    json["in_calls_on_cpu_ns"] = lengths_json(surface.in_calls_on_cpu);
    json["host_queue_ns"] = lengths_json(surface.host_queue);
    json["device_queue_ns"] = lengths_json(surface.device_queue);
    json["execution_wall_ns"] = lengths_json(surface.execution);
    json["gpu_ns"] = lengths_json(surface.gpu);
    json["observed_after_ns"] = lengths_json(surface.observation);
    return json;
}

Json jobs_json(const CallJobs& jobs)
{
    return {
        {"count", jobs.count},
        {"without_times", jobs.without_times},
        {"host_queue_ns", jobs.host_queue},
        {"device_queue_ns", jobs.device_queue},
        {"execution_ns", jobs.execution},
        {"learned", jobs.learned},
        {"learned_after_ns", jobs.learned > 0 ? Json(jobs.learned_after) : Json(nullptr)},
        {"learned_after_max_ns", jobs.learned > 0 ? Json(jobs.learned_after_max) : Json(nullptr)}};
}

/// Null: no sched_switch tells it of any call.
Json on_cpu_json(const ApiCallReport& call)
{
    if (call.on_cpu_known == 0) {
        return nullptr;
    }
    return {{"calls", call.on_cpu_known}, {"time_ns", call.on_cpu_of}, {"cpu_ns", call.on_cpu}};
}

Json errors_json(const ApiCallReport& call)
{
    Json all = Json::array();
    for (const auto& [error, count] : call.errors) {
        all.push_back({{"result", error}, {"count", count}});
    }
    return all;
}

} // namespace

void add_frames_json(Json& target, const Report& report)
{
    if (!report.frames.empty()) {
        Json& all = target["frames"] = Json::array();
        for (const SurfaceReport& surface : report.frames) {
            all.push_back(surface_json(surface));
        }
    }
    if (!report.api_calls.empty()) {
        Json& all = target["api_calls"] = Json::array();
        for (const ApiCallReport& call : report.api_calls) {
            all.push_back({{"name", text_or_null(call.name)},
                           {"count", call.count},
                           {"time_ns", call.time},
                           {"on_cpu", on_cpu_json(call)},
                           {"failed", call.failed},
                           {"errors", errors_json(call)},
                           {"jobs", jobs_json(call.jobs)},
                           {"commands", jobs_json(call.commands)}});
        }
    }
}

} // namespace lttng_gpu::report
