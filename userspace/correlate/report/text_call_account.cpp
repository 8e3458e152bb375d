// SPDX-License-Identifier: MIT
//
// See text_call_account.hpp.
#include "text_call_account.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace lttng_gpu::report {
namespace {

using model::NoCall;

/// Of threads of drivers: what they took when is told by more events.
std::uint64_t in_doubt(const model::CallAccount& calls)
{
    return calls.at(NoCall::Ambiguous) + calls.at(NoCall::Untimed) +
           calls.at(NoCall::HelperInDoubt) + calls.at(NoCall::HelperUnmatched);
}

bool uses_vulkan(const Report& report)
{
    return std::ranges::any_of(
        report.api_calls, [](const ApiCallReport& call) { return call.name.starts_with("vk"); });
}

std::string basis_text(const model::CallAccount& calls)
{
    std::string text;
    const auto add = [&text](std::uint64_t count, std::string_view basis) {
        if (count > 0) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", basis, count);
        }
    };
    add(calls.same_thread, "same_thread");
    add(calls.only_command, "only_command");
    add(calls.helper_thread, "helper_thread");
    add(calls.estimated, "estimated");
    return text.empty() ? text : " (" + text + ")";
}

} // namespace

std::string call_advice(const Report& report)
{
    if (!report.trace.calls || in_doubt(*report.trace.calls) == 0) {
        return {};
    }
    const model::CallAccount& calls = *report.trace.calls;
    if (!calls.has_estimates) {
        return "report --estimated-calls";
    }
    std::string events;
    events += calls.has_ioctls ? "" : ",syscall:ioctl";
    events += calls.has_sched ? "" : ",kernel:sched_switch,kernel:sched_waking";
    std::string options = events.empty() ? "" : " --events all" + events;
    // OpenCL's are recorded whenever the driver has them.
    options += calls.has_device_times || !uses_vulkan(report) ? "" : " --api-times";
    return options.empty() ? options : "record" + options;
}

std::string unnamed_jobs_text(const Report& report)
{
    if (!report.trace.calls) {
        return {};
    }
    const model::CallAccount& calls = *report.trace.calls;
    const std::uint64_t other = calls.at(NoCall::ProcessWithout);
    const std::uint64_t unnamed = calls.all_unnamed() - other;
    if (unnamed == 0) {
        return {};
    }
    const std::string advice = call_advice(report);
    return fmt::format("{} of {} jobs of programs whose calls were recorded name no call{}",
                       unnamed, unnamed + calls.all_named(),
                       advice.empty() ? "" : "; to know more: " + advice);
}

std::string call_account_lines(const Report& report)
{
    if (!report.trace.calls) {
        return {};
    }
    const model::CallAccount& calls = *report.trace.calls;
    std::string text = fmt::format(
        "\njobs of kernel drivers and the API calls that made them\n  {:>9}  name their "
        "call{}\n",
        calls.all_named(), basis_text(calls));
    for (std::size_t cause = 0; cause < model::no_call_count; ++cause) {
        if (calls.unnamed[cause] > 0) {
            text += fmt::format("  {:>9}  none: {}\n", calls.unnamed[cause],
                                model::no_call_texts[cause].meaning);
        }
    }
    if (const std::string advice = call_advice(report); !advice.empty()) {
        text += fmt::format("  to know more: {}\n", advice);
    }
    return text;
}

} // namespace lttng_gpu::report
