// SPDX-License-Identifier: MIT
//
// What was spent in the calls of each name, and in the jobs that they made. Calls count in a window
// when they return in it, jobs as everywhere in the report. Texts are looked up in finish().
#pragma once

#include "../calls/frame.hpp"
#include "../rings/ring_table.hpp"

#include <map>
#include <unordered_map>
#include <vector>

namespace lttng_gpu::report {

/// Sums over those jobs whose phase is known.
struct CallJobs {
    std::uint64_t count = 0;
    std::uint64_t without_times = 0; // some phase of them is unknown
    std::int64_t host_queue = 0;
    std::int64_t device_queue = 0;
    std::int64_t execution = 0;
    std::uint64_t learned = 0;          // a call of the program that waited told it of their ends
    std::int64_t learned_after = 0;     // the sum of how long after these, as far as that is known
    std::int64_t learned_after_max = 0; // the longest
};

struct ApiCallReport {
    std::string name;
    std::uint64_t count = 0;
    std::int64_t time = 0; // in the call; calls inside of others count in both
    /// Of the calls of which sched_switch tells when their thread was on a CPU: how many, the time
    /// in them, and how much of that it was.
    std::uint64_t on_cpu_known = 0;
    std::int64_t on_cpu_of = 0;
    std::int64_t on_cpu = 0;
    std::uint64_t failed = 0;
    /// How often each error was returned, of the first most_errors different ones.
    std::map<std::int32_t, std::uint64_t> errors{};
    CallJobs jobs;     // of the kernel's drivers
    CallJobs commands; // of the API itself
};

class ApiCallTable {
public:
    void add_call(const model::ReturnedCall& call);
    /// The last interval of a job.
    void add_job(const model::Job& job);
    void add_learned(const model::CompletionNotice& end);
    /// Most time first.
    std::vector<ApiCallReport> finish(const model::RingTable& texts) const;

private:
    static constexpr std::size_t most_errors = 16; // of a name

    std::unordered_map<StringId, ApiCallReport> m_calls;
};

} // namespace lttng_gpu::report
