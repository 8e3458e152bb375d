// SPDX-License-Identifier: MIT
//
// See nothing_submitted.hpp.
#include "nothing_submitted.hpp"

#include "../base/apis.hpp"
#include "../base/gpu_drivers.hpp"
#include "../coverage/recording_advice.hpp"
#include "../report/text_counters.hpp"
#include "../report/text_failed_calls.hpp"
#include "../report/text_format.hpp"
#include "../report/text_others.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fnmatch.h>
#include <numeric>
#include <unistd.h>

namespace lttng_gpu::run {
namespace {

using Seen = std::vector<std::pair<std::string, std::uint64_t>>;

template <typename IsOne> std::uint64_t count_of(const Seen& seen, const IsOne& is_one)
{
    return std::accumulate(seen.begin(), seen.end(), std::uint64_t{0},
                           [&](std::uint64_t sum, const auto& event) {
                               return sum + (is_one(event.first) ? event.second : 0);
                           });
}

bool is_of_driver(const std::string& event)
{
    return std::ranges::any_of(gpu_job_events(), [&](const std::string& pattern) {
        return fnmatch(pattern.c_str(), event.c_str(), 0) == 0;
    });
}

bool is_loaded(const Outcome& outcome, const Api& api)
{
    return std::ranges::find(outcome.layers, api.name) != outcome.layers.end() ||
           count_of(outcome.seen, [&](const auto& event) { return is_event_of(api, event); }) > 0;
}

/// Their calls give work to the kernel's driver without commands of the API's own.
bool is_of_frames(const Api& api)
{
    return api.name == "gl" || api.name == "vulkan";
}

std::uint64_t frames_of(const Outcome& outcome, const Api& api)
{
    return count_of(outcome.seen,
                    [&](const std::string& event) { return event == api.provider() + ":frame"; });
}

/// Calls that gave the device work.
std::uint64_t submissions_of(const Outcome& outcome, const Api& api)
{
    return count_of(outcome.seen,
                    [&](const std::string& event) { return event == api.provider() + ":submit"; });
}

/// "OpenCL: its layer was in a program, which made 12 calls and enqueued nothing"
std::string api_line(const Outcome& outcome, const Api& api)
{
    if (!is_loaded(outcome, api)) {
        return fmt::format("{}: not used by the program", api.title);
    }
    const std::uint64_t calls = count_of(
        outcome.seen, [&](const std::string& event) { return event == api.provider() + ":call"; });
    if (is_of_frames(api)) {
        const std::uint64_t submissions = submissions_of(outcome, api);
        return fmt::format(
            "{}: its layer was in a program, which {}ended {} frames and made {} other "
            "calls; what they gave the device, the kernel's driver knows",
            api.title,
            submissions == 0 ? "" : fmt::format("submitted work {} times, ", submissions),
            frames_of(outcome, api), calls);
    }
    return calls == 0
               ? fmt::format("{}: its layer was in a program, which made no call", api.title)
               : fmt::format("{}: its layer was in a program, which made {} calls and enqueued "
                             "nothing",
                             api.title, calls);
}

/// The layers saw that programs gave work, but recorded no times of it.
bool has_work(const Outcome& outcome)
{
    return std::ranges::any_of(apis, [&](const Api& api) {
        return frames_of(outcome, api) > 0 || submissions_of(outcome, api) > 0;
    });
}

/// Events of GPUs were seen, and what they tell is not understood.
bool has_strangers(const Outcome& outcome)
{
    return !outcome.account.others.not_understood.empty();
}

std::string driver_line(std::uint64_t events, bool has_others)
{
    if (events == 0) {
        return has_others ? "kernel: events of GPUs that are not understood"
                          : "kernel: no event of a GPU driver";
    }
    return fmt::format("kernel: {} events of GPU drivers, none of a job", events);
}

/// The most frequent events by name, and all others.
std::string seen_line(const Outcome& outcome)
{
    constexpr std::size_t most = 4;
    Seen seen = outcome.seen;
    std::erase_if(seen, [](const auto& event) { return event.first.ends_with('*'); });
    for (const model::EventNotUnderstood& event : outcome.account.others.not_understood) {
        if (event.driver.empty()) {
            seen.emplace_back(event.event, event.count);
        }
    }
    std::stable_sort(seen.begin(), seen.end(), [](const auto& left, const auto& right) {
        return left.second > right.second;
    });
    seen.resize(std::min(seen.size(), most));
    std::string text;
    std::uint64_t others = outcome.account.events_read;
    for (const auto& [name, count] : seen) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
        others -= std::min(others, count);
    }
    if (others > 0) {
        text += fmt::format("{}{} others", text.empty() ? "" : ", ", others);
    }
    return "events: " + text;
}

constexpr const char* let_it_work =
    "let the program work while it is recorded: its driver was seen, and had nothing to do";

/// Other recorders than LTTng see no calls of APIs.
std::vector<std::string> advice_without_calls(trace::Recorder recorder, std::uint64_t driver_events)
{
    return {driver_events > 0
                ? std::string{let_it_work}
                : "of the GPU drivers' events, " + model::job_advice(recorder, geteuid() == 0),
            "what the program's calls of APIs were, `lttng-gpu record -- PROGRAM` records"};
}

std::vector<std::string> advice(const Outcome& outcome, std::uint64_t driver_events)
{
    std::vector<std::string> lines;
    const bool is_any_loaded =
        std::ranges::any_of(apis, [&](const Api& api) { return is_loaded(outcome, api); });
    if (has_work(outcome)) {
        lines.emplace_back("for the GPU's times of each submission and frame, record with "
                           "`lttng-gpu record --api-times`");
    } else {
        lines.push_back(
            is_any_loaded
                ? "see what the program itself says: it may have found no device, or its "
                  "kernels did not build"
                : "record the program with `lttng-gpu record -- PROGRAM`, which brings the "
                  "layers of APIs into it");
    }
    lines.push_back(driver_events > 0
                        ? std::string{let_it_work}
                        : fmt::format("for the kernel's side{}: `modprobe lttng-probe-gpu`, then "
                                      "record again",
                                      geteuid() == 0 ? "" : ", as root"));
    lines.emplace_back("`lttng-gpu doctor` says what can be recorded on this machine, and what is "
                       "missing");
    return lines;
}

} // namespace

