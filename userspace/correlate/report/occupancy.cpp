// SPDX-License-Identifier: MIT
//
// See occupancy.hpp. Times at depth zero and in the idle state are what the
// window leaves over.
#include "occupancy.hpp"

#include <numeric>

namespace lttng_gpu::report {
namespace {

constexpr std::size_t index_of(Phase phase)
{
    return static_cast<std::size_t>(phase);
}

} // namespace

void Occupancy::add(Phase phase, Timestamp begin, Timestamp end)
{
    const Timestamp from = x_window.clip(begin);
    const Timestamp to = x_window.clip(end);
    if (from < to) {
        x_steps.push({from, phase, 1});
        x_steps.push({to, phase, -1});
    }
}

void Occupancy::settle(Timestamp time)
{
    while (!x_steps.empty() && x_steps.top().time < time) {
        const Step step = x_steps.top();
        x_steps.pop();
        integrate_until(step.time);
        std::size_t& depth = x_depths[index_of(step.phase)];
        depth = step.change > 0 ? depth + 1 : depth - 1;
    }
}

void Occupancy::integrate_until(Timestamp time)
{
    const std::int64_t passed = (time - x_settled).value();
    x_settled = time;
    for (std::size_t phase = 0; phase < phase_count; ++phase) {
        if (x_depths[phase] == 0 || passed == 0) {
            continue;
        }
        if (x_times[phase].size() <= x_depths[phase]) {
            x_times[phase].resize(x_depths[phase] + 1);
        }
        x_times[phase][x_depths[phase]] += passed;
    }
    const bool is_host_busy = x_depths[index_of(Phase::HostQueue)] > 0;
    const bool is_device_busy = x_depths[index_of(Phase::Device)] > 0;
    if (is_host_busy && is_device_busy) {
        x_states.both += passed;
    } else if (is_host_busy) {
        x_states.host_only += passed;
    } else if (is_device_busy) {
        x_states.device_only += passed;
    }
}

void Occupancy::finish()
{
    settle(Timestamp{std::numeric_limits<std::int64_t>::max()});
    const std::int64_t length = x_window.length().value();
    for (auto& times : x_times) {
        const auto busy = std::accumulate(times.begin(), times.end(), std::int64_t{0});
        times.resize(std::max<std::size_t>(times.size(), 1));
        times[0] = length - busy;
    }
    x_states.idle = length - x_states.host_only - x_states.device_only - x_states.both;
}

const std::vector<std::int64_t>& Occupancy::times_by_depth(Phase phase) const
{
    return x_times[index_of(phase)];
}

} // namespace lttng_gpu::report
