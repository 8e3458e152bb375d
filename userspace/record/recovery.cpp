// SPDX-License-Identifier: MIT
//
// See recovery.hpp.
#include "recovery.hpp"

#include "../correlate/base/loss_note.hpp"
#include "kernel_side.hpp"
#include "session_daemon.hpp"
#include "session_end.hpp"
#include "shared_buffers.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace lttng_gpu::record {

namespace {

/// Everything that is still in its buffers is written to its trace. True: SessionEnd::is_stuck.
Expected<bool> end_unattended(Tool& tool, const Notes& notes, const std::filesystem::path& trace,
                              const std::string& session, bool exists)
{
    const SharedBuffers buffers = SharedBuffers::left_by(session);
    if (exists) {
        DiskSpace disk;
        const auto ended = end_session(tool, SessionPlan{session, trace, false, {}, {}}, buffers,
                                       disk, notes, false);
        if (!ended) {
            return Failure{ended.error()};
        }
        const auto noted =
            ended->is_interrupted ? note_loss(trace, NotedLoss::EndedEarly) : Expected<void>{};
        return noted ? Expected<bool>{ended->is_stuck} : Failure{noted.error()};
    }
    if (buffers.path().empty()) {
        return false;
    }
    // The session daemon was killed, too.
    const auto unread = UnreadEvents::extract(buffers);
    const auto appended =
        unread ? unread->append_to(trace) : Expected<void>{Failure{unread.error()}};
    return appended ? Expected<bool>{false} : Failure{appended.error()};
}

struct Undone {
    bool is_all = true;
    bool is_stuck = false;
};

/// Of a recording whose folder is not where it was.
Undone give_up(Tool& tool, const std::string& session, bool exists)
{
    const SharedBuffers buffers = SharedBuffers::left_by(session); // to be removed
    const auto destroyed = exists ? destroy_session(tool, session, true) : Expected<void>{};
    if (!destroyed) {
        tool.narrator().note(destroyed.error().message);
    }
    return {destroyed.has_value(), false};
}

Undone undo(Tool& tool, const Notes& notes, const RecordingNote& note,
            const std::vector<std::string>& sessions)
{
    Undone undone;
    // It is given away when this ends.
    auto folder =
        note.custody ? Folder::left_at(note.trace, *note.custody) : Expected<Folder>{Failure{{}}};
    if (note.custody && !folder) {
        tool.narrator().note(folder.error().message);
    }
    for (const std::string& session : note.sessions) {
        const bool exists = std::ranges::find(sessions, session) != sessions.end();
        if (note.custody && !folder) {
            undone.is_all = give_up(tool, session, exists).is_all && undone.is_all;
            continue;
        }
        const auto ended =
            end_unattended(tool, notes, folder ? folder->place() : note.trace, session, exists);
        if (!ended) {
            tool.narrator().note(ended.error().message);
            undone.is_all = false;
        }
        undone.is_stuck = undone.is_stuck || ended.value_or(false);
    }
    if (folder && !undone.is_all) {
        folder->leave();
    }
    return undone;
}

} // namespace

std::size_t recover(Tool& tool, const Notes& notes)
{
    const auto dead = notes.dead();
    const auto sessions = dead.empty()
                              ? Expected<std::vector<std::string>>{std::vector<std::string>{}}
                              : list_sessions(tool);
    if (!sessions) {
        tool.narrator().note("cannot clean up after a recording that was killed: " +
                             sessions.error().message);
        return dead.size();
    }
    bool is_stuck = false;
    for (const RecordingNote& note : dead) {
        tool.narrator().note(
            fmt::format("cleaning up after a recording that was killed (process {})", note.pid));
        const Undone undone = undo(tool, notes, note, *sessions);
        is_stuck = is_stuck || undone.is_stuck;
        if (undone.is_all) {
            notes.remove(note.pid);
        }
        if (tool.is_interrupted()) {
            break;
        }
    }
    // Also when it was killed after it had removed its note.
    undo_shared(tool, notes, is_stuck);
    return dead.size();
}

} // namespace lttng_gpu::record
