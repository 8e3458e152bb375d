// SPDX-License-Identifier: MIT
//
// How many jobs are in each phase over time, integrated. Phases arrive job by
// job in order of the jobs' first times, so everything before the latest first
// time is settled and is folded into totals; only later steps are kept.
// Integrates the parts inside the window. Knows phases, not jobs.
#pragma once

#include "window.hpp"

#include <array>
#include <queue>
#include <vector>

namespace lttng_gpu::report {

enum class Phase : std::uint8_t {
    HostQueue,
    DeviceQueue,
    Execution,
    Device, // submitted to completed, known even where started is not
    Count,
};
constexpr std::size_t phase_count = static_cast<std::size_t>(Phase::Count);

struct StateTimes {
    std::int64_t idle = 0;
    std::int64_t host_only = 0;
    std::int64_t device_only = 0;
    std::int64_t both = 0;
};

class Occupancy {
public:
    explicit Occupancy(const Window& window) : x_window{window} {}

    /// A job was in `phase` during [begin, end). Not before the settled time.
    void add(Phase phase, Timestamp begin, Timestamp end);
    /// Nothing will be added before `time` any more.
    void settle(Timestamp time);
    /// The trace is over; the window has its end.
    void finish();

    /// Nanoseconds at each depth, the index; only after finish().
    const std::vector<std::int64_t>& times_by_depth(Phase phase) const;
    const StateTimes& states() const { return x_states; }

private:
    struct Step {
        Timestamp time;
        Phase phase;
        std::int32_t change;

        friend bool operator>(const Step& left, const Step& right)
        {
            return left.time > right.time;
        }
    };

    void integrate_until(Timestamp time);

    const Window& x_window;
    std::priority_queue<Step, std::vector<Step>, std::greater<>> x_steps;
    Timestamp x_settled;
    std::array<std::size_t, phase_count> x_depths{};
    std::array<std::vector<std::int64_t>, phase_count> x_times;
    StateTimes x_states;
};

} // namespace lttng_gpu::report
