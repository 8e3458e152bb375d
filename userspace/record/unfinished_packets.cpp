// SPDX-License-Identifier: MIT
//
// See unfinished_packets.hpp.
#include "unfinished_packets.hpp"

#include "descriptor.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace lttng_gpu::record {
namespace fs = std::filesystem;
namespace {

// The beginning of each packet, as LTTng's tracers 2.13 to 2.16 write it (struct packet_header in
// ust-ring-buffer-clients and in lttng-ring-buffer-client.h of lttng-modules): magic number, UUID
// of the trace and number of the stream, which are the same in all packets of a file; number of
// the instance, two times, size of the content and size of the packet in bits.
constexpr std::size_t signature_bytes = 24;
constexpr std::size_t packet_size_at = 56;
constexpr std::size_t header_bytes = packet_size_at + 8;
constexpr std::array<unsigned char, 4> magic{0xC1, 0x1F, 0xFC, 0xC1}; // little-endian

class Stream {
public:
    explicit Stream(const fs::path& path) : m_file{open(path.c_str(), O_RDWR | O_CLOEXEC)}
    {
        struct stat status {};
        if (m_file && fstat(m_file.get(), &status) == 0 && S_ISREG(status.st_mode)) {
            m_size = static_cast<std::uint64_t>(status.st_size);
        }
        if (m_size >= header_bytes) {
            m_signature = read_at(0, signature_bytes);
        }
    }

    bool is_of_lttng() const
    {
        return m_signature.size() == signature_bytes &&
               std::equal(magic.begin(), magic.end(), m_signature.begin());
    }
    std::uint64_t size() const { return m_size; }

    /// In bytes; empty: there is no whole packet.
    std::optional<std::uint64_t> whole_packet_at(std::uint64_t at) const
    {
        const auto header = read_at(at, header_bytes);
        if (header.size() < header_bytes || !is_signature(header.data())) {
            return {};
        }
        std::uint64_t bits = 0;
        std::memcpy(&bits, header.data() + packet_size_at, sizeof bits);
        const std::uint64_t bytes = bits / 8;
        if (bytes < header_bytes || bytes > m_size - at) {
            return {};
        }
        const std::uint64_t end = at + bytes;
        const bool is_followed = end == m_size || is_packet_at(end);
        return is_followed ? std::optional{bytes} : std::nullopt;
    }

    /// The end of the file when there is none.
    std::uint64_t next_packet_after(std::uint64_t at) const
    {
        constexpr std::size_t piece_bytes = 1 << 20;
        for (std::uint64_t from = at + 1; from < m_size; from += piece_bytes) {
            const auto piece = read_at(from, piece_bytes + signature_bytes - 1);
            const auto found =
                std::search(piece.begin(), piece.end(), m_signature.begin(), m_signature.end());
            if (found != piece.end()) {
                return from + static_cast<std::uint64_t>(found - piece.begin());
            }
        }
        return m_size;
    }

    void move(std::uint64_t from, std::uint64_t to, std::uint64_t bytes)
    {
        constexpr std::uint64_t piece_bytes = 1 << 20;
        for (std::uint64_t done = 0; done < bytes; done += piece_bytes) {
            const auto piece = read_at(from + done, std::min(piece_bytes, bytes - done));
            [[maybe_unused]] const ssize_t written =
                pwrite(m_file.get(), piece.data(), piece.size(), static_cast<off_t>(to + done));
        }
    }

    void cut(std::uint64_t size)
    {
        [[maybe_unused]] const int result = ftruncate(m_file.get(), static_cast<off_t>(size));
    }

private:
    bool is_signature(const unsigned char* bytes) const
    {
        return std::equal(m_signature.begin(), m_signature.end(), bytes);
    }

    /// Or the beginning of one.
    bool is_packet_at(std::uint64_t at) const
    {
        const auto bytes = read_at(at, signature_bytes);
        return std::equal(bytes.begin(), bytes.end(), m_signature.begin());
    }

    std::vector<unsigned char> read_at(std::uint64_t at, std::size_t bytes) const
    {
        std::vector<unsigned char> piece(bytes);
        const ssize_t got = pread(m_file.get(), piece.data(), piece.size(), static_cast<off_t>(at));
        piece.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        return piece;
    }

    Descriptor m_file;
    std::uint64_t m_size = 0;
    std::vector<unsigned char> m_signature;
};

} // namespace

fs::path index_of(const fs::path& stream)
{
    return stream.parent_path() / "index" / (stream.filename().string() + ".idx");
}

std::uint64_t remove_unfinished_packets(const fs::path& path)
{
    Stream stream{path};
    if (!stream.is_of_lttng()) {
        return 0;
    }
    std::uint64_t kept = 0;
    for (std::uint64_t at = 0; at < stream.size();) {
        const auto bytes = stream.whole_packet_at(at);
        if (!bytes) {
            at = stream.next_packet_after(at);
            continue;
        }
        if (kept != at) {
            stream.move(at, kept, *bytes);
        }
        kept += *bytes;
        at += *bytes;
    }
    if (kept < stream.size()) {
        std::error_code ignored;
        stream.cut(kept);
        fs::remove(index_of(path), ignored);
    }
    return stream.size() - kept;
}

std::uint64_t remove_unfinished_packets_in(const fs::path& trace)
{
    std::error_code error;
    std::uint64_t removed = 0;
    for (const auto& entry : fs::recursive_directory_iterator{trace, error}) {
        if (entry.is_regular_file(error) && !entry.is_symlink(error) &&
            entry.path().filename() != "metadata" && entry.path().extension() != ".idx") {
            removed += remove_unfinished_packets(entry.path());
        }
    }
    return removed;
}

} // namespace lttng_gpu::record
