// SPDX-License-Identifier: MIT
//
// The report as JSON. The keys are an interface; others may be added but none
// of these may go or change its meaning without a new schema number.
#include "json_frames.hpp"
#include "json_kernels.hpp"
#include "json_tables.hpp"
#include "report_sink.hpp"
#include "text_call_account.hpp"
#include "text_counters.hpp"
#include "text_recording.hpp"

#include <fmt/format.h>
#include <limits>

namespace lttng_gpu::report {
namespace {

Json pid_json(const std::optional<Pid>& pid)
{
    return pid ? Json(pid->value()) : Json(nullptr);
}

/// Of a thread whose process is unknown; else null.
Json tid_json(const std::optional<Tid>& tid)
{
    return tid ? Json(tid->value()) : Json(nullptr);
}

Json waits_json(const WaitSummary& waits)
{
    return {{"latency_ns", latency_json(waits.length)},
            {"wake_up_ns", latency_json(waits.wake_up)},
            {"inferred", waits.inferred}};
}

/// What is not known is null, not zero.
template <typename Number> Json known(bool is_unknown, Number number)
{
    return is_unknown ? Json(nullptr) : Json(number);
}

Json queue_json(const QueuePhase& queue, bool is_unknown)
{
    Json histogram = Json::object();
    if (is_unknown) {
        return {{"depth_mean", nullptr},
                {"depth_max", nullptr},
                {"depth_hist_ns", histogram},
                {"latency_ns", latency_json(queue.latency)}};
    }
    for (std::size_t depth = 0; depth < queue.times_by_depth.size(); ++depth) {
        if (depth == 0 || queue.times_by_depth[depth] > 0) {
            histogram[std::to_string(depth)] = queue.times_by_depth[depth];
        }
    }
    return {{"depth_mean", queue.depth_mean},
            {"depth_max", queue.depth_max},
            {"depth_hist_ns", histogram},
            {"latency_ns", latency_json(queue.latency)}};
}

void add_phases(Json& target, const Phases& phases)
{
    target["host_queue"] = queue_json(phases.host_queue, !phases.has_host());
    target["device_queue"] = queue_json(phases.device_queue, !phases.has_device());
    if (phases.dependencies->count > 0) {
        target["host_queue"]["dependencies_ns"] = latency_json(phases.dependencies);
        target["host_queue"]["backend_ns"] = latency_json(phases.backend);
    }
    const bool has_device = phases.has_device();
    target["execution"] = {{"busy_ns", known(!has_device, phases.execution.busy)},
                           {"busy_ratio", known(!has_device, phases.execution.busy_ratio)},
                           {"latency_ns", latency_json(phases.execution.latency)}};
    if (phases.on_device->count > 0) {
        target["on_device"] = {{"latency_ns", latency_json(phases.on_device)}};
    }
    if (phases.observation->count > 0) {
        target["execution"]["observed_after_ns"] = latency_json(phases.observation);
    }
}

Json bounds_json(const Bounds& bounds)
{
    return Json::array({bounds.low, bounds.high ? Json(*bounds.high) : Json(nullptr)});
}

Json disorder_json(const QueueReport& queue)
{
    Json all = Json::array();
    for (const model::OrderEvidence::Disorder& part : queue.disorder) {
        // what reaches beyond the trace has no end of its own
        const auto time = [](Timestamp at, std::int64_t unlimited) {
            return at.value() == unlimited ? Json(nullptr) : Json(at.value());
        };
        all.push_back(
            {{"begin_ns", time(part.span.begin, std::numeric_limits<std::int64_t>::min())},
             {"end_ns", time(part.span.end, std::numeric_limits<std::int64_t>::max())},
             {"is_parallel", part.is_parallel()},
             {"pairs_in_order", part.agreements},
             {"pairs_out_of_order", part.contradictions}});
    }
    return all;
}

Json process_json(const ProcessReport& process)
{
    Json json;
    json["pid"] = pid_json(process.pid);
    json["tid"] = tid_json(process.tid);
    json["comm"] = text_or_null(process.comm);
    json["jobs"] = process.jobs;
    add_phases(json, process.phases);
    json["blocked_ns"] = process.blocked;
    if (process.waits.length->count > 0) {
        json["waits"] = waits_json(process.waits);
    }
    return json;
}

Json dependency_json(const DependencyReport& dependency)
{
    Json json;
    json["pid"] = pid_json(dependency.pid);
    json["tid"] = tid_json(dependency.tid);
    json["comm"] = text_or_null(dependency.comm);
    json["producer"] = nullptr;
    if (dependency.is_producer_known) {
        json["producer"] = {{"device", text_or_null(dependency.producer_device)},
                            {"ring", text_or_null(dependency.producer_ring)},
                            {"pid", pid_json(dependency.producer_pid)},
                            {"tid", tid_json(dependency.producer_tid)},
                            {"comm", text_or_null(dependency.producer_comm)}};
    }
    json["count"] = dependency.count;
    json["blocking"] = dependency.blocking;
    json["blocked_ns"] = dependency.blocked;
    return json;
}

Json foreign_waits_json(const Report& report)
{
    Json all = Json::array();
    for (const ForeignWaits& foreign : report.foreign_waits) {
        Json json;
        json["pid"] = pid_json(foreign.pid);
        json["tid"] = tid_json(foreign.tid);
        json["comm"] = text_or_null(foreign.comm);
        json.update(waits_json(foreign.waits));
        all.push_back(std::move(json));
    }
    return all;
}

Json clocks_json(const Report& report)
{
    Json all = Json::array();
    for (const model::ClockAccount& clock : report.trace.clocks) {
        constexpr double millionth = 1e6;
        Json json;
        json["device"] = text_or_null(clock.device);
        json["pid"] = pid_json(clock.pid);
        json["commands_mapped"] = clock.mapped;
        json["bounds"] = clock.bounds;
        json["offset_ns"] = clock.offset ? Json(clock.offset->value()) : Json(nullptr);
        json["drift_ppm"] = clock.drift ? Json(clock.drift->rate * millionth) : Json(nullptr);
        json["drift_error_ppm"] =
            clock.drift ? Json(clock.drift->error * millionth) : Json(nullptr);
        json["splits"] = clock.splits;
        json["reports_refused"] = clock.refused;
        json["error_mean_ns"] = clock.mapped > 0 ? Json(clock.error_mean) : Json(nullptr);
        json["error_max_ns"] = clock.mapped > 0 ? Json(clock.error_most.value()) : Json(nullptr);
        json["matching"] = {{"basis", clock.aligned > 0 ? "alignment" : "causality"},
                            {"commands_aligned", clock.aligned},
                            {"error_max_ns", clock.aligned > 0
                                                 ? Json(clock.aligned_error_most.value())
                                                 : Json(nullptr)}};
        json["invalid"] = {{"unavailable", clock.unavailable},
                           {"disordered", clock.disordered},
                           {"implausible", clock.implausible},
                           {"unmapped", clock.unmapped}};
        all.push_back(std::move(json));
    }
    return all;
}

Json open_waits_json(const Report& report)
{
    Json all = Json::array();
    for (const model::OpenWait& wait : report.trace.open_waits) {
        Json json;
        json["pid"] = pid_json(wait.actor.pid);
        json["tid"] = tid_json(wait.actor.tid);
        json["comm"] = text_or_null(wait.comm);
        json["context"] = wait.fence.context->value();
        json["seqno"] = wait.fence.seqno->value();
        json["driver"] = text_or_null(wait.driver);
        json["timeline"] = text_or_null(wait.timeline);
        json["device"] = text_or_null(wait.device);
        json["ring"] = text_or_null(wait.ring);
        json["begin_ns"] = wait.begin.value();
        json["longer_than_any"] = wait.is_longest;
        all.push_back(std::move(json));
    }
    return all;
}

/// Without its processes and dependencies, which are last.
Json ring_json(const QueueReport& queue)
{
    Json json;
    json["device"] = text_or_null(queue.device);
    json["ring"] = text_or_null(queue.ring);
    json["driver"] = text_or_null(queue.driver);
    json["jobs"] = queue.jobs;
    json["jobs_without_times"] = queue.jobs_without_times;
    json["latency_ns"] = {{"count", queue.latency.jobs}, {"sum", queue.latency.sum}};
    json["jobs_start_inferred"] = queue.jobs_start_inferred;
    json["jobs_start_unknown"] = queue.jobs_start_unknown;
    json["jobs_completion_inferred"] = queue.jobs_completion_inferred;
    json["fifo_violations"] = queue.fifo_violations;
    json["order"] = {{"pairs_in_order", queue.pairs_in_order},
                     {"pairs_out_of_order", queue.fifo_violations},
                     {"disorder", disorder_json(queue)}};
    json["is_firmware_scheduled"] = queue.is_firmware_scheduled;
    json["preemptions"] = queue.preemptions;
    json["faults"] = {{"timed_out", queue.faults.timed_out},
                      {"error", queue.faults.error},
                      {"banned", queue.faults.banned}};
    add_phases(json, queue.phases);
    json["host_queue"]["depth_mean_bounds"] =
        bounds_json(queue.phases.host_queue.depth_mean_bounds);
    json["device_queue"]["depth_mean_bounds"] =
        bounds_json(queue.phases.device_queue.depth_mean_bounds);
    json["execution"]["busy_ratio_bounds"] = bounds_json(queue.phases.execution.busy_ratio_bounds);
    json["unknown_because"] = text_or_null(unknown_words(queue.phases));
    const auto state = [&](std::int64_t time) { return known(!queue.phases.has_states(), time); };
    json["state_ns"] = {{"idle", state(queue.states.idle)},
                        {"host_only", state(queue.states.host_only)},
                        {"device_only", state(queue.states.device_only)},
                        {"both", state(queue.states.both)}};
    json["occupancy_over_time"] = over_time_json(queue);
    json["oldest_open_job"] = stall_json(queue);
    return json;
}

Json recording_json(const RecordingNote& recording)
{
    Json gaps = Json::array();
    for (const model::CpuGap& gap : recording.gaps) {
        gaps.push_back({{"cpu", gap.cpu.value()},
                        {"cause", name_of(gap.kind)},
                        {"begin_ns", gap.span.begin.value()},
                        {"end_ns", gap.span.end.value()},
                        {"announced", gap.is_announced}});
    }
    Json clocks = Json::array();
    for (const ClockNote& clock : recording.clocks) {
        clocks.push_back({{"cpu", clock.cpu.value()},
                          {"offset_ns", clock.offset.value()},
                          {"error_ns", clock.error.value()}});
    }
    return {{"begin_ns", recording.begin.value()},
            {"end_ns", recording.end.value()},
            {"gaps", gaps},
            {"clock_corrections", clocks},
            {"clocks_contradict", recording.has_unexplained_clocks}};
}

/// Null: no calls were recorded.
Json call_account_json(const Report& report)
{
    if (!report.trace.calls) {
        return nullptr;
    }
    const model::CallAccount& calls = *report.trace.calls;
    Json unnamed = Json::object();
    for (std::size_t cause = 0; cause < model::no_call_count; ++cause) {
        unnamed[std::string{model::no_call_texts[cause].name}] = calls.unnamed[cause];
    }
    return {{"named",
             {{"same_thread", calls.same_thread},
              {"only_command", calls.only_command},
              {"helper_thread", calls.helper_thread},
              {"device_time", 0}, // of schema 1: such names are estimates, counted below
              {"estimated", calls.estimated}}},
            {"unnamed", unnamed},
            {"recorded",
             {{"ioctls", calls.has_ioctls},
              {"sched", calls.has_sched},
              {"device_times", calls.has_device_times}}},
            {"advice", text_or_null(call_advice(report))}};
}

/// Events of GPUs of which no job is made.
void add_others(Json& accounting, const model::OtherEventAccount& others)
{
    Json& display = accounting["display_fences"] = Json::array();
    for (const model::DisplayFences& fences : others.display) {
        display.push_back({{"driver", text_or_null(fences.driver)},
                           {"timeline", text_or_null(fences.timeline)},
                           {"made", fences.made},
                           {"signaled", fences.signaled}});
    }
    Json& unfenced = accounting["unfenced_commands"] = Json::array();
    for (const model::UnfencedCommands& commands : others.unfenced) {
        const bool has_times = commands.answered > 0;
        const auto answered = static_cast<std::int64_t>(commands.answered);
        unfenced.push_back(
            {{"device", text_or_null(commands.device)},
             {"queue", text_or_null(commands.queue)},
             {"queued", commands.queued},
             {"answered", commands.answered},
             {"answers_unmatched", commands.unmatched},
             {"depth_max", commands.depth_most},
             {"mean_ns", has_times ? Json(commands.time_sum / answered) : Json(nullptr)},
             {"max_ns", has_times ? Json(commands.time_most) : Json(nullptr)}});
    }
    Json& unknown = accounting["not_understood"] = Json::array();
    for (const model::EventNotUnderstood& event : others.not_understood) {
        unknown.push_back({{"driver", text_or_null(event.driver)},
                           {"event", text_or_null(event.event)},
                           {"count", event.count}});
    }
    accounting["events_of_further_names"] = others.left_out;
}

Json accounting_json(const Report& report)
{
    Json unannounced = Json::object();
    for (std::size_t index = 0; index < anomaly_texts.size(); ++index) {
        if (is_unannounced_loss(static_cast<Anomaly>(index))) {
            unannounced[std::string{anomaly_texts[index].name}] =
                report.trace.anomalies.at(static_cast<Anomaly>(index));
        }
    }
    Json anomalies = Json::object();
    for (std::size_t index = 0; index < anomaly_texts.size(); ++index) {
        anomalies[std::string{anomaly_texts[index].name}] =
            report.trace.anomalies.at(static_cast<Anomaly>(index));
    }
    Json json = {{"events_read", report.trace.events_read},
                 {"events_lost", report.trace.events_lost},
                 {"packets_lost", report.trace.packets_lost},
                 {"losses_of_unknown_size", report.trace.losses_of_unknown_size},
                 {"losses_told", report.trace.announces_losses},
                 {"jobs_complete", report.jobs.complete},
                 {"jobs_incomplete",
                  {{"no_queue", report.jobs.no_queue},
                   {"no_submit", report.jobs.no_submit},
                   {"no_complete", report.jobs.no_complete},
                   {"no_times", report.jobs.no_times}}},
                 {"jobs_lost", report.jobs.lost},
                 {"api_calls_of_jobs", call_account_json(report)},
                 {"unannounced", unannounced},
                 {"intervals_out_of_order", report.intervals_out_of_order},
                 {"dependencies_without_ring", report.dependencies_without_ring},
                 {"anomalies", anomalies}};
    add_others(json, report.trace.others);
    return json;
}

/// Thread names are bytes, not always UTF-8.
std::string dumped(const Json& json)
{
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

/// The lines after the first one are moved to the right. Texts have no line ends.
std::string indented(std::string_view lines, std::size_t spaces)
{
    std::string text;
    for (const char letter : lines) {
        text += letter;
        if (letter == '\n') {
            text.append(spaces, ' ');
        }
    }
    return text;
}

/// A list that is a member of an object whose members have this indent, element by element: as JSON
/// in memory a ring is tens of kilobytes, and a ring may have a million processes.
template <typename Elements, typename Write>
void write_list(std::string_view name, const Elements& elements, std::size_t indent,
                const TextSink& sink, const Write& write)
{
    const std::string line = "\n" + std::string(indent, ' ');
    sink(fmt::format(",{}\"{}\": [", line, name));
    bool is_first = true;
    for (const auto& element : elements) {
        sink(fmt::format("{}{}  ", is_first ? "" : ",", line));
        write(element);
        is_first = false;
    }
    sink(is_first ? "]" : line + "]");
}

void write_ring(const QueueReport& queue, const TextSink& sink)
{
    constexpr std::size_t depth = 4; // of the ring
    constexpr std::size_t deeper = 8;
    const std::string head = dumped(ring_json(queue));
    sink(indented(std::string_view{head}.substr(0, head.size() - 2), depth));
    write_list("processes", queue.processes, depth + 2, sink, [&](const ProcessReport& process) {
        sink(indented(dumped(process_json(process)), deeper));
    });
    write_list("dependencies", queue.dependencies, depth + 2, sink,
               [&](const DependencyReport& dependency) {
                   sink(indented(dumped(dependency_json(dependency)), deeper));
               });
    sink("\n    }");
}

/// The object up to its closing brace, and that alone.
void write_opened(const Json& json, const TextSink& sink)
{
    const std::string text = dumped(json);
    sink(std::string_view{text}.substr(0, text.size() - 2));
}

/// The members only, after others.
void write_continued(const Json& json, const TextSink& sink)
{
    const std::string text = dumped(json);
    sink(",");
    sink(std::string_view{text}.substr(1));
}

} // namespace

void write_json(const Report& report, const TextSink& sink)
{
    Json before;
    before["schema"] = "lttng-gpu/report/1";
    before["window"] = {{"begin_ns", report.begin.value()}, {"end_ns", report.end.value()}};
    before["recording"] = recording_json(report.recording);
    before["accounting"] = accounting_json(report);
    write_opened(before, sink);
    write_list("queues", report.queues, 2, sink,
               [&](const QueueReport& queue) { write_ring(queue, sink); });
    Json after;
    after["waits_for_other_fences"] = foreign_waits_json(report);
    after["open_waits"] = open_waits_json(report);
    after["device_clocks"] = clocks_json(report);
    if (!report.trace.counters.empty()) {
        after["counters"] = counters_json(report);
    }
    after["longest_jobs"] = longest_json(report);
    after["api_calls_by_name"] = calls_json(report);
    add_frames_json(after, report);
    if (report.traced_kernels) {
        after["device_trace"] = traced_kernels_json(*report.traced_kernels);
    }
    if (report.reasons) {
        after["reasons"] = reasons_json(*report.reasons);
    }
    write_continued(after, sink);
    sink("\n");
}

} // namespace lttng_gpu::report
