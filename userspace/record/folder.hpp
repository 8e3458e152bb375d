// SPDX-License-Identifier: MIT
//
// The folder that a recording is written to.
#pragma once

#include "../correlate/base/expected.hpp"

#include <filesystem>

namespace lttng_gpu::record {

/// LTTng makes folders also when nothing comes to be in them.
bool has_trace(const std::filesystem::path& folder);

/// Makes that folder or, when something is there, the first of NAME-2, NAME-3, ... that is
/// not. Who else does so at the same time gets another one.
Expected<std::filesystem::path> make_free_folder(const std::filesystem::path& wanted);

/// New or empty; made if need be, and then it goes again if nothing gets into it.
class Folder {
public:
    /// Empty: a name is made from date and time. A dry run makes nothing.
    static Expected<Folder> make(const std::filesystem::path& wanted, bool is_dry_run);

    Folder(Folder&& other) noexcept;
    Folder& operator=(Folder&&) = delete;
    ~Folder();

    /// As it was asked for, to be shown.
    const std::filesystem::path& shown() const { return x_shown; }
    /// Absolute.
    const std::filesystem::path& path() const { return x_path; }

private:
    Folder(std::filesystem::path shown, bool stays);

    std::filesystem::path x_shown;
    std::filesystem::path x_path;
    bool x_stays;
};

} // namespace lttng_gpu::record
