// SPDX-License-Identifier: MIT
//
// A frame as the layers above see it: decided, with what is not known empty. A frame of a surface
// of a process is from the end of the call that ended the one before it to the end of the call
// that ends it.
#pragma once

#include "../base/time_span.hpp"
#include "../jobs/job.hpp"

#include <array>
#include <vector>

namespace lttng_gpu::model {

/// A call of an API that returned; of two that began together one only.
struct ReturnedCall {
    Actor actor;
    StringId name;
    Timestamp begin;
    Timestamp end;
    std::int32_t error = 0; // what it returned if it failed, else 0
    KnownDuration on_cpu{}; // of the time in it; unknown where no sched_switch tells it
};

/// What a moment of a frame was spent with. Each belongs to one of them.
enum class FramePart : std::uint8_t {
    Cpu,         // the thread that ends the frames was in no API call
    Call,        // in one, while no job of the surface was under way
    HostQueue,   // in one, while a job was in the host queue and none further
    DeviceQueue, // ... or in the device queue and none was executed
    Execution,   // ... or was executed
    After,       // in the call that ends the frame, after its jobs: it waits for the display
    Unknown,     // in a call, while a job was given to the device whose start is not known
};
inline constexpr std::size_t frame_parts = 7;
using FrameParts = std::array<Duration, frame_parts>;

/// A kernel's job that was made for a frame.
struct FrameJob {
    Known<RingId> ring{};
    FenceId fence{};
};

enum class Lateness : std::uint8_t {
    Unknown, // too few frames before it
    OnTime,
    Late, // its interval is more than 1.5 times the median of those before it
};

struct Frame {
    Actor actor; // the thread that ended it
    StringId api;
    StringId function;
    std::uint64_t surface = 0;
    std::uint64_t number = 0; // of the surface, from 1
    std::uint64_t context = 0;
    std::int64_t result = 0;
    std::uint64_t draws = 0;
    std::uint64_t dispatches = 0;
    std::uint64_t uploads = 0;

    KnownTime begin; // unknown: no frame of the surface was seen before it
    Timestamp call_begin;
    Timestamp end;
    KnownDuration in_calls;        // of that thread
    KnownDuration in_calls_on_cpu; // of these

    std::uint64_t jobs = 0;
    std::uint64_t jobs_by_time = 0; // of these, found by nothing but when they were queued
    KnownTime first_queued;
    KnownTime completed; // the last of them; unknown where one's end is
    KnownTime observed;  // a CPU waiter learned of the end of the last one
    /// Sums over the jobs, and the time in which at least one of them was executed. Unknown where
    /// one job's is, or where there are none.
    KnownDuration host_queue;
    KnownDuration device_queue;
    KnownDuration execution;
    KnownDuration execution_wall;

    /// Of the commands around which the layer had the GPU note times (record --api-times).
    std::uint64_t gpu_commands = 0;
    KnownTime gpu_begin; // of the first; these are unknown where one's are
    KnownTime gpu_end;   // of the last
    KnownDuration gpu;   // in which at least one was executed
    KnownDuration gpu_error;
    KnownTime learned; // a wait of the program that was under way at the GPU's end returned

    KnownDuration cadence; // median of the intervals before it
    Lateness lateness = Lateness::Unknown;
    /// Of a late one: the part that exceeded its own median by the most.
    FramePart late_by = FramePart::Unknown;
    FrameParts parts{};
    std::vector<TimeSpan> calls; // of that thread, in order; empty where in_calls is unknown
    std::vector<FrameJob> made;  // each job once; empty where some were too many to be kept

    /// The GPU's own word before the kernel's.
    KnownTime end_on_gpu() const { return gpu_end ? gpu_end : completed; }
    KnownDuration interval() const { return begin ? KnownDuration{end - *begin} : std::nullopt; }
};

} // namespace lttng_gpu::model
