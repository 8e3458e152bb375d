// SPDX-License-Identifier: MIT
//
// See recovery.hpp.
#include "recovery.hpp"

#include "kernel_side.hpp"
#include "session.hpp"
#include "session_daemon.hpp"
#include "shared_buffers.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace lttng_gpu::record {

namespace {

constexpr std::chrono::seconds most_to_write{5};

/// Its buffers may be stuck, see shared_buffers.hpp. Where the trace is is not known any more.
Expected<void> end_unattended(Tool& tool, const std::string& session)
{
    const auto end = std::chrono::steady_clock::now() + most_to_write;
    const auto has_time = [&] { return std::chrono::steady_clock::now() < end; };
    const auto stopped = stop_session(tool, session, has_time);
    auto destroyed = destroy_session(tool, session, !stopped);
    SharedBuffers::remove_of(session);
    return destroyed;
}

} // namespace

std::size_t recover(Tool& tool, const Notes& notes)
{
    const auto dead = notes.dead();
    const auto sessions = dead.empty()
                              ? Expected<std::vector<std::string>>{std::vector<std::string>{}}
                              : list_sessions();
    if (!sessions) {
        tool.narrator().note("cannot clean up after a recording that was killed: " +
                             sessions.error().message);
        return dead.size();
    }
    for (const RecordingNote& note : dead) {
        tool.narrator().note(
            fmt::format("cleaning up after a recording that was killed (process {})", note.pid));
        bool is_undone = true;
        for (const std::string& session : note.sessions) {
            if (std::find(sessions->begin(), sessions->end(), session) == sessions->end()) {
                continue;
            }
            if (const auto destroyed = end_unattended(tool, session); !destroyed) {
                tool.narrator().note(destroyed.error().message);
                is_undone = false;
            }
        }
        if (is_undone) {
            notes.remove(note.pid);
        }
    }
    // Also when it was killed after it had removed its note.
    unload_probes(tool, notes);
    stop_daemon_if_ours(tool, notes);
    return dead.size();
}

} // namespace lttng_gpu::record
