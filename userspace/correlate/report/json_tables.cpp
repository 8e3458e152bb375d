// SPDX-License-Identifier: MIT
//
// See json_tables.hpp.
#include "json_tables.hpp"

#include "job_words.hpp"

#include <cmath>

namespace lttng_gpu::report {
namespace {

Json or_null(const std::optional<std::int64_t>& number)
{
    return number ? Json(*number) : Json(nullptr);
}

template <typename Number> Json or_null(const Known<Number>& number)
{
    return number ? Json(number->value()) : Json(nullptr);
}

/// Three significant digits after the point are more than anyone draws.
Json depths_json(const std::vector<double>& depths)
{
    Json all = Json::array();
    for (const double depth : depths) {
        constexpr double thousand = 1000;
        all.push_back(std::round(depth * thousand) / thousand);
    }
    return all;
}

} // namespace

Json over_time_json(const QueueReport& queue)
{
    if (queue.over_time.piece == 0 || queue.phases.is_unknown) {
        return nullptr;
    }
    const Phases& phases = queue.phases;
    return {
        {"piece_ns", queue.over_time.piece},
        {"host_queue", phases.has_host() ? depths_json(queue.over_time.host_queue) : Json(nullptr)},
        {"device", phases.has_device() ? depths_json(queue.over_time.device) : Json(nullptr)}};
}

Json stall_json(const QueueReport& queue)
{
    if (!queue.stall) {
        return nullptr;
    }
    const auto pid = [](const std::optional<Pid>& of) { return of ? Json(of->value()) : Json(); };
    const auto tid = [](const std::optional<Tid>& of) { return of ? Json(of->value()) : Json(); };
    const Stall& stall = *queue.stall;
    Json behind = Json::array();
    for (const StalledProcess& process : stall.behind_by) {
        behind.push_back({{"pid", pid(process.pid)},
                          {"tid", tid(process.tid)},
                          {"comm", text_or_null(process.comm)},
                          {"jobs", process.jobs}});
    }
    return {{"context", or_null(stall.context)},
            {"seqno", or_null(stall.seqno)},
            {"pid", pid(stall.pid)},
            {"tid", tid(stall.tid)},
            {"comm", text_or_null(stall.comm)},
            {"on_device", stall.is_on_device},
            {"since_ns", stall.since.value()},
            {"open_for_ns", stall.length},
            {"longer_than_any", stall.is_longest},
            {"jobs_behind", stall.behind},
            {"behind_by", behind}};
}

Json longest_json(const Report& report)
{
    Json all = Json::array();
    for (const LongJob& job : report.longest_jobs) {
        Json json;
        json["device"] = text_or_null(job.device);
        json["ring"] = text_or_null(job.ring);
        json["driver"] = text_or_null(job.driver);
        json["context"] = or_null(job.context);
        json["seqno"] = or_null(job.seqno);
        json["pid"] = or_null(job.pid);
        json["tid"] = or_null(job.tid);
        json["comm"] = text_or_null(job.comm);
        json["queued_ns"] = job.queued.value();
        json["total_ns"] = job.total;
        json["ended"] = !job.is_open;
        json["host_queue_ns"] = or_null(job.host_queue);
        json["device_queue_ns"] = or_null(job.device_queue);
        json["execution_ns"] = or_null(job.execution);
        json["fault"] = text_or_null(std::string{fault_text(job.fault)});
        json["intervals"] = job.intervals;
        json["api_call"] = text_or_null(job.api_call);
        json["debug_group"] = text_or_null(job.debug_group);
        all.push_back(std::move(json));
    }
    return all;
}

Json calls_json(const Report& report)
{
    Json all = Json::array();
    for (const CallReport& call : report.calls) {
        all.push_back({{"driver", text_or_null(call.driver)},
                       {"api_call", text_or_null(call.call)},
                       {"debug_group", text_or_null(call.debug_group)},
                       {"jobs", call.count},
                       {"failed", call.failed},
                       {"waited_ns", latency_json(call.waited)},
                       {"execution_ns", latency_json(call.execution)},
                       {"execution_share", call.share},
                       {"bytes", call.bytes > 0 ? Json(call.bytes) : Json(nullptr)},
                       {"bytes_per_second",
                        call.bytes_per_second ? Json(*call.bytes_per_second) : Json(nullptr)}});
    }
    return all;
}

Json reasons_json(const ReasonCosts& costs)
{
    Json all = Json::array();
    for (const ReasonCost& cost : costs.reasons) {
        Json most;
        most["device"] = text_or_null(cost.device);
        most["ring"] = text_or_null(cost.ring);
        most["pid"] = cost.pid ? Json(cost.pid->value()) : Json(nullptr);
        most["tid"] = cost.tid ? Json(cost.tid->value()) : Json(nullptr);
        most["comm"] = text_or_null(cost.comm);
        most["time_ns"] = cost.time_there;
        Json json;
        json["reason"] = cost.name;
        json["unknown_because"] = text_or_null(cost.cause);
        json["usual"] = cost.is_usual;
        json["jobs"] = cost.jobs;
        json["time_ns"] = cost.time;
        json["most"] = std::move(most);
        all.push_back(std::move(json));
    }
    return {{"jobs", costs.jobs},
            {"time_ns", costs.time},
            {"latency_ns", {{"count", costs.ended}, {"sum", costs.latency}}},
            {"jobs_left_out",
             {{"no_queue", costs.no_queue},
              {"no_submit", costs.no_submit},
              {"no_complete", costs.no_complete},
              {"no_times", costs.no_times}}},
            {"by_reason", std::move(all)}};
}

} // namespace lttng_gpu::report
