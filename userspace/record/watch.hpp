// SPDX-License-Identifier: MIT
//
// Searches for late jobs while they are recorded. Several times a second a snapshot of a small
// session with job events only is read with the correlator and deleted. Each search reads the
// recent past again, so no state is kept between searches, and a job that two searches find
// is reported once. The time from a job's submission until it is found is at most the time
// of two searches and the pause between them. The pause is as long as the last search, and at
// least 50 ms. For OpenCL the time until the layer knows the job is added.
#pragma once

#include "late_jobs.hpp"
#include "session.hpp"

#include <chrono>
#include <set>

namespace lttng_gpu::record {

struct WatchStatistics {
    std::uint64_t looks = 0;
    std::uint64_t gaps = 0; // searches between which events were overwritten unread
    std::uint64_t failures = 0;
    std::string failure; // of the last that failed
    std::chrono::milliseconds longest{0};
    std::chrono::milliseconds total{0};
};

class Watch {
public:
    static constexpr std::chrono::milliseconds least_pause{50};

    /// The session runs. Its snapshots go to `folder`.
    Watch(Tool& tool, std::string session, std::filesystem::path folder, Duration limit)
        : m_tool{tool}, m_session{std::move(session)}, m_folder{std::move(folder)}, m_limit{limit}
    {
    }

    /// Late jobs that no earlier search reported.
    std::vector<LateJob> look();
    /// Until the next search: searching takes at most half of the time.
    std::chrono::milliseconds time_to_next() const;
    const WatchStatistics& account() const { return m_account; }

private:
    Expected<LateJobs> take();
    std::vector<LateJob> select(const LateJobs& found);

    Tool& m_tool;
    std::string m_session;
    std::filesystem::path m_folder;
    Duration m_limit;
    std::set<JobIdentity> m_told;    // of those that were in the last look
    std::set<JobIdentity> m_waiting; // late and not submitted in the last look
    std::optional<Timestamp> m_end;  // of the last look
    std::chrono::steady_clock::time_point m_next{};
    WatchStatistics m_account;
};

} // namespace lttng_gpu::record
