// SPDX-License-Identifier: MIT
//
// See shared_buffers.hpp.
#include "shared_buffers.hpp"

#include "descriptor.hpp"
#include "ring_buffer.hpp"
#include "tool.hpp"
#include "unfinished_packets.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <span>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace lttng_gpu::record {
namespace fs = std::filesystem;
namespace {

const fs::path memory = "/dev/shm";
constexpr const char* extracted = "extracted"; // folder
constexpr const char* unread_mark = "-unread"; // in the name of a folder in memory

/// Empty: it cannot be made.
fs::path make_folder(const std::string& begin)
{
    std::string path = (memory / (begin + "-XXXXXX")).string();
    return mkdtemp(path.data()) != nullptr ? path : "";
}

/// The session daemon removes its files in it at the same time, which can end either removal.
void remove_folder(const fs::path& folder)
{
    constexpr int most_tries = 20;
    constexpr std::chrono::milliseconds pause{10};
    for (int attempt = 0; attempt < most_tries; ++attempt) {
        std::error_code error;
        fs::remove_all(folder, error);
        if (!fs::exists(folder, error)) {
            return;
        }
        std::this_thread::sleep_for(pause);
    }
}

bool is_metadata(const fs::path& file)
{
    return file.filename() == "metadata";
}

/// Of metadata, which LTTng writes in packets (struct metadata_packet_header in ust-clock and
/// ring-buffer clients: magic number, UUID, checksum, 32-bit sizes of content and packet in bits)
/// or as plain text.
std::uint64_t text_bytes(const fs::path& metadata)
{
    constexpr std::size_t header_bytes = 37;
    constexpr std::uint32_t magic = 0x75D11D57;
    std::ifstream file{metadata, std::ios::binary};
    std::uint64_t bytes = 0;
    std::uint64_t at = 0;
    std::array<char, header_bytes> header{};
    while (file.seekg(static_cast<std::streamoff>(at)) && file.read(header.data(), header_bytes)) {
        std::array<std::uint32_t, 8> words{};
        std::memcpy(words.data(), header.data(), sizeof words);
        const std::uint32_t content = words[6] / 8;
        const std::uint32_t packet = words[7] / 8;
        if (words[0] != magic || content < header_bytes || packet < content) {
            break;
        }
        bytes += content - header_bytes;
        at += packet;
    }
    std::error_code error;
    return at != 0 ? bytes : fs::file_size(metadata, error);
}

/// The file is the old one or the new one at any time, also on a disk that is full.
Expected<void> replace(const fs::path& from, const fs::path& to)
{
    std::error_code error;
    if (fs::file_size(from, error) == 0 || error) {
        return {};
    }
    const fs::path copy = to.string() + ".new";
    fs::create_directories(to.parent_path(), error);
    if (!fs::copy_file(from, copy, fs::copy_options::overwrite_existing, error)) {
        std::error_code ignored;
        fs::remove(copy, ignored);
        return failed(fmt::format("cannot write {}: {}", copy.string(), error.message()));
    }
    fs::rename(copy, to, error);
    return {};
}

/// errno says why not.
bool write_all(int to, std::span<const char> bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = write(to, bytes.data(), bytes.size());
        if (written < 0) {
            return false;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

/// errno says why not.
bool copy_all(const fs::path& from, int to)
{
    const Descriptor source{open(from.c_str(), O_RDONLY | O_CLOEXEC)};
    std::array<char, 1 << 16> piece{};
    ssize_t got = 0;
    while (source && (got = read(source.get(), piece.data(), piece.size())) > 0) {
        if (!write_all(to, {piece.data(), static_cast<std::size_t>(got)})) {
            return false;
        }
    }
    return source && got == 0;
}

Expected<void> append(const fs::path& from, const fs::path& to)
{
    std::error_code error;
    if (fs::file_size(from, error) == 0 || error) {
        return {};
    }
    fs::create_directories(to.parent_path(), error);
    // Nothing that follows half a packet can be read.
    remove_unfinished_packets(to);
    const Descriptor target{open(to.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0660)};
    const off_t before = target ? lseek(target.get(), 0, SEEK_END) : -1;
    if (before < 0 || !copy_all(from, target.get())) {
        const int why = errno;
        [[maybe_unused]] const int result = ftruncate(target.get(), before);
        return failed(fmt::format("cannot write {}: {}", to.string(), std::strerror(why)));
    }
    fs::remove(index_of(to), error);
    return {};
}

} // namespace

SharedBuffers SharedBuffers::make(const std::string& session)
{
    SharedBuffers made;
    made.m_path = make_folder(session);
    return made;
}

SharedBuffers SharedBuffers::left_by(const std::string& session)
{
    SharedBuffers left;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator{memory, error}) {
        const std::string name = entry.path().filename().string();
        struct stat status {};
        if (!name.starts_with(session + "-") || lstat(entry.path().c_str(), &status) != 0 ||
            !S_ISDIR(status.st_mode) || status.st_uid != geteuid() || (status.st_mode & 077) != 0) {
            continue;
        }
        if (name.find(unread_mark) == std::string::npos) {
            left.m_path = entry.path();
            continue;
        }
        std::error_code ignored;
        fs::remove_all(entry.path(), ignored);
    }
    return left;
}

SharedBuffers::~SharedBuffers()
{
    if (!m_path.empty()) {
        remove_folder(m_path);
    }
}

Expected<UnreadEvents> UnreadEvents::extract(const SharedBuffers& buffers)
{
    UnreadEvents unread{make_folder(buffers.path().filename().string() + unread_mark)};
    if (unread.m_folder.empty()) {
        return failed(
            fmt::format("cannot make a folder in {}: {}", memory.string(), std::strerror(errno)));
    }
    std::error_code error;
    for (fs::recursive_directory_iterator entry{buffers.path(), error}, end; !error && entry != end;
         entry.increment(error)) {
        std::error_code unknown;
        if (entry->symlink_status(unknown).type() != fs::file_type::regular) {
            continue;
        }
        const fs::path to =
            unread.m_folder / extracted / entry->path().lexically_relative(buffers.path());
        if (auto copied = is_metadata(entry->path()) ? replace(entry->path(), to)
                                                     : unread.extract_buffer(entry->path(), to);
            !copied) {
            return Failure{copied.error()};
        }
    }
    return unread;
}

/// Nothing is made of one that has nothing to read.
Expected<void> UnreadEvents::extract_buffer(const fs::path& from, const fs::path& to)
{
    bool is_known = true;
    const auto buffer = RingBuffer::open_at(from, is_known);
    Descriptor file;
    bool is_written = true;
    const auto take = [&](std::span<const char> packet) {
        if (!file) {
            std::error_code error;
            fs::create_directories(to.parent_path(), error);
            file = Descriptor{open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)};
        }
        is_written = file && write_all(file.get(), packet);
        m_bytes += is_written ? packet.size() : 0;
        return is_written;
    };
    const bool is_all_read = !buffer || buffer->for_each_unread(take);
    m_damaged += is_known && is_all_read ? 0 : 1;
    return is_written
               ? Expected<void>{}
               : failed(fmt::format("cannot write {}: {}", to.string(), std::strerror(errno)));
}

