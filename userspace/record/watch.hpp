// SPDX-License-Identifier: MIT
//
// Looks for late jobs while they are recorded. Several times a second a snapshot of a small
// session of job events only is read with the correlator and thrown away: each look sees the
// last while anew, so that nothing has to be carried from one to the next, and a job that is
// in two looks is told once. The time from a job's submission until it is found is at most
// what two looks and the pause between them take, which is as long as the look before it was, and
// at least 50 ms; plus, for OpenCL, the time until the layer learns of it.
#pragma once

#include "late_jobs.hpp"
#include "session.hpp"

#include <chrono>
#include <set>

namespace lttng_gpu::record {

struct WatchAccount {
    std::uint64_t looks = 0;
    std::uint64_t gaps = 0; // looks between which events were overwritten unseen
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
        : x_tool{tool}, x_session{std::move(session)}, x_folder{std::move(folder)}, x_limit{limit}
    {
    }

    /// Late jobs that no earlier look has told of.
    std::vector<LateJob> look();
    /// Until the next look: looking may take half of the time at most.
    std::chrono::milliseconds time_to_next() const;
    const WatchAccount& account() const { return x_account; }

private:
    Expected<LateJobs> take();
    std::vector<LateJob> select(const LateJobs& found);

    Tool& x_tool;
    std::string x_session;
    std::filesystem::path x_folder;
    Duration x_limit;
    std::set<JobIdentity> x_told;    // of those that were in the last look
    std::set<JobIdentity> x_waiting; // late and not submitted in the last look
    std::optional<Timestamp> x_end;  // of the last look
    std::chrono::steady_clock::time_point x_next{};
    WatchAccount x_account;
};

} // namespace lttng_gpu::record
