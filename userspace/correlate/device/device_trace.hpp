// SPDX-License-Identifier: MIT
//
// What happened inside of kernels, added up while a trace is read: per kernel and location, and per
// launch.
#pragma once

#include "../base/time.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lttng_gpu::device {

/// Nothing where no lanes are known.
inline std::optional<double> mean_lanes(std::uint64_t lanes, std::uint64_t executions)
{
    return lanes > 0 ? std::optional{static_cast<double>(lanes) / static_cast<double>(executions)}
                     : std::nullopt;
}

/// A place in the program's source, and what was recorded there.
struct LocationSum {
    std::string kind; // empty: the trace does not tell it
    std::string function;
    std::uint64_t line = 0;
    std::uint64_t column = 0;
    std::uint64_t executions = 0; // by warps; by work-items where no warps are known
    std::uint64_t lanes = 0;      // summed over these; of warps only
    std::uint64_t ns = 0;         // of warps, with times only

    std::optional<double> mean_lanes() const { return device::mean_lanes(lanes, executions); }
};

/// The same of one launch; the kernel's LocationSum of that number has the names.
struct LocationCount {
    std::uint32_t location = 0;
    std::uint64_t executions = 0;
    std::uint64_t lanes = 0;
    std::uint64_t ns = 0;
};

struct KernelSum {
    std::uint64_t program = 0;
    std::string name;
    bool has_warps = false;
    bool has_times = false;
    std::uint64_t launches = 0;
    std::uint64_t records = 0;
    std::uint64_t lost_records = 0;
    std::map<std::uint32_t, LocationSum> locations; // those with executions
};

/// Means over equal slices of a launch's interval.
struct OverTime {
    static constexpr std::size_t slices = 60;

    std::vector<double> warps;  // that were resident
    std::vector<double> places; // multiprocessors that had one
};

/// When the launch's command ran, as its job has it: each time may be off by the error.
struct CommandTimes {
    Timestamp start;
    Timestamp end;
    Duration error;
};

/// What bounds a time of the device's timer on the trace's clock.
enum class BoundBy : std::uint8_t {
    Nothing,
    Calls,    // the call that enqueued the launch, and that it was known to be complete
    Commands, // and the start and end of commands
};

struct LaunchSum {
    std::uint64_t number = 0;
    std::uint64_t program = 0;
    std::size_t kernel = 0; // its place in the trace's list
    std::string name;
    bool has_warps = false;
    bool has_times = false;
    bool is_read = false; // its end is in the trace
    std::int64_t status = 0;
    std::optional<std::uint64_t> command; // of the OpenCL layer's events
    std::int64_t pid = 0;
    std::uint64_t queue = 0;
    std::uint64_t device = 0; // its handle; 0: unknown
    Timestamp called{};       // when it was enqueued
    Timestamp observed{};     // when it was read
    Timestamp completed{};    // when it was known to be complete
    std::uint64_t parts = 0;
    std::uint64_t parts_lost = 0;
    std::uint64_t records = 0;
    std::uint64_t lost_records = 0; // a full buffer
    std::vector<std::uint64_t> local_size;
    std::vector<std::uint64_t> groups;
    std::vector<LocationCount> locations; // by number
    std::optional<CommandTimes> command_times;

    // Of the device's timer, where it has one.
    std::uint64_t warps = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t warp_ns = 0; // summed over warps
    std::uint64_t places = 0;  // multiprocessors that ran some
    /// From the last end of the multiprocessor that was free first to the end of all.
    std::uint64_t tail_ns = 0;
    /// The multiprocessor with the most warps' time against the mean of all.
    double imbalance = 0;
    std::uint64_t most_warps = 0; // at once
    OverTime over_time;           // with an interval only

    std::optional<Timestamp> begin_on_trace;
    std::optional<Timestamp> end_on_trace;
    Duration error{}; // of these two
    BoundBy bound_by = BoundBy::Nothing;
    bool is_contradicted = false; // commands contradict its timer, and none of them is used

    bool has_interval() const { return begin != 0 && end > begin; }
    /// How often the device had to be filled with warps, if as many as it ever had are all that
    /// fit.
    double waves() const
    {
        return most_warps > 0 ? static_cast<double>(warps) / static_cast<double>(most_warps) : 0;
    }
    double mean_warps() const
    {
        return has_interval() ? static_cast<double>(warp_ns) / static_cast<double>(end - begin) : 0;
    }
};

struct Untraced {
    std::uint64_t count = 0;
    std::string example; // the name that was first seen with it
};

/// The timer of one device, as one process has seen it. Where the device is unknown, each queue has
/// one of its own: queues of one device have the same, but two devices do not.
struct TimerSum {
    std::int64_t pid = 0;
    std::uint64_t device = 0; // 0: unknown
    std::uint64_t queue = 0;  // where the device is unknown
    std::uint64_t launches = 0;
    std::uint64_t with_command = 0;      // of these: those with times of their command
    std::uint64_t mapped = 0;            // those with times on the trace's clock
    std::uint64_t call_conflicts = 0;    // calls and completions contradict each other so often
    std::uint64_t command_conflicts = 0; // times of commands contradict these, or each other
    BoundBy bound_by = BoundBy::Nothing;
    Duration error_most{};
    /// What it shows more than the trace's clock, by the last launch with times on both.
    std::optional<Duration> offset;
};

struct DeviceTrace {
    std::vector<KernelSum> kernels;  // the one with the most executions first
    std::vector<LaunchSum> launches; // in the order in which they were read
    std::vector<TimerSum> timers;
    std::map<std::string, Untraced> untraced; // by reason
    std::uint64_t parts_lost = 0;
    std::uint64_t parts_damaged = 0;
    std::uint64_t launches_unread = 0;

    /// The kernel that the launch is of.
    const KernelSum& kernel_of(const LaunchSum& launch) const { return kernels[launch.kernel]; }
    bool is_lossy() const { return parts_lost > 0 || parts_damaged > 0 || launches_unread > 0; }
};

} // namespace lttng_gpu::device
