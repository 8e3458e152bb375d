// SPDX-License-Identifier: MIT
//
// What record must undo, noted before it is done: a killed process cannot restore
// anything, so the next `record` of the same user does. The notes are one
// small file for each recording that runs and one for what recordings share (the
// session daemon and the kernel modules that one of them brought in), in a folder
// that is removed with the last of them.
#pragma once

#include "../correlate/base/expected.hpp"
#include "descriptor.hpp"
#include "folder.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lttng_gpu::record {

/// One recording, of this process or another.
struct RecordingNote {
    std::filesystem::path path;
    int pid = 0;
    std::vector<std::string> sessions;
    std::filesystem::path trace;    // folder; absolute
    std::optional<Custody> custody; // of root's
};

class Notes {
public:
    /// /run/lttng-gpu for root, else below $LTTNG_HOME, $XDG_RUNTIME_DIR or $HOME: each session
    /// daemon has its own notes.
    static std::filesystem::path default_folder();

    explicit Notes(std::filesystem::path folder) : m_folder{std::move(folder)} {}

    /// Held while daemons start and stop and modules are loaded, so that two recordings agree on
    /// who is the last. Makes the folder; it must be this user's own. While another process holds
    /// it, `goes_on` is called again and again; false ends the waiting.
    Expected<Descriptor> lock(const std::function<bool()>& goes_on) const;
    /// Removes the folder if nothing is left in it. Under the lock.
    void remove_if_empty() const;

    const std::filesystem::path& folder() const { return m_folder; }
    std::filesystem::path daemon_pid_file() const { return m_folder / "lttng-sessiond.pid"; }
    std::filesystem::path watch_folder(int pid) const;

    /// `trace`: the folder of the recording.
    Expected<void> add(int pid, const std::vector<std::string>& sessions,
                       const Folder& trace) const;
    void remove(int pid) const;
    /// Recordings that were killed, or could not undo everything.
    std::vector<RecordingNote> dead() const;
    /// A recording still runs, or something is still to be undone.
    bool has_recordings() const;

    /// Kernel modules that recordings have loaded, in order of loading.
    std::vector<std::string> modules() const;
    Expected<void> set_modules(const std::vector<std::string>& modules) const;
    /// LTTng's own, which were not there before a recording started the session daemon.
    std::vector<std::string> daemon_modules() const;
    Expected<void> set_daemon_modules(const std::vector<std::string>& modules) const;

private:
    std::filesystem::path m_folder;
};

/// When a process started, as /proc tells it: a process id alone may have been given
/// to another one since. Empty: there is none.
std::string start_of_process(int pid);

} // namespace lttng_gpu::record
