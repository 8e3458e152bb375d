// SPDX-License-Identifier: MIT
//
// See unfinished_events.hpp.
#include "unfinished_events.hpp"

#include "descriptor.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <system_error>
#include <unistd.h>

namespace lttng_gpu::record {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t header_bytes = 124;
constexpr std::array<unsigned char, 16> magic{0x17, 0x7B, 0xF1, 0x77, 0xBF, 0x17, 0x7B, 0xF1,
                                              0x77, 0xBF, 0x17, 0x7B, 0xF1, 0x77, 0xBF, 0x17};
constexpr std::uint16_t this_byte_order = 0x1234;
constexpr std::uint32_t discards_when_full = 1; // and does not overwrite

using Header = std::array<char, header_bytes>;

template <typename Number> Number number_at(const Header& header, std::size_t at)
{
    Number number{};
    std::memcpy(&number, header.data() + at, sizeof number);
    return number;
}

bool is_gone(int error)
{
    return error == ENOENT;
}

bool is_gone(const std::error_code& error)
{
    return error == std::errc::no_such_file_or_directory;
}

/// One buffer's file.
class RingBuffer {
public:
    /// No value: it is no buffer. `is_known` becomes false for one of another form, and for what
    /// cannot be read.
    static std::optional<RingBuffer> open_at(const fs::path& path, bool& is_known)
    {
        RingBuffer buffer;
        Header header{};
        buffer.x_file = Descriptor{open(path.c_str(), O_RDONLY | O_CLOEXEC)};
        if (!buffer.x_file) {
            is_known = is_known && is_gone(errno);
            return {};
        }
        const ssize_t got = pread(buffer.x_file.get(), header.data(), header.size(), 0);
        is_known = is_known && got >= 0;
        const bool begins_as_one = got >= static_cast<ssize_t>(magic.size()) &&
                                   std::memcmp(header.data(), magic.data(), magic.size()) == 0;
        if (!begins_as_one) {
            return {};
        }
        if (got < static_cast<ssize_t>(header.size()) || !buffer.read_layout(header)) {
            is_known = false;
            return {};
        }
        return buffer;
    }

    /// Adds those that it has. False: not all of it can be read.
    bool find(const fs::path& path, UnfinishedEvents& events) const
    {
        const auto written = word_at(x_written_at);
        const auto consumed = word_at(x_consumed_at);
        if (!written || !consumed) {
            return false;
        }
        std::uint64_t begin = *consumed & ~(x_subbuffer_bytes - 1);
        for (std::uint64_t number = 0; number <= x_subbuffers && begin < *written; ++number) {
            const std::uint64_t taken = std::min(*written - begin, x_subbuffer_bytes);
            const std::uint64_t index = begin / x_subbuffer_bytes % x_subbuffers;
            // It counts on from one round of the ring to the next.
            const std::uint64_t round = begin / x_subbuffer_bytes / x_subbuffers;
            const auto count = word_at(x_counts_at + index * x_count_stride);
            if (!count) {
                return false;
            }
            const std::uint64_t finished = (*count - round * x_subbuffer_bytes) & x_count_mask;
            events.has_unread = events.has_unread || finished != 0;
            if (finished != taken) {
                events.found.push_back({path, begin, taken, finished});
            }
            begin += x_subbuffer_bytes;
        }
        return true;
    }

private:
    bool read_layout(const Header& header)
    {
        x_word_bytes = number_at<std::uint8_t>(header, 30);
        x_written_at = number_at<std::uint32_t>(header, 32);
        x_consumed_at = number_at<std::uint32_t>(header, 36);
        x_counts_at = number_at<std::uint32_t>(header, 40);
        x_count_stride = number_at<std::uint32_t>(header, 84);
        x_subbuffer_bytes = number_at<std::uint64_t>(header, 104);
        x_subbuffers = number_at<std::uint64_t>(header, 112);
        // 0.0 (LTTng 2.13) and 1.0 differ in what is not read here.
        const bool is_version_known = number_at<std::uint16_t>(header, 24) == this_byte_order &&
                                      number_at<std::uint16_t>(header, 26) <= 1 &&
                                      number_at<std::uint16_t>(header, 28) == 0;
        // The description names the count of finished bytes that have no gap before them. The count
        // of all finished ones, the word before it, is what the reader waits for (struct
        // commit_counters_hot in frontend_types.h).
        const bool has_count_before = number_at<std::uint32_t>(header, 44) == x_word_bytes;
        const bool is_mode_known = number_at<std::uint32_t>(header, 120) == discards_when_full;
        if (!is_version_known || !has_count_before || !is_mode_known ||
            (x_word_bytes != 4 && x_word_bytes != 8) || !std::has_single_bit(x_subbuffer_bytes) ||
            !std::has_single_bit(x_subbuffers)) {
            return false;
        }
        const std::uint64_t largest = x_word_bytes == 4 ? UINT32_MAX : UINT64_MAX;
        x_count_mask = largest / x_subbuffers;
        return true;
    }

    /// No value: it cannot be read.
    std::optional<std::uint64_t> word_at(std::uint64_t at) const
    {
        std::uint64_t word = 0; // the low bytes come first, see this_byte_order
        static_assert(std::endian::native == std::endian::little);
        const auto got = pread(x_file.get(), &word, x_word_bytes, static_cast<off_t>(at));
        return got == static_cast<ssize_t>(x_word_bytes) ? std::optional{word} : std::nullopt;
    }

    Descriptor x_file;
    std::uint64_t x_word_bytes = 0;
    std::uint64_t x_written_at = 0; // where in the file
    std::uint64_t x_consumed_at = 0;
    std::uint64_t x_counts_at = 0;
    std::uint64_t x_count_stride = 0;
    std::uint64_t x_subbuffer_bytes = 0;
    std::uint64_t x_subbuffers = 0;
    std::uint64_t x_count_mask = 0;
};

/// In the buffers of this folder and below. A folder or a file that vanishes meanwhile was of a
/// program that has ended, and LTTng had read it.
void find_below(const fs::path& folder, UnfinishedEvents& events)
{
    std::error_code error;
    for (fs::directory_iterator entry{folder, error}, end; !error && entry != end;
         entry.increment(error)) {
        std::error_code unknown;
        const auto type = entry->symlink_status(unknown).type();
        if (type == fs::file_type::directory) {
            find_below(entry->path(), events);
        } else if (type == fs::file_type::regular) {
            const auto buffer = RingBuffer::open_at(entry->path(), events.is_known);
            if (buffer && !buffer->find(entry->path(), events)) {
                events.is_known = false;
            }
        } else if (type == fs::file_type::none) {
            events.is_known = events.is_known && is_gone(unknown);
        }
    }
    events.is_known = events.is_known && (!error || is_gone(error));
}

} // namespace

UnfinishedEvents find_unfinished_events(const fs::path& buffers)
{
    UnfinishedEvents events;
    find_below(buffers, events); // without that folder nobody has written
    std::ranges::sort(events.found, {}, [](const UnfinishedEvent& event) {
        return std::pair{event.buffer, event.begin};
    });
    return events;
}

} // namespace lttng_gpu::record
