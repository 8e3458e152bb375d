// SPDX-License-Identifier: MIT
//
// See shared_buffers.hpp.
#include "shared_buffers.hpp"

#include "tool.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace lttng_gpu::record {
namespace fs = std::filesystem;
namespace {

const fs::path memory = "/dev/shm";
constexpr const char* extracted = "extracted"; // folder

/// Empty: it cannot be made.
fs::path make_folder(const std::string& begin)
{
    std::string path = (memory / (begin + "-XXXXXX")).string();
    return mkdtemp(path.data()) != nullptr ? path : "";
}

/// Streams of data: metadata alone is no event.
bool is_stream(const fs::directory_entry& entry)
{
    std::error_code ignored;
    return entry.is_regular_file(ignored) && entry.path().filename() != "metadata";
}

Expected<void> append(const fs::path& from, const fs::path& to)
{
    std::error_code error;
    if (fs::file_size(from, error) == 0 || error) {
        return {};
    }
    fs::create_directories(to.parent_path(), error);
    std::ifstream source{from, std::ios::binary};
    std::ofstream target{to, std::ios::binary | std::ios::app};
    if (!(target << source.rdbuf()) || !target.flush()) {
        return failed(fmt::format("cannot write {}: {}", to.string(), std::strerror(errno)));
    }
    return {};
}

} // namespace

SharedBuffers SharedBuffers::make(const std::string& session)
{
    SharedBuffers made;
    made.x_path = make_folder(session);
    // Of root's session daemon: programs of all users make their buffers there, as in /dev/shm.
    constexpr mode_t for_everybody = 01777;
    if (!made.x_path.empty() && geteuid() == 0) {
        chmod(made.x_path.c_str(), for_everybody);
    }
    return made;
}

void SharedBuffers::remove_of(const std::string& session)
{
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator{memory, ignored}) {
        struct stat status {};
        if (entry.path().filename().string().starts_with(session + "-") &&
            lstat(entry.path().c_str(), &status) == 0 && status.st_uid == geteuid()) {
            fs::remove_all(entry.path(), ignored);
        }
    }
}

SharedBuffers::~SharedBuffers()
{
    if (!x_path.empty()) {
        std::error_code ignored;
        fs::remove_all(x_path, ignored);
    }
}

Expected<UnreadEvents> UnreadEvents::extract(const SharedBuffers& buffers)
{
    UnreadEvents unread{make_folder(buffers.path().filename().string() + "-unread")};
    if (unread.x_folder.empty()) {
        return failed(
            fmt::format("cannot make a folder in {}: {}", memory.string(), std::strerror(errno)));
    }
    const auto trace = unread.x_folder / extracted; // lttng-crash makes it
    const auto finished =
        Tool::ask({"lttng-crash", "--extract=" + trace.string(), buffers.path().string()});
    if (!finished) {
        return Failure{finished.error()};
    }
    if (finished->code != 0) {
        return failed("`lttng-crash` failed: " + finished->last_error_line());
    }
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator{trace, error}) {
        unread.x_bytes += is_stream(entry) ? entry.file_size(error) : 0;
    }
    return unread;
}

UnreadEvents::~UnreadEvents()
{
    if (!x_folder.empty()) {
        std::error_code ignored;
        fs::remove_all(x_folder, ignored);
    }
}

Expected<void> UnreadEvents::append_to(const fs::path& trace) const
{
    std::error_code error;
    // SESSION-DATE/ust/...: below that it is as in the trace.
    for (const auto& session : fs::directory_iterator{x_folder / extracted, error}) {
        for (const auto& entry : fs::recursive_directory_iterator{session.path(), error}) {
            const fs::path target = trace / fs::relative(entry.path(), session.path(), error);
            const bool is_missing = !fs::exists(target, error) || fs::file_size(target, error) == 0;
            if (!is_stream(entry) && !(entry.is_regular_file(error) && is_missing)) {
                continue;
            }
            if (auto appended = append(entry.path(), target); !appended) {
                return appended;
            }
            fs::remove(target.parent_path() / "index" / (target.filename().string() + ".idx"),
                       error);
        }
    }
    return {};
}

} // namespace lttng_gpu::record
