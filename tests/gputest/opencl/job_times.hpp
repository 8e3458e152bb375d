// SPDX-License-Identifier: MIT
// The clock of the test GPU: when its jobs began and ended, from the log that its kernel driver
// keeps in debugfs. It is CLOCK_MONOTONIC plus a minute, so that nobody takes it for the trace's.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace lttng_gpu::gputest {

struct JobKey {
    std::uint64_t context = 0;
    std::uint64_t seqno = 0;

    friend auto operator<=>(const JobKey&, const JobKey&) = default;
};

struct JobTimes {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
};

/// Whether GPUTEST_CL_TIMES asks for times. They need root, who may read debugfs.
bool has_job_times();
std::uint64_t device_now();

class JobLog {
public:
    /// Nothing: it is not complete, or the log was full.
    std::optional<JobTimes> find(const JobKey& job);

private:
    void read();

    std::mutex x_mutex;
    std::map<JobKey, JobTimes> x_known;
};

} // namespace lttng_gpu::gputest
