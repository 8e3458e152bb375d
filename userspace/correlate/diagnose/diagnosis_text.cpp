// SPDX-License-Identifier: MIT
//
// See diagnosis_writer.hpp. Here: text for people.
#include "condensed_parts.hpp"
#include "diagnosis_writer.hpp"

#include "../base/printable_text.hpp"
#include "../coverage/recording_advice.hpp"
#include "../report/text_format.hpp"
#include "../report/text_relations.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace lttng_gpu::diagnose {
namespace {

constexpr std::size_t most_reasons_of_group = 5;
constexpr std::size_t most_groups_shown = 5;
constexpr double least_share = 0.005; // smaller parts are told together

double ratio(Duration part, Duration whole)
{
    return whole.value() == 0
               ? 0
               : static_cast<double>(part.value()) / static_cast<double>(whole.value());
}

std::string fence_text(const FenceId& fence)
{
    return fence.context && fence.seqno
               ? fmt::format("{}:{}", fence.context->value(), fence.seqno->value())
               : "";
}

/// "job 9:4 of game 100 on D/R", or "3 jobs of game 100 on D/R".
std::string jobs_text(const Part& part, const model::RingTable& rings)
{
    const std::string fence = fence_text(part.fence);
    const std::string jobs =
        part.jobs > 1 || fence.empty() ? fmt::format("{} jobs", part.jobs) : "job " + fence;
    return fmt::format("{} of {} on {}", jobs, actor_text(part.actor, rings),
                       place_text(part.ring, rings));
}

std::string thread_text(Known<Tid> tid, const ThreadName& name)
{
    if (!tid) {
        return "an unknown thread";
    }
    return fmt::format("{} {}", name.view().empty() ? "thread" : name.view(), tid->value());
}

std::string dependency_text(const Part& part, const model::RingTable& rings)
{
    const std::string fence = fence_text(part.fence);
    if (fence.empty()) {
        return "waited for a fence that no event names";
    }
    if (!part.ring) {
        return fmt::format("waited for fence {}, of no known job", fence);
    }
    return fmt::format("waited for fence {} of {} on {}", fence, actor_text(part.actor, rings),
                       place_text(part.ring, rings));
}

std::string own_wait_text(const Part& part)
{
    const std::string fence = fence_text(part.fence);
    return fence.empty() ? "prepared it only after it had waited for its own earlier work"
                         : fmt::format("waited for its own earlier work (fence {})", fence);
}

std::string raw_sentence(const Part& part, const model::RingTable& rings)
{
    switch (part.reason) {
    case Reason::Preempted:
        return fmt::format("thread {} could run, but {} did",
                           part.thread ? part.thread->value() : 0,
                           thread_text(part.by, part.by_name));
    case Reason::Blocked:
        return fmt::format("thread {} slept", part.thread ? part.thread->value() : 0) +
               (part.by ? fmt::format(", woken while {} ran", thread_text(part.by, part.by_name))
                        : "") +
               (part.jobs > 0
                    ? fmt::format(", while its {} had not ended",
                                  fence_text(part.fence).empty() ? "jobs"
                                                                 : "job " + fence_text(part.fence))
                    : "");
    case Reason::CpuBound:
        return fmt::format("{}thread {} ran (CPU bound)",
                           part.place == PlaceInFrame::None ? "submitted nothing: " : "",
                           part.thread ? part.thread->value() : 0);
    case Reason::OwnWait:
        return own_wait_text(part);
    case Reason::Dependency:
        return dependency_text(part, rings);
    case Reason::BackPressure:
        return "waited behind " + jobs_text(part, rings) + ": device queue full";
    case Reason::RingBusyOwn:
        return "ring busy with its own " + jobs_text(part, rings);
    case Reason::RingShared:
    case Reason::RingBusyUnknown:
        return "ring busy with " + jobs_text(part, rings);
    case Reason::WorkerLate:
        return std::string{text_of(part.reason).meaning} +
               (part.thread ? fmt::format(" (worker: thread {})", part.thread->value()) : "");
    case Reason::Unknown:
        return fmt::format("unknown: {}", text_of(part.gap));
    default:
        return std::string{text_of(part.reason).meaning};
    }
}

/// Of what an answer to "why is this one late?" is made: not of what every job has, nor of what is
/// not known.
bool is_delay(const Part& part)
{
    return !part.is_before && !is_usual(part.reason) && part.reason != Reason::Unknown &&
           part.reason != Reason::Unexplained;
}

report::Ink ink_of(const Part& part, const Part* longest_delay)
{
    if (part.reason == Reason::Hang) {
        return report::Ink::Bad;
    }
    if (&part == longest_delay) {
        return report::Ink::Warning;
    }
    return part.reason == Reason::Unknown || part.reason == Reason::Unexplained
               ? report::Ink::Faint
               : report::Ink::Plain;
}

const Part* longest_delay_of(const std::vector<Part>& lines)
{
    const Part* longest = nullptr;
    for (const Part& part : lines) {
        if (is_delay(part) && (longest == nullptr || part.length > longest->length)) {
            longest = &part;
        }
    }
    return longest;
}

void write_job(const Diagnosis& diagnosis, Timestamp begin, const TextPlace& place)
{
    const model::RingTable& rings = place.rings;
    const model::Job& job = diagnosis.job;
    const double since = static_cast<double>((diagnosis.begin - begin).value()) / 1e9;
    const std::string title =
        fmt::format("{} job {}, {}: {} {:.9f} s, {} {}{}", place_text(job.ring, rings),
                    fence_text(job.fence).empty() ? "?" : fence_text(job.fence),
                    printable_text(actor_text(job.actor, rings)),
                    job.queued ? "queued at" : "queue event missing, first seen at", since,
                    diagnosis.is_known() ? "latency" : "latency unknown; parts known:",
                    report::human_duration(diagnosis.latency()),
                    diagnosis.is_open ? " and not completed when the trace ended" : "");
    place.sink("\n" + place.screen.painted(title, report::Ink::Strong) + "\n");
    write_parts(diagnosis.parts, diagnosis.latency(), 0, place);
}

void collect_reasons(const std::vector<Part>& parts, std::vector<Reason>& reasons)
{
    for (const Part& part : parts) {
        const bool is_new = std::ranges::find(reasons, part.reason) == reasons.end();
        if (is_new && !text_of(part.reason).events.empty()) {
            reasons.push_back(part.reason);
        }
        collect_reasons(part.root, reasons);
    }
}

/// From which events each reason was concluded.
void write_events(const std::vector<Diagnosis>& jobs, const TextPlace& place)
{
    std::vector<Reason> reasons;
    for (const Diagnosis& diagnosis : jobs) {
        collect_reasons(diagnosis.parts, reasons);
    }
    if (!reasons.empty()) {
        place.sink("\n" + place.screen.painted("These reasons rest on", report::Ink::Faint) + "\n");
    }
    for (const Reason reason : reasons) {
        const ReasonText& text = text_of(reason);
        place.sink(fmt::format("  {:<32} {}\n", text.brief, text.events));
    }
}

/// In the words of the report; machines get names.
std::string reason_text(const ReasonTotal& total)
{
    const auto words = std::string{text_of(total.reason).brief};
    return total.gap == Gap::None ? words : fmt::format("{}: {}", words, text_of(total.gap));
}

std::string jobs_count(std::uint64_t jobs)
{
    return fmt::format("{} {}", jobs, jobs == 1 ? "job" : "jobs");
}

std::string not_ended_text(const Totals& totals)
{
    return totals.ended == totals.jobs
               ? ""
               : fmt::format(" (without {} that had not ended)", totals.jobs - totals.ended);
}

/// Jobs that have no reasons, since an event of them is missing.
std::string left_out_text(const LeftOut& left_out)
{
    std::string causes;
    const auto add = [&](std::uint64_t jobs, std::string_view cause) {
        if (jobs > 0) {
            causes += fmt::format("{}{} {}", causes.empty() ? "" : ", ", jobs, cause);
        }
    };
    add(left_out.no_queue, "when they were queued");
    add(left_out.no_submit, "when they were submitted");
    add(left_out.no_complete, "when they ended");
    add(left_out.no_times, "any of their times");
    return causes.empty() ? causes
                          : fmt::format("Left out: {} of which it is not known {}.\n",
                                        jobs_count(left_out.all()), causes);
}

void write_totals(const Totals& totals, const TextPlace& place)
{
    const TextSink& sink = place.sink;
    const std::string above = fmt::format("{:>86} {:>12}", "as root", "mean latency");
    const std::string titles =
        fmt::format("{:<40} {:>8} {:>9} {:>7} {:>9} {:>9} {:>12}", "reason", "jobs", "time",
                    "share", "before", "cause", "if removed");
    sink(place.screen.painted(above, report::Ink::Faint) + "\n");
    sink(place.screen.painted(titles, report::Ink::Faint) + "\n");
    for (const ReasonTotal& total : totals.reasons()) {
        sink(fmt::format(
            "{:<40} {:>8} {:>9} {:>7} {:>9} {:>9} {:>12}\n",
            report::shortened(reason_text(total), 40), total.jobs,
            report::human_duration(total.time),
            report::human_percent(ratio(total.time, totals.time)),
            report::human_duration(total.before), report::human_duration(total.as_root),
            is_usual(total.reason) ? "" : report::human_duration(totals.mean_without(total))));
    }
}

void write_groups(const Summary& summary, const TextPlace& place)
{
    const model::RingTable& rings = place.rings;
    const TextSink& sink = place.sink;
    std::vector<std::pair<GroupKey, const Group*>> groups;
    for (const auto& [key, group] : summary.groups()) {
        groups.emplace_back(key, &group);
    }
    std::stable_sort(groups.begin(), groups.end(), [](const auto& left, const auto& right) {
        return left.second->totals.time > right.second->totals.time;
    });
    for (std::size_t at = 0; at < std::min(groups.size(), most_groups_shown); ++at) {
        const auto& [key, group] = groups[at];
        model::Actor actor;
        actor.pid = key.process.pid;
        actor.tid = key.process.tid;
        actor.comm = group->comm;
        const std::string title =
            fmt::format("{} on {}: {}, mean latency {}", printable_text(actor_text(actor, rings)),
                        place_text(key.ring, rings), jobs_count(group->totals.jobs),
                        report::human_duration(group->totals.mean()));
        sink("\n" + place.screen.painted(title, report::Ink::Strong) + "\n");
        const auto reasons = group->totals.reasons();
        for (std::size_t row = 0; row < std::min(reasons.size(), most_reasons_of_group); ++row) {
            const ReasonTotal& total = reasons[row];
            const Duration all = total.time + total.before;
            if (all.value() > 0) {
                const std::string without =
                    is_usual(total.reason) || total.of_ended.value() == 0
                        ? ""
                        : fmt::format(", mean latency if removed {}",
                                      report::human_duration(group->totals.mean_without(total)));
                sink(fmt::format("  {:>9}  {} ({}){}\n", report::human_duration(all),
                                 reason_text(total), jobs_count(total.jobs), without));
            }
        }
    }
    if (groups.size() > most_groups_shown) {
        sink(fmt::format("\n{} more pairs of process and ring, with less time: --format json\n",
                         groups.size() - most_groups_shown));
    }
}

} // namespace