std::string nothing_submitted_text(const Outcome& outcome, const report::Report& report,
                                   trace::Recorder recorder, const report::Screen& screen)
{
    const Duration length =
        outcome.last.value_or(Timestamp{}) - outcome.first.value_or(Timestamp{});
    const std::uint64_t driver_events = count_of(outcome.seen, is_of_driver);
    std::string text =
        screen.painted(fmt::format("{} in {}: {} events were read, and none tells {}.",
                                   has_work(outcome) || driver_events > 0 || has_strangers(outcome)
                                       ? "No job is known"
                                       : "Nothing was submitted",
                                   report::human_duration(length), outcome.account.events_read,
                                   has_work(outcome) ? "when the device worked" : "of a job"),
                       report::Ink::Strong) +
        "\n\n" + screen.painted("what was seen", report::Ink::Faint) + "\n";
    const auto add = [&](const std::string& line) {
        text += report::wrapped(line, screen.width) + "\n";
    };
    const bool has_calls = recorder == trace::Recorder::Lttng;
    for (const Api& api : apis) {
        if (has_calls || is_loaded(outcome, api)) {
            add(api_line(outcome, api));
        }
    }
    for (const report::ApiCallReport& call : report.api_calls) {
        if (call.failed > 0) {
            add(report::failed_calls_text(call));
        }
    }
    add(driver_line(driver_events, has_strangers(outcome)));
    add(seen_line(outcome));
    text += report::counter_lines(outcome.account.counters);
    text += report::other_event_lines(outcome.account.others, true);
    text += "\n" + screen.painted("what to do", report::Ink::Faint) + "\n";
    const auto lines =
        has_calls ? advice(outcome, driver_events) : advice_without_calls(recorder, driver_events);
    for (const std::string& line : lines) {
        add("- " + line);
    }
    return screen.is_ascii ? report::as_ascii(text) : text;
}

} // namespace lttng_gpu::run
