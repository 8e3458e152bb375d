// SPDX-License-Identifier: MIT
//
// Takes the snapshots of the recorded session, and remembers them.
#pragma once

#include "late_jobs.hpp"
#include "tool.hpp"

namespace lttng_gpu::record {

struct Snapshot {
    std::string name; // request-1, late-2, exit-3
    std::filesystem::path folder;
    std::string reason;
};

class FlightRecorder {
public:
    FlightRecorder(Tool& tool, std::string session, std::filesystem::path folder,
                   std::uint32_t most)
        : x_tool{tool}, x_session{std::move(session)}, x_folder{std::move(folder)}, x_most{most}
    {
    }

    void take_on_request();
    /// Not limited by --max-snapshots.
    void take_at_exit();
    /// One snapshot for all of them; prints whether it includes the first.
    void take_for(const std::vector<LateJob>& late, Duration limit);

    /// No more snapshots are taken for late jobs, and a note said so.
    bool is_done() const { return x_has_reported_full; }
    const std::vector<Snapshot>& snapshots() const { return x_snapshots; }
    std::uint64_t failures() const { return x_failures; }

private:
    const Snapshot* take_if_not_full(const std::string& why, const std::string& reason);
    const Snapshot* take(const std::string& why, const std::string& reason);
    std::filesystem::path settle(const std::string& name);

    Tool& x_tool;
    std::string x_session;
    std::filesystem::path x_folder;
    std::uint32_t x_most;
    std::vector<Snapshot> x_snapshots;
    std::uint64_t x_failures = 0;
    bool x_has_reported_full = false;
};

} // namespace lttng_gpu::record
