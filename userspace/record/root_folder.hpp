// SPDX-License-Identifier: MIT
//
// A folder that root records into for another user. It lies where that user, or the recorded
// command, can rename it and put something else in its place. So it is held by its descriptor from
// the beginning, and nobody but root can make, rename or remove anything in it, until it is given
// away: what is below it is then root's, whatever becomes of its name.
#pragma once

#include "../correlate/base/expected.hpp"
#include "descriptor.hpp"
#include "user.hpp"

#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <sys/types.h>

namespace lttng_gpu::record {

/// `path` is absolute. No part of it may be a symbolic link. errno says why not.
Descriptor open_without_links(const std::filesystem::path& path, int flags);

/// Where every process of root finds an open folder, also after it was renamed: below /proc.
std::filesystem::path place_of(const Descriptor& folder);
bool is_place(const std::filesystem::path& path);

/// Its name now; empty: it was removed.
std::filesystem::path name_of(const Descriptor& folder);

bool is_empty(const Descriptor& folder);

/// From now on it is root's, and only root may write to it. An error says why that cannot be:
/// the file system has no owners, or a program of a user provides it.
Expected<void> keep_for_root(const Descriptor& folder, const std::string& shown);

/// Gives what is in it to the owner: only what belongs to root, and no file that has another name
/// elsewhere. Links are not followed. The folder must still be root's alone.
void give_contents(const Owner& owner, const Descriptor& folder);

/// Removes the empty folders in it. What else is there stays.
void remove_empty_folders_in(const Descriptor& folder);

} // namespace lttng_gpu::record