std::string_view place_words(PlaceInFrame place)
{
    switch (place) {
    case PlaceInFrame::Outside:
        return ", outside of API calls";
    case PlaceInFrame::InCall:
        return ", in an API call";
    case PlaceInFrame::LastCall:
        return ", in the call that ends the frame, after its jobs";
    case PlaceInFrame::AfterCall:
        return ", after that call";
    case PlaceInFrame::None:
        break;
    }
    return "";
}

void write_parts(const std::vector<Part>& parts, Duration whole, std::size_t depth,
                 const TextPlace& place)
{
    const auto write = [&](bool is_before, Duration length, const std::string& text,
                           report::Ink ink) {
        const std::string share =
            is_before ? "before" : report::human_percent(ratio(length, whole));
        const std::string line =
            fmt::format("{:>7} {:>9}  {}{}", share, report::human_duration(length),
                        std::string(depth * 2, ' '), text);
        place.sink("  " + place.screen.painted(line, ink) + "\n");
    };
    Duration rest;
    const std::vector<Part> lines = condensed(parts);
    const Part* const longest = depth == 0 ? longest_delay_of(lines) : nullptr;
    for (const Part& part : lines) {
        if (!part.is_before && lines.size() > 1 && ratio(part.length, whole) < least_share) {
            rest = rest + part.length;
            continue;
        }
        write(part.is_before, part.length, sentence(part, place.rings), ink_of(part, longest));
        write_parts(part.root, whole, depth + 1, place);
    }
    if (rest.value() > 0 && (depth == 0 || ratio(rest, whole) >= least_share)) {
        write(false, rest, "shorter parts together", report::Ink::Faint);
    }
}

