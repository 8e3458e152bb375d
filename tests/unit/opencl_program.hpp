// SPDX-License-Identifier: MIT
//
// An OpenCL program as the layer's events tell of it, for tests that feed events one by one.
#pragma once

#include "job_feeder.hpp"

#include <array>
#include <cstdlib>
#include <optional>
#include <vector>

namespace lttng_gpu::test {

inline constexpr std::uint64_t ndrange = 0x11F0;
/// Functions and kinds of objects, by numbers that only the trace names.
inline constexpr Labelled enqueue_kernel{1059, "clEnqueueNDRangeKernel"};
inline constexpr Labelled enqueue_read{1048, "clEnqueueReadBuffer"};
inline constexpr Labelled flush{1046, "clFlush"};
inline constexpr Labelled finish{1047, "clFinish"};
inline constexpr Labelled release_queue{1011, "clReleaseCommandQueue"};
inline constexpr Labelled release_memory{1018, "clReleaseMemObject"};
inline constexpr Labelled kind_queue{12, "queue"};
inline constexpr Labelled kind_memory{13, "memory"};
inline constexpr Labelled times_valid{10, "valid"};
inline constexpr Labelled times_unavailable{11, "unavailable"};
inline constexpr Labelled times_disordered{12, "disordered"};
inline constexpr Labelled times_implausible{13, "implausible"};
inline constexpr Labelled profiling_off{10, "off"};
inline constexpr Labelled profiling_by_layer{12, "layer"};
using Numbers = std::vector<std::uint64_t>;
/// What the device shows at trace time 0.
inline constexpr std::uint64_t device_zero = 5'000'000'000'000;

/// One process with one queue on one device whose clock runs as the trace's does.
class Program {
public:
    explicit Program(JobFeeder& feeder) : m_feed{feeder}
    {
        feeder.clock_offset(0).in(100, 101, "app");
    }
    Program& device(std::int64_t time, std::uint64_t handle = 7, const char* name = "GPU",
                    std::uint64_t parent = 0)
    {
        m_feed.at(time)(
            "lttng_gpu_opencl:device",
            {{"device", handle}, {"parent", parent}, {"name", name}, {"timer_resolution", 1}});
        return *this;
    }
    Program& queue(std::int64_t time, std::uint64_t handle = 70, std::uint64_t of = 7,
                   const Labelled& profiling = profiling_by_layer)
    {
        m_feed.at(time)("lttng_gpu_opencl:queue", {{"queue", handle},
                                                   {"context", 1},
                                                   {"device", of},
                                                   {"properties", 2},
                                                   {"profiling", profiling}});
        return *this;
    }
    Program& enqueue(std::int64_t begin, std::int64_t end, std::uint64_t command,
                     std::uint64_t handle = 70, const std::vector<std::uint64_t>& waits_for = {})
    {
        m_feed.at(end)("lttng_gpu_opencl:kernel_enqueue", {{"command", command},
                                                           {"queue", handle},
                                                           {"begin_ns", begin},
                                                           {"type", ndrange},
                                                           {"function", enqueue_kernel},
                                                           {"blocking", 0},
                                                           {"waits_for", waits_for},
                                                           {"name", "sum"}});
        return *this;
    }
    /// clEnqueueReadBuffer that returned when it was done.
    Program& blocking_read(std::int64_t begin, std::int64_t end, std::uint64_t command)
    {
        constexpr std::uint64_t read_buffer = 0x11F3; // CL_COMMAND_READ_BUFFER
        m_feed.at(end)("lttng_gpu_opencl:kernel_enqueue", {{"command", command},
                                                           {"queue", 70},
                                                           {"begin_ns", begin},
                                                           {"type", read_buffer},
                                                           {"function", enqueue_read},
                                                           {"blocking", 1}});
        return *this;
    }
    Program& times(std::int64_t seen, std::uint64_t command, std::array<std::int64_t, 4> stages,
                   const Labelled& validity = times_valid, std::uint64_t handle = 70)
    {
        const auto on_device = [](std::int64_t time) {
            return Numbers{device_zero + static_cast<std::uint64_t>(time)};
        };
        m_feed.at(seen)("lttng_gpu_opencl:command_times", {{"command", Numbers{command}},
                                                           {"queue", handle},
                                                           {"type", Numbers{ndrange}},
                                                           {"status", std::int64_t{0}},
                                                           {"validity", validity},
                                                           {"queued", on_device(stages[0])},
                                                           {"submit", on_device(stages[1])},
                                                           {"start", on_device(stages[2])},
                                                           {"end", on_device(stages[3])},
                                                           {"observed_ns", seen}});
        return *this;
    }
    /// Narrows the clock to a nanosecond or two.
    Program& clock(std::int64_t time)
    {
        m_feed.at(time)("lttng_gpu_opencl:device_clock",
                        {{"device", 7},
                         {"device_time", device_zero + static_cast<std::uint64_t>(time)},
                         {"before_ns", time},
                         {"after_ns", time}});
        return *this;
    }

private:
    JobFeeder& m_feed;
};

inline bool is_near(const std::optional<Timestamp>& time, std::int64_t expected)
{
    return time && std::abs(time->value() - expected) <= 2;
}

} // namespace lttng_gpu::test
