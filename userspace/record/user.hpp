// SPDX-License-Identifier: MIT
//
// The user as whom the recorded command runs. Root is needed to record the kernel, but not for the
// command: `sudo lttng-gpu record -- COMMAND` runs it as the user who called sudo, and the
// recording is theirs.
#pragma once

#include "../correlate/base/expected.hpp"
#include "descriptor.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace lttng_gpu::record {

/// Of files.
struct Owner {
    uid_t user = 0;
    gid_t group = 0;
};

struct User {
    uid_t id = 0;
    gid_t group = 0;
    std::vector<gid_t> groups; // all of them
    std::string name;
    std::filesystem::path home;
    std::string shell;

    /// For a child, before exec: this user with all groups, and the variables of the environment
    /// that name a user. Errors are those of the system; on an error the child must not go on.
    /// Nothing of it is undone.
    int become() const;
    Owner owner() const { return {id, group}; }
    /// A file that the user may open, and makes when the flags say so. errno says why not.
    Descriptor open_as(const std::filesystem::path& file, int flags) const;
    /// Whether the user may read that file.
    bool may_read(const std::filesystem::path& file) const;
};

/// Who runs the command: `wanted` (a name or a number), else who called sudo, pkexec or doas.
/// Empty: whoever runs this. An error when that user does not exist, or only root could become that
/// user.
Expected<std::optional<User>> user_of_command(const std::string& wanted);

} // namespace lttng_gpu::record