std::string actor_text(const model::Actor& actor, const model::RingTable& rings)
{
    const std::string_view name = rings.text(actor.comm);
    if (!actor.pid && !actor.tid && name.empty()) {
        return "an unknown process";
    }
    return actor.pid ? fmt::format("{} {}", name.empty() ? "?" : name, actor.pid->value())
                     : report::thread_name(name, actor.tid);
}

std::string place_text(const Known<RingId>& ring, const model::RingTable& rings)
{
    if (!ring) {
        return "?";
    }
    const model::Ring& known = rings.at(*ring);
    const std::string_view device = rings.text(known.device);
    return fmt::format("{}/{}", device.empty() ? "?" : device, rings.text(known.shown));
}

std::string sentence(const Part& part, const model::RingTable& rings)
{
    const std::string text =
        printable_text(raw_sentence(part, rings)).append(place_words(part.place));
    return part.is_inferred ? text + " (inferred)" : text;
}

std::string no_sched_text(const Result& result)
{
    return result.has_sched_events
               ? std::string{}
               : fmt::format("No sched events recorded: what threads did is unknown ({}).\n",
                             model::scheduler_advice(result.recorder));
}

void write_text(const Result& result, const TextPlace& place)
{
    if (result.has_frames) {
        write_frames_text(result, place);
        return;
    }
    const TextSink& sink = place.sink;
    const Totals total = result.summary.total();
    sink(fmt::format("{}, mean latency from queued to completed {}{}\n", jobs_count(total.jobs),
                     report::human_duration(total.mean()), not_ended_text(total)));
    sink(left_out_text(total.left_out));
    sink(no_sched_text(result));
    if (result.left_out > 0) {
        sink(fmt::format("{} more jobs are not shown.\n", result.left_out));
    }
    for (const model::OpenWait& wait : result.open_waits) {
        if (wait.is_longest) {
            sink(report::wrapped(report::open_wait_text(wait, result.trace_begin, result.trace_end),
                                 place.screen.width) +
                 "\n");
        }
    }
    for (const Diagnosis& diagnosis : result.jobs) {
        write_job(diagnosis, result.window_begin, place);
    }
    // Who asked for few wants to know about these; among many it would be in the way.
    constexpr std::size_t most_with_events = 4;
    if (result.jobs.size() <= most_with_events) {
        write_events(result.jobs, place);
    }
    sink(fmt::format(
        "\nOver all jobs. time: from queued to completed, inside of the window of {}; before: "
        "while "
        "the\nprocess had nothing on the device; as root: while other jobs depended on it; mean "
        "without: the\nmean latency if this reason took no time.\n\n",
        report::human_duration(result.window_end - result.window_begin)));
    write_totals(total, place);
    write_groups(result.summary, place);
}

} // namespace lttng_gpu::diagnose
