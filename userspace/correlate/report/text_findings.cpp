// SPDX-License-Identifier: MIT
//
// The part of the first screen with what a reader should know besides figures: jobs that failed,
// rings that were idle while jobs waited, jobs that blocked others, and what is missing, the worst
// first.
#include "text_call_account.hpp"
#include "text_failed_calls.hpp"
#include "text_format.hpp"
#include "text_lost.hpp"
#include "text_overview.hpp"
#include "text_relations.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>

namespace lttng_gpu::report {
namespace {

struct Finding {
    unsigned weight; // the greatest first
    std::int64_t amount;
    std::string text;
    Ink ink;
};

std::string name_of(const QueueReport& queue)
{
    return queue.device.empty() ? queue.ring : fmt::format("{} {}", queue.device, queue.ring);
}

std::string duration(std::int64_t nanoseconds)
{
    return human_duration(Duration{nanoseconds});
}

void add_faults(std::vector<Finding>& findings, const QueueReport& queue)
{
    const auto add = [&](std::uint64_t count, std::string_view what) {
        if (count > 0) {
            findings.push_back(
                {4, static_cast<std::int64_t>(count),
                 fmt::format("{}: {} job{} {}", name_of(queue), count, count == 1 ? "" : "s", what),
                 Ink::Bad});
        }
    };
    add(queue.faults.timed_out, "timed out");
    add(queue.faults.error, "failed");
    add(queue.faults.banned, "banned");
    if (queue.preemptions > 0) {
        findings.push_back({0, static_cast<std::int64_t>(queue.preemptions),
                            fmt::format("{}: {} preemption{}", name_of(queue), queue.preemptions,
                                        queue.preemptions == 1 ? "" : "s"),
                            Ink::Plain});
    }
}

void add_starvation(std::vector<Finding>& findings, const Report& report, const QueueReport& queue)
{
    constexpr double notable = 0.05;
    const std::int64_t time = queue.states.host_only;
    if (queue.phases.has_states() && share_of_window(time, report) >= notable) {
        findings.push_back(
            {2, time,
             fmt::format("{}: GPU idle for {} ({}) while jobs waited", name_of(queue),
                         duration(time), human_percent(share_of_window(time, report))),
             Ink::Warning});
    }
}

std::string person(const std::optional<Pid>& pid, const std::optional<Tid>& tid,
                   const std::string& comm)
{
    return pid ? fmt::format("{} {}", comm.empty() ? "?" : comm, pid->value())
               : thread_name(comm, tid);
}

std::string jobs_behind(const Stall& stall)
{
    constexpr std::size_t most_named = 2;
    std::vector<std::string> names;
    for (const StalledProcess& process : stall.behind_by) {
        names.push_back(names.size() < most_named ? person(process.pid, process.tid, process.comm)
                                                  : "others");
        if (names.size() > most_named) {
            break;
        }
    }
    return fmt::format("; {} job{} of {} wait{} behind it", stall.behind,
                       stall.behind == 1 ? "" : "s", fmt::join(names, ", "),
                       stall.behind == 1 ? "s" : "");
}

/// At the end of any trace some jobs have not ended; only one that is there for longer than any
/// other was is worth a line.
void add_stall(std::vector<Finding>& findings, const QueueReport& queue)
{
    if (!queue.stall || !queue.stall->is_longest) {
        return;
    }
    const Stall& stall = *queue.stall;
    const std::string fence =
        stall.seqno
            ? (stall.context ? fmt::format(" {}:{}", stall.context->value(), stall.seqno->value())
                             : fmt::format(" {}", stall.seqno->value()))
            : std::string{};
    findings.push_back(
        {4, stall.length,
         fmt::format("{}: job{} of {} has not {} in {}{}", name_of(queue), fence,
                     person(stall.pid, stall.tid, stall.comm),
                     stall.is_on_device ? "completed" : "left the host queue",
                     duration(stall.length), stall.behind > 0 ? jobs_behind(stall) : ""),
         Ink::Bad});
}

/// The same of threads: one that waits for longer than any wait that ended.
void add_open_waits(std::vector<Finding>& findings, const Report& report)
{
    for (const model::OpenWait& wait : report.trace.open_waits) {
        if (wait.is_longest && wait.begin < report.end) {
            const std::int64_t length = (report.end - wait.begin).value();
            findings.push_back({2, length, open_wait_text(wait, report.recording.begin, report.end),
                                Ink::Warning});
        }
    }
}

void add_blocking(std::vector<Finding>& findings, const Report& report, const QueueReport& queue)
{
    constexpr double notable = 0.01;
    for (const DependencyReport& dependency : queue.dependencies) {
        if (share_of_window(dependency.blocked, report) < notable) {
            continue;
        }
        const std::string producer =
            dependency.is_producer_known
                ? fmt::format("{} {} ({})", dependency.producer_device, dependency.producer_ring,
                              actor_text(dependency.producer_pid, dependency.producer_tid,
                                         dependency.producer_comm))
                : "fences of unknown jobs";
        findings.push_back({2, dependency.blocked,
                            fmt::format("{}: {} waited {} for {}", name_of(queue),
                                        actor_text(dependency.pid, dependency.tid, dependency.comm),
                                        duration(dependency.blocked), producer),
                            Ink::Warning});
    }
}

void add_unknown_starts(std::vector<Finding>& findings, const QueueReport& queue)
{
    if (queue.jobs_start_unknown == 0 || queue.is_firmware_scheduled) {
        return;
    }
    const bool is_parallel =
        std::ranges::any_of(queue.disorder, [](const auto& part) { return part.is_parallel(); });
    findings.push_back(
        {1, static_cast<std::int64_t>(queue.jobs_start_unknown),
         fmt::format("{}: start times of {} of {} jobs unknown ({})", name_of(queue),
                     queue.jobs_start_unknown, queue.jobs,
                     !queue.promises_order    ? "the driver does not keep jobs in order"
                     : is_parallel            ? "jobs run in parallel"
                     : queue.disorder.empty() ? "an event is missing"
                                              : "a job completed before an earlier one"),
         Ink::Plain});
}

/// One line for all rings: nothing is wrong with them.
void add_firmware(std::vector<Finding>& findings, const Report& report)
{
    std::uint64_t jobs = 0;
    std::uint64_t rings = 0;
    std::int64_t longest = 0;
    for (const QueueReport& queue : report.queues) {
        if (queue.is_firmware_scheduled && queue.jobs_start_unknown > 0) {
            jobs += queue.jobs_start_unknown;
            ++rings;
            longest = std::max(longest, queue.phases.on_device->max);
        }
    }
    if (jobs > 0) {
        findings.push_back(
            {2, static_cast<std::int64_t>(jobs),
             fmt::format("firmware schedules: start not known ({} job{} on {} ring{}; from "
                         "submitted to completed at most {})",
                         jobs, jobs == 1 ? "" : "s", rings, rings == 1 ? "" : "s",
                         duration(longest)),
             Ink::Plain});
    }
}

/// Programs make some jobs outside of their calls' functions, as when a context is made.
void add_unnamed_jobs(std::vector<Finding>& findings, const Report& report)
{
    if (!report.trace.calls) {
        return;
    }
    const model::CallAccount& calls = *report.trace.calls;
    constexpr double notable = 0.05;
    const std::uint64_t unnamed = calls.all_unnamed() - calls.at(model::NoCall::ProcessWithout);
    const double share =
        static_cast<double>(unnamed) /
        static_cast<double>(std::max<std::uint64_t>(unnamed + calls.all_named(), 1));
    if (share >= notable) {
        findings.push_back(
            {1, static_cast<std::int64_t>(unnamed), unnamed_jobs_text(report), Ink::Plain});
    }
}

/// A program may ask for something just to see whether it is there.
void add_failed_calls(std::vector<Finding>& findings, const Report& report)
{
    for (const ApiCallReport& call : report.api_calls) {
        if (call.failed > 0) {
            findings.push_back(
                {2, static_cast<std::int64_t>(call.failed), failed_calls_text(call), Ink::Warning});
        }
    }
}

/// The lines of "lost or incomplete", in their order.
void add_losses(std::vector<Finding>& findings, const Report& report)
{
    std::istringstream lines{trace_problems(report)};
    std::int64_t order = 0;
    for (std::string line; std::getline(lines, line); --order) {
        line.erase(0, line.find_first_not_of(' '));
        if (const auto gap = line.find("  "); gap != std::string::npos) {
            line.erase(gap, 1);
        }
        findings.push_back({3, order, line, Ink::Bad});
    }
}

} // namespace

std::string findings_section(const Overview& overview)
{
    const Report& report = overview.report;
    std::vector<Finding> findings;
    for (const QueueReport& queue : report.queues) {
        add_faults(findings, queue);
        add_stall(findings, queue);
        add_starvation(findings, report, queue);
        add_blocking(findings, report, queue);
        add_unknown_starts(findings, queue);
    }
    add_open_waits(findings, report);
    add_firmware(findings, report);
    add_failed_calls(findings, report);
    add_losses(findings, report);
    add_unnamed_jobs(findings, report);
    if (findings.empty()) {
        return {};
    }
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding& left, const Finding& right) {
                         return left.weight != right.weight ? left.weight > right.weight
                                                            : left.amount > right.amount;
                     });
    const Screen& screen = overview.screen;
    std::string text = "\n" + screen.painted("findings", Ink::Faint) + "\n";
    const std::size_t shown = std::min(findings.size(), overview.rows.findings);
    for (std::size_t place = 0; place < shown; ++place) {
        const Finding& finding = findings[place];
        text += screen.painted(wrapped(finding.text, screen.width), finding.ink) + "\n";
    }
    return text + more_rows(screen, findings.size(), shown, "findings");
}

} // namespace lttng_gpu::report
