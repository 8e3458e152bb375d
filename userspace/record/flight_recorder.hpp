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
        : m_tool{tool}, m_session{std::move(session)}, m_folder{std::move(folder)}, m_most{most}
    {
    }

    void take_on_request();
    /// Not limited by --max-snapshots.
    void take_at_exit();
    /// One snapshot for all of them; prints whether it includes the first.
    void take_for(const std::vector<LateJob>& late, Duration limit);

    /// No more snapshots are taken for late jobs, and a note said so.
    bool is_done() const { return m_has_reported_full; }
    const std::vector<Snapshot>& snapshots() const { return m_snapshots; }
    std::uint64_t failures() const { return m_failures; }

private:
    const Snapshot* take_if_not_full(const std::string& why, const std::string& reason);
    const Snapshot* take(const std::string& why, const std::string& reason);
    std::filesystem::path settle(const std::string& name);

    Tool& m_tool;
    std::string m_session;
    std::filesystem::path m_folder;
    std::uint32_t m_most;
    std::vector<Snapshot> m_snapshots;
    std::uint64_t m_failures = 0;
    bool m_has_reported_full = false;
};

} // namespace lttng_gpu::record
