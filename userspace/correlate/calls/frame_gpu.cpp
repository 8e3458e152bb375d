// SPDX-License-Identifier: MIT
//
// See frame_gpu.hpp.
#include "frame_gpu.hpp"

#include "frame_parts.hpp"

#include <algorithm>

namespace lttng_gpu::model {

void sum_up_commands(Frame& frame, const std::vector<GpuSpan>& commands)
{
    frame.gpu_commands = commands.size();
    std::vector<TimeSpan> executed;
    Duration error{};
    for (const GpuSpan& command : commands) {
        if (!command.begin || !command.end || *command.end < *command.begin) {
            return;
        }
        executed.push_back({*command.begin, *command.end});
        error = std::max(error, command.error);
    }
    if (executed.empty()) {
        return;
    }
    executed = united(std::move(executed));
    frame.gpu_begin = executed.front().begin;
    frame.gpu_end = executed.back().end;
    frame.gpu = length_of(executed);
    frame.gpu_error = error;
}

void ProgramWaits::add(const TimeSpan& wait)
{
    const auto place = std::ranges::upper_bound(m_waits, wait.end, {}, &TimeSpan::end);
    m_waits.insert(place, wait);
    if (m_waits.size() > most_waits) {
        m_waits.pop_front();
    }
}

KnownTime ProgramWaits::learned(Timestamp end, Duration error) const
{
    const Timestamp earliest{end.value() - error.value()};
    auto wait = std::ranges::lower_bound(m_waits, earliest, {}, &TimeSpan::end);
    wait = std::find_if(wait, m_waits.end(),
                        [end](const TimeSpan& each) { return each.begin <= end; });
    return wait == m_waits.end() ? KnownTime{} : KnownTime{wait->end};
}

} // namespace lttng_gpu::model
