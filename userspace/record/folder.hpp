// SPDX-License-Identifier: MIT
//
// The folder that a recording is written to.
#pragma once

#include "../correlate/base/expected.hpp"

#include <filesystem>

namespace lttng_gpu::record {

/// LTTng creates folders even when nothing is recorded into them.
bool has_trace(const std::filesystem::path& folder);

/// Creates that folder or, when it exists, the first of NAME-2, NAME-3, ... that does
/// not exist. A process that does the same at the same time gets another name.
Expected<std::filesystem::path> make_free_folder(const std::filesystem::path& wanted);

/// New or empty; created if needed, and then removed again if it stays empty.
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
    /// The outermost folder that had to be made for it; empty: it was there.
    const std::filesystem::path& outermost() const { return x_outermost; }

private:
    Folder(std::filesystem::path shown, bool stays, std::filesystem::path outermost = {});

    std::filesystem::path x_shown;
    std::filesystem::path x_path;
    std::filesystem::path x_outermost;
    bool x_stays;
};

} // namespace lttng_gpu::record
