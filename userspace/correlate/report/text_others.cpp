// SPDX-License-Identifier: MIT
//
// See text_others.hpp.
#include "text_others.hpp"

#include "text_format.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace lttng_gpu::report {
namespace {

std::vector<std::string> lines_of(const model::OtherEventAccount& others)
{
    std::vector<std::string> lines;
    for (const model::DisplayFences& fences : others.display) {
        lines.push_back(fmt::format("{:>9}  display fences of {} {}: no jobs",
                                    std::max(fences.made, fences.signaled), fences.driver,
                                    fences.timeline));
    }
    for (const model::UnfencedCommands& commands : others.unfenced) {
        std::string line =
            fmt::format("{:>9}  commands without a fence on {} {}: ≤{} at once", commands.queued,
                        commands.device, commands.queue, commands.depth_most);
        if (commands.answered > 0) {
            const auto answered = static_cast<std::int64_t>(commands.answered);
            line += fmt::format(", mean {}, max {}",
                                human_duration(Duration{commands.time_sum / answered}),
                                human_duration(Duration{commands.time_most}));
        }
        if (commands.answered < commands.queued) {
            line += fmt::format(", {} answered", commands.answered);
        }
        lines.push_back(std::move(line));
    }
    for (const model::EventNotUnderstood& event : others.not_understood) {
        lines.push_back(fmt::format("{:>9}  {}{}{}: seen and not understood", event.count,
                                    event.event, event.driver.empty() ? "" : " of driver ",
                                    event.driver));
    }
    if (others.left_out > 0) {
        lines.push_back(fmt::format("{:>9}  events of other names", others.left_out));
    }
    return lines;
}

} // namespace

std::string other_event_lines(const model::OtherEventAccount& others, bool has_details)
{
    constexpr std::size_t most = 12;
    const std::vector<std::string> lines = lines_of(others);
    const std::size_t shown = has_details ? lines.size() : std::min(lines.size(), most);
    std::string text = lines.empty() ? "" : "\nevents of no job\n";
    for (std::size_t place = 0; place < shown; ++place) {
        text += lines[place] + "\n";
    }
    if (lines.size() > shown) {
        text += fmt::format("{:>9}  more lines: --details\n", lines.size() - shown);
    }
    return text;
}

} // namespace lttng_gpu::report
