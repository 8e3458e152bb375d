// SPDX-License-Identifier: MIT
//
// See text_recording.hpp.
#include "text_recording.hpp"

#include "text_format.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace lttng_gpu::report {
namespace {

using Kind = model::CpuGap::Kind;

/// "CPU 3", "CPUs 0, 1 and 2", "CPUs 0 to 7".
std::string cpu_list(const std::set<std::uint32_t>& cpus)
{
    if (cpus.size() == 1) {
        return fmt::format("CPU {}", *cpus.begin());
    }
    const std::uint32_t first = *cpus.begin();
    const std::uint32_t last = *cpus.rbegin();
    if (cpus.size() > 2 && last - first + 1 == cpus.size()) {
        return fmt::format("CPUs {} to {}", first, last);
    }
    std::vector<std::uint32_t> others{cpus.begin(), std::prev(cpus.end())};
    return fmt::format("CPUs {} and {}", fmt::join(others, ", "), last);
}

std::set<std::uint32_t> cpus_with(const RecordingNote& recording, Kind kind)
{
    std::set<std::uint32_t> cpus;
    for (const model::CpuGap& gap : recording.gaps) {
        if (gap.kind == kind) {
            cpus.insert(gap.cpu.value());
        }
    }
    return cpus;
}

std::string left_out_part(const RecordingNote& recording, Kind kind, Duration length,
                          std::string_view where, std::string_view one, std::string_view many)
{
    const auto cpus = cpus_with(recording, kind);
    if (length.value() <= 0 || cpus.empty()) {
        return {};
    }
    return fmt::format("{} at the {} left out: {} {}", human_duration(length), where,
                       cpu_list(cpus), cpus.size() == 1 ? one : many);
}

} // namespace

const char* name_of(Kind kind)
{
    switch (kind) {
    case Kind::BeginsLate:
        return "cpu_begins_late";
    case Kind::EndsEarly:
        return "cpu_ends_early";
    case Kind::Missing:
        break;
    }
    return "cpu_missing";
}

std::string left_out_text(const Report& report)
{
    const RecordingNote& recording = report.recording;
    const std::string begin =
        left_out_part(recording, Kind::BeginsLate, report.begin - recording.begin, "start",
                      "starts later", "start later");
    const std::string end = left_out_part(recording, Kind::EndsEarly, recording.end - report.end,
                                          "end", "ends earlier", "end earlier");
    if (begin.empty() && end.empty()) {
        return {};
    }
    return fmt::format(" of {} ({}{}{})", human_duration(recording.end - recording.begin), begin,
                       begin.empty() || end.empty() ? "" : "; ", end);
}

std::string recording_lines(const RecordingNote& recording)
{
    std::string text;
    if (const auto cpus = cpus_with(recording, Kind::Missing); !cpus.empty()) {
        text += fmt::format("{} not in the trace, and job events are missing: depths and busy "
                            "time are lower bounds\n",
                            cpu_list(cpus));
    }
    std::int64_t largest = 0;
    std::int64_t error = 0;
    for (const ClockNote& clock : recording.clocks) {
        for (const ClockNote& other : recording.clocks) {
            largest = std::max(largest, clock.offset.value() - other.offset.value());
        }
        error = std::max(error, clock.error.value());
    }
    if (largest > 0) {
        text += fmt::format("CPU clocks differ by up to {}: effects came before their causes; "
                            "times are corrected (error at most {})\n",
                            human_duration(Duration{largest}), human_duration(Duration{error}));
    }
    if (recording.has_unexplained_clocks) {
        text += "CPU clocks contradict each other: effects came before their causes, and no "
                "constant correction fits\n";
    }
    return text;
}

std::string unknown_words(const Phases& phases)
{
    if (phases.is_unknown) {
        return "no time of any job is known";
    }
    std::vector<std::string_view> missing;
    for (const auto& [is_told, moment] :
         {std::pair{phases.told.queued, "queued"}, std::pair{phases.told.submitted, "submitted"},
          std::pair{phases.told.completed, "completed"}}) {
        if (!is_told) {
            missing.emplace_back(moment);
        }
    }
    return missing.empty()
               ? std::string{}
               : fmt::format("no event of the trace tells when jobs of this driver were {}",
                             fmt::join(missing, " or "));
}

std::string disorder_lines(const Report& report, const QueueReport& queue, const std::string& ring)
{
    std::string text;
    for (const model::OrderEvidence::Disorder& part : queue.disorder) {
        const auto place = [&](Timestamp time) {
            return human_duration(std::clamp(time, report.recording.begin, report.recording.end) -
                                  report.recording.begin);
        };
        const std::string what = part.is_parallel()
                                     ? "jobs run in parallel"
                                     : "a job completed before an earlier one (no regular pattern)";
        text +=
            fmt::format("  {:>9}  {}: {} ({} pairs of jobs compared, from +{} to +{}); start times "
                        "are unknown there\n",
                        part.contradictions, ring, what, part.contradictions + part.agreements,
                        place(part.span.begin), place(part.span.end));
    }
    return text;
}

} // namespace lttng_gpu::report