UnreadEvents::~UnreadEvents()
{
    if (!m_folder.empty()) {
        std::error_code ignored;
        fs::remove_all(m_folder, ignored);
    }
}

/// Every file, and where it belongs in the trace.
Expected<void> UnreadEvents::add_each(const fs::path& trace,
                                      Expected<void> (*add)(const fs::path&, const fs::path&)) const
{
    std::error_code error;
    // SESSION-DATE/ust/...: below that it is as in the trace.
    for (const auto& session : fs::directory_iterator{m_folder / extracted, error}) {
        for (const auto& entry : fs::recursive_directory_iterator{session.path(), error}) {
            if (!entry.is_regular_file(error)) {
                continue;
            }
            auto added =
                add(entry.path(), trace / fs::relative(entry.path(), session.path(), error));
            if (!added) {
                return added;
            }
        }
    }
    return {};
}

Expected<void> UnreadEvents::append_to(const fs::path& trace) const
{
    return add_each(trace, [](const fs::path& from, const fs::path& to) {
        return is_metadata(from) ? replace(from, to) : append(from, to);
    });
}

Expected<void> UnreadEvents::complete_metadata_of(const fs::path& trace) const
{
    return add_each(trace, [](const fs::path& from, const fs::path& to) {
        std::error_code error;
        const bool is_shorter =
            is_metadata(from) && fs::exists(to, error) && text_bytes(to) < text_bytes(from);
        return is_shorter ? replace(from, to) : Expected<void>{};
    });
}

} // namespace lttng_gpu::record
