// SPDX-License-Identifier: MIT
//
// See text_call_account.hpp.
#include "text_call_account.hpp"

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
    add(calls.device_time, "device_time");
    return text.empty() ? text : " (" + text + ")";
}

} // namespace

std::string call_advice(const model::CallAccount& calls)
{
    if (in_doubt(calls) == 0) {
        return {};
    }
    std::string events;
    events += calls.has_ioctls ? "" : ",syscall:ioctl";
    events += calls.has_sched ? "" : ",kernel:sched_switch,kernel:sched_waking";
    std::string options = events.empty() ? "" : " --events all" + events;
    options += calls.has_device_times ? "" : " --api-times";
    return options.empty() ? options : "record" + options;
}

std::string unnamed_jobs_text(const model::CallAccount& calls)
{
    const std::uint64_t other = calls.at(NoCall::ProcessWithout);
    const std::uint64_t unnamed = calls.all_unnamed() - other;
    if (unnamed == 0) {
        return {};
    }
    const std::string advice = call_advice(calls);
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
    if (const std::string advice = call_advice(calls); !advice.empty()) {
        text += fmt::format("  to know more: {}\n", advice);
    }
    return text;
}

} // namespace lttng_gpu::report
