// SPDX-License-Identifier: MIT
//
// See text_relations.hpp.
#include "text_relations.hpp"

#include "text_format.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace lttng_gpu::report {
namespace {

std::string human_ns(std::int64_t nanoseconds)
{
    return human_duration(Duration{nanoseconds});
}

std::string share(std::int64_t part, Duration window)
{
    const auto length = static_cast<double>(window.value());
    return length > 0 ? human_percent(static_cast<double>(part) / length) : std::string{"-"};
}

std::string more_line(std::size_t all)
{
    return all > longest_list
               ? fmt::format("  {:>8} {} more, see --format json\n", "...", all - longest_list)
               : std::string{};
}

std::string producer_text(const DependencyReport& dependency)
{
    if (!dependency.is_producer_known) {
        return "a fence of an unknown job";
    }
    return fmt::format(
        "{} {}, {}", dependency.producer_device, dependency.producer_ring,
        actor_text(dependency.producer_pid, dependency.producer_tid, dependency.producer_comm));
}

std::string wait_header(std::string_view title)
{
    return fmt::format("\n{}\n  {:>8} {:<18} {:>8} {:>10} {:>10} {:>10} {:>10} {:>12}\n", title,
                       "pid", "comm", "waits", "total", "p50", "p99", "max", "wake-up p50");
}

std::string wait_line(const std::optional<Pid>& pid, const std::optional<Tid>& tid,
                      const std::string& comm, const WaitSummary& waits)
{
    const LatencySummary& length = waits.length;
    return fmt::format("  {:>8} {:<18} {:>8} {:>10} {:>10} {:>10} {:>10} {:>12}\n",
                       pid ? std::to_string(pid->value()) : "?",
                       shortened(thread_name(comm, tid), 18), length.count, human_ns(length.sum),
                       human_ns(length.p50), human_ns(length.p99), human_ns(length.max),
                       waits.wake_up->count > 0 ? human_ns(waits.wake_up->p50) : "-");
}

} // namespace

std::string actor_text(const std::optional<Pid>& pid, const std::optional<Tid>& tid,
                       const std::string& comm)
{
    return fmt::format("{} {}", pid ? std::to_string(pid->value()) : "?", thread_name(comm, tid));
}

std::string open_wait_text(const model::OpenWait& wait, Timestamp trace_begin, Timestamp end)
{
    std::string of;
    const auto add = [&of](const std::string& word) {
        if (!word.empty()) {
            of += (of.empty() ? "" : " ") + word;
        }
    };
    add(wait.driver);
    add(wait.timeline);
    if (!wait.ring.empty()) {
        of += fmt::format("{}ring {}{}", of.empty() ? "" : ", ",
                          wait.device.empty() ? "" : wait.device + " ", wait.ring);
    }
    return fmt::format(
        "thread {}{} waits since +{} ({}) for fence {}:{}{}, still at the end of the "
        "trace",
        thread_name(wait.comm, wait.actor.tid),
        wait.actor.pid ? fmt::format(" ({})", wait.actor.pid->value()) : "",
        human_duration(wait.begin - trace_begin), human_duration(end - wait.begin),
        wait.fence.context->value(), wait.fence.seqno->value(), of.empty() ? "" : " (" + of + ")");
}

std::string open_wait_lines(const Report& report)
{
    std::string text;
    for (const model::OpenWait& wait : report.trace.open_waits) {
        text += "\n" + open_wait_text(wait, report.recording.begin, report.end);
    }
    return text.empty() ? text : text + "\n";
}

std::string dependency_lines(const QueueReport& queue, Duration window)
{
    if (queue.dependencies.empty()) {
        return {};
    }
    constexpr std::string_view row = "  {:<62} {:>8} {:>9} {:>9} {:>7}\n";
    std::string text =
        "\n" + fmt::format(row, "jobs waited for", "count", "blocking", "blocked", "share");
    std::size_t shown = 0;
    for (const ProcessReport& process : queue.processes) {
        const auto is_own = [&](const DependencyReport& dependency) {
            return dependency.pid == process.pid && dependency.tid == process.tid &&
                   dependency.comm == process.comm;
        };
        auto next = std::find_if(queue.dependencies.begin(), queue.dependencies.end(), is_own);
        if (next == queue.dependencies.end() || shown >= longest_list) {
            continue;
        }
        text += fmt::format(row, shortened(actor_text(process.pid, process.tid, process.comm), 62),
                            "", "", human_ns(process.blocked), share(process.blocked, window));
        for (; next != queue.dependencies.end() && shown < longest_list;
             next = std::find_if(std::next(next), queue.dependencies.end(), is_own), ++shown) {
            text += fmt::format(row, "  " + shortened(producer_text(*next), 60), next->count,
                                next->blocking, next->blocking > 0 ? human_ns(next->blocked) : "-",
                                next->blocking > 0 ? share(next->blocked, window) : "-");
        }
    }
    return text + more_line(queue.dependencies.size());
}

std::string wait_lines(const QueueReport& queue)
{
    std::vector<const ProcessReport*> waiters;
    for (const ProcessReport& process : queue.processes) {
        if (process.waits.length->count > 0) {
            waiters.push_back(&process);
        }
    }
    if (waiters.empty()) {
        return {};
    }
    std::stable_sort(waiters.begin(), waiters.end(), [](const auto* left, const auto* right) {
        return left->waits.length->sum > right->waits.length->sum;
    });
    std::string text = wait_header("  threads that waited for jobs of this ring");
    for (std::size_t index = 0; index < std::min(waiters.size(), longest_list); ++index) {
        const ProcessReport& waiter = *waiters[index];
        text += wait_line(waiter.pid, waiter.tid, waiter.comm, waiter.waits);
    }
    return text + more_line(waiters.size());
}

std::string foreign_wait_lines(const Report& report)
{
    if (report.foreign_waits.empty()) {
        return {};
    }
    std::string text = wait_header("threads that waited for fences of unknown jobs");
    for (std::size_t index = 0; index < std::min(report.foreign_waits.size(), longest_list);
         ++index) {
        const ForeignWaits& foreign = report.foreign_waits[index];
        text += wait_line(foreign.pid, foreign.tid, foreign.comm, foreign.waits);
    }
    return text + more_line(report.foreign_waits.size());
}

} // namespace lttng_gpu::report
