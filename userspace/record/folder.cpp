// SPDX-License-Identifier: MIT
//
// See folder.hpp.
#include "folder.hpp"

#include <ctime>
#include <fmt/format.h>
#include <utility>

namespace lttng_gpu::record {
namespace fs = std::filesystem;
namespace {

/// ./lttng-gpu-20260131-235959
fs::path timestamp_name()
{
    const std::time_t seconds = std::time(nullptr);
    std::tm local{};
    localtime_r(&seconds, &local);
    char text[32];
    std::strftime(text, sizeof text, "lttng-gpu-%Y%m%d-%H%M%S", &local);
    return text;
}

/// What the command may have put there stays.
void remove_empty_folders(const fs::path& folder)
{
    std::error_code error;
    for (const auto& entry : fs::directory_iterator{folder, error}) {
        if (entry.is_directory(error) && !entry.is_symlink(error)) {
            remove_empty_folders(entry.path());
        }
    }
    fs::remove(folder, error); // not if there is something in it
}

/// Of the folders that lead to it, itself included; empty: none.
fs::path outermost_missing(const fs::path& wanted)
{
    std::error_code error;
    fs::path missing;
    for (fs::path at = fs::absolute(wanted).lexically_normal(); !fs::exists(at, error);
         at = at.parent_path()) {
        missing = at;
        if (at == at.parent_path()) {
            break;
        }
    }
    return missing;
}

Failure bad(std::string message)
{
    return Failure{{ErrorKind::BadArguments, std::move(message)}};
}

} // namespace

bool has_trace(const fs::path& folder)
{
    std::error_code error;
    for (fs::recursive_directory_iterator entry{folder, error}, end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().filename() == "metadata") {
            return true;
        }
    }
    return false;
}

Expected<fs::path> make_free_folder(const fs::path& wanted)
{
    fs::path name = wanted;
    for (int number = 2;; ++number) {
        std::error_code error;
        if (fs::create_directory(name, error)) {
            return name;
        }
        std::error_code ignored;
        if (error && !fs::exists(name, ignored)) {
            return bad(fmt::format("cannot create {}: {}", name.string(), error.message()));
        }
        name = fmt::format("{}-{}", wanted.string(), number);
    }
}

Expected<Folder> Folder::make(const fs::path& wanted, bool is_dry_run)
{
    if (wanted.empty()) {
        if (is_dry_run) {
            return Folder{timestamp_name(), true};
        }
        const auto made = make_free_folder(timestamp_name());
        return made ? Expected<Folder>{Folder{*made, false, fs::absolute(*made)}}
                    : Failure{made.error()};
    }
    std::error_code error;
    const bool is_there = fs::exists(wanted, error);
    if (is_there && (!fs::is_directory(wanted, error) || !fs::is_empty(wanted, error) || error)) {
        return bad(
            fmt::format("{} is not an empty folder; choose another with -o", wanted.string()));
    }
    const fs::path outermost = outermost_missing(wanted);
    if (!is_there && !is_dry_run) {
        fs::create_directories(wanted, error);
        if (error) {
            return bad(fmt::format("cannot create {}: {}", wanted.string(), error.message()));
        }
    }
    return Folder{wanted, is_there || is_dry_run, outermost};
}

Folder::Folder(fs::path shown, bool stays, fs::path outermost)
    : x_shown{std::move(shown)}, x_path{fs::absolute(x_shown).lexically_normal()},
      x_outermost{std::move(outermost)}, x_stays{stays}
{
}

Folder::Folder(Folder&& other) noexcept
    : x_shown{std::move(other.x_shown)}, x_path{std::move(other.x_path)},
      x_outermost{std::move(other.x_outermost)}, x_stays{std::exchange(other.x_stays, true)}
{
}

Folder::~Folder()
{
    if (!x_stays && !has_trace(x_path)) {
        remove_empty_folders(x_path);
    }
}

} // namespace lttng_gpu::record
