// SPDX-License-Identifier: MIT
//
// The folder that a recording is written to.
#pragma once

#include "../correlate/base/expected.hpp"
#include "root_folder.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lttng_gpu::record {

/// LTTng creates folders even when nothing is recorded into them.
bool has_trace(const std::filesystem::path& folder);

/// Creates that folder or, when it exists, the first of NAME-2, NAME-3, ... that does not exist;
/// its name. A process that does the same at the same time gets another one.
Expected<std::string> make_free_folder(const Descriptor& parent, const std::string& wanted);

/// A folder that root holds: which one it is, who gets what is in it, and what it becomes itself.
struct Custody {
    Owner owner;
    dev_t device = 0;
    ino_t inode = 0;
    Owner of_folder;
    mode_t mode = 0;
};

/// New or empty; created if needed, and then removed again if it stays empty. Root's is nobody
/// else's until settle(), see root_folder.hpp.
class Folder {
public:
    /// Empty: a name is made from date and time; when it exists, it gets -2, -3, ... A dry run
    /// makes nothing. `user`: whose the recording is to be, when root records.
    static Expected<Folder> make(const std::filesystem::path& wanted, bool is_dry_run,
                                 const std::optional<User>& user);
    /// What a killed recording of root's left; an error when another folder has that name now.
    static Expected<Folder> left_at(const std::filesystem::path& path, const Custody& custody);

    Folder(Folder&&) noexcept = default;
    Folder& operator=(Folder&&) = delete;
    ~Folder() { settle(); }

    /// As it was asked for, to be shown; where it is now, if it was renamed.
    std::filesystem::path shown() const;
    /// Absolute.
    const std::filesystem::path& path() const { return m_path; }
    /// How this process and LTTng's daemons get there, whatever became of its name.
    std::filesystem::path place() const;
    /// Whether the path still leads to it.
    bool is_in_place() const;
    bool is_removed() const { return m_held && name_of(m_held).empty(); }
    /// To be root's working directory, or another user's who cannot use the place of root.
    bool enter() const;
    const std::optional<Custody>& custody() const { return m_custody; }

    /// Once: removes it if nothing was recorded, and gives the rest to the user.
    void settle();
    /// It is not settled: that is for a later recovery.
    void leave() { m_is_settled = true; }

private:
    /// One that had to be made.
    struct Made {
        Descriptor parent;
        std::string name;
        Descriptor folder;
    };

    Folder(std::filesystem::path shown, std::filesystem::path path)
        : m_shown{std::move(shown)}, m_path{std::move(path)}
    {
    }
    static Expected<Folder> make_free(const std::optional<User>& user);
    Expected<void> hold_made(Descriptor parent, const std::string& name,
                             const std::optional<User>& user);
    Expected<void> hold(Descriptor folder, const std::optional<User>& user, bool is_made);
    void remove_if_empty();

    std::filesystem::path m_shown;
    std::filesystem::path m_path;
    std::vector<Made> m_made;         // the outermost first
    Descriptor m_held;                // none in a dry run
    std::optional<Custody> m_custody; // root's
    bool m_is_settled = false;
};

} // namespace lttng_gpu::record
