// SPDX-License-Identifier: MIT
//
// See ring_buffer.hpp.
#include "ring_buffer.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lttng_gpu::record {
namespace fs = std::filesystem;
namespace {

constexpr std::array<unsigned char, 16> magic{0x17, 0x7B, 0xF1, 0x77, 0xBF, 0x17, 0x7B, 0xF1,
                                              0x77, 0xBF, 0x17, 0x7B, 0xF1, 0x77, 0xBF, 0x17};
constexpr std::uint16_t this_byte_order = 0x1234;
constexpr std::uint32_t discards_when_full = 1; // and does not overwrite
constexpr std::uint64_t block = 512;            // of st_blocks, see stat(3type)
constexpr std::uint64_t page = 4096;
constexpr std::uint64_t most_subbuffers = 1 << 16; // record makes far fewer

// The low bytes of a number come first, see this_byte_order.
static_assert(std::endian::native == std::endian::little);

template <typename Number, typename Header> Number in(const Header& header, std::size_t at)
{
    Number number{};
    std::memcpy(&number, header.data() + at, sizeof number);
    return number;
}

} // namespace

std::optional<RingBuffer> RingBuffer::open_at(const fs::path& path, bool& is_known)
{
    RingBuffer buffer;
    Header header{};
    buffer.m_file = Descriptor{open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)};
    if (!buffer.m_file) {
        is_known = is_known && errno == ENOENT;
        return {};
    }
    const ssize_t got = pread(buffer.m_file.get(), header.data(), header.size(), 0);
    is_known = is_known && got >= 0;
    const bool begins_as_one = got >= static_cast<ssize_t>(magic.size()) &&
                               std::memcmp(header.data(), magic.data(), magic.size()) == 0;
    if (!begins_as_one) {
        return {};
    }
    if (got < static_cast<ssize_t>(header.size()) || !buffer.read_layout(header) ||
        !buffer.is_within_file()) {
        is_known = false;
        return {};
    }
    return buffer;
}

bool RingBuffer::read_layout(const Header& header)
{
    const auto position = [&](std::size_t at) -> std::uint64_t {
        return in<std::uint32_t>(header, at);
    };
    const auto length = [&](std::size_t at) -> std::uint64_t {
        return in<std::uint8_t>(header, at);
    };
    m_word_bytes = length(30);
    m_written = {position(32), m_word_bytes};
    m_consumed = {position(36), m_word_bytes};
    m_counts_at = position(40);
    m_count_stride = position(84);
    m_contiguous = {position(44), length(78)};
    m_index_at = position(48);
    m_index_of = {position(52), length(79)};
    m_index_stride = position(88);
    m_backend_at = position(56);
    m_backend_of = {position(60), length(80)};
    m_backend_stride = position(92);
    m_begin_of = {position(64), length(81)};
    m_content_size = {position(68), length(82)};
    m_packet_size = {position(72), length(83)};
    m_subbuffer_bytes = in<std::uint64_t>(header, 104);
    m_subbuffers = in<std::uint64_t>(header, 112);
    const bool is_version_known = in<std::uint16_t>(header, 24) == this_byte_order &&
                                  in<std::uint16_t>(header, 26) <= 1 &&
                                  in<std::uint16_t>(header, 28) == 0;
    // The description names the count of finished bytes that have no gap before them. The count
    // of all finished ones, the word before it, is what the reader waits for (struct
    // commit_counters_hot in frontend_types.h).
    const bool has_count_before = m_contiguous.at == m_word_bytes;
    const bool is_mode_known = in<std::uint32_t>(header, 120) == discards_when_full;
    if (!is_version_known || !has_count_before || !is_mode_known ||
        (m_word_bytes != 4 && m_word_bytes != 8) || !std::has_single_bit(m_subbuffer_bytes) ||
        !std::has_single_bit(m_subbuffers)) {
        return false;
    }
    const std::uint64_t largest = m_word_bytes == 4 ? UINT32_MAX : UINT64_MAX;
    m_count_mask = largest / m_subbuffers;
    // 0.0 uses the whole word for the number of a sub-buffer, 1.0 the lower half.
    m_index_mask = in<std::uint16_t>(header, 26) == 0
                       ? largest
                       : (std::uint64_t{1} << (m_word_bytes * CHAR_BIT / 2)) - 1;
    return true;
}

bool RingBuffer::is_within_file()
{
    struct stat status {};
    if (fstat(m_file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
        return false;
    }
    const auto size = static_cast<std::uint64_t>(status.st_size);
    m_memory = static_cast<std::uint64_t>(status.st_blocks) * block + page;
    return m_subbuffers <= most_subbuffers && m_subbuffer_bytes <= size / m_subbuffers &&
           m_subbuffer_bytes <= m_memory;
}

std::optional<RingBuffer::Range> RingBuffer::unread() const
{
    const auto written = number_at(m_written);
    const auto consumed = number_at(m_consumed);
    if (!written || !consumed) {
        return {};
    }
    const std::uint64_t begin = *consumed & ~(m_subbuffer_bytes - 1);
    const std::uint64_t most = (m_subbuffers + 1) * m_subbuffer_bytes;
    if (*written <= begin) {
        return Range{begin, begin};
    }
    return Range{begin, begin + std::min(*written - begin, most)};
}

bool RingBuffer::find(const fs::path& path, UnfinishedEvents& events) const
{
    const auto range = unread();
    if (!range) {
        return false;
    }
    for (std::uint64_t begin = range->begin; begin < range->end; begin += m_subbuffer_bytes) {
        const std::uint64_t taken = std::min(range->end - begin, m_subbuffer_bytes);
        const std::uint64_t index = begin / m_subbuffer_bytes % m_subbuffers;
        // It counts on from one round of the ring to the next.
        const std::uint64_t round = begin / m_subbuffer_bytes / m_subbuffers;
        const auto count = number_at({m_counts_at + index * m_count_stride, m_word_bytes});
        if (!count) {
            return false;
        }
        const std::uint64_t finished = (*count - round * m_subbuffer_bytes) & m_count_mask;
        events.has_unread = events.has_unread || finished != 0;
        if (finished != taken) {
            events.found.push_back({path, begin, taken, finished});
        }
    }
    return true;
}

bool RingBuffer::for_each_unread(const std::function<bool(std::span<const char>)>& take) const
{
    const auto range = unread();
    std::uint64_t left = m_memory;
    for (std::uint64_t at = range ? range->begin : 0; range && at < range->end;
         at += m_subbuffer_bytes) {
        const auto packet = packet_at(at);
        if (!packet || packet->size() > left) {
            return false;
        }
        left -= packet->size();
        if (!packet->empty() && !take(*packet)) {
            break;
        }
    }
    return range.has_value();
}

std::optional<std::uint64_t> RingBuffer::number_at(const Place& place) const
{
    std::uint64_t number = 0;
    if (place.bytes > sizeof number || place.at > INT64_MAX) {
        return {};
    }
    const auto got = pread(m_file.get(), &number, place.bytes, static_cast<off_t>(place.at));
    return got == static_cast<ssize_t>(place.bytes) ? std::optional{number} : std::nullopt;
}

/// Bytes of the sub-buffer at `position` that are finished and have no gap before them.
std::optional<std::uint64_t> RingBuffer::contiguous_at(std::uint64_t position) const
{
    const std::uint64_t index = position / m_subbuffer_bytes % m_subbuffers;
    const std::uint64_t round = position / m_subbuffer_bytes / m_subbuffers;
    const auto count =
        number_at({m_counts_at + index * m_count_stride + m_contiguous.at, m_contiguous.bytes});
    if (!count) {
        return {};
    }
    const bool is_full = ((*count - m_subbuffer_bytes) & m_count_mask) ==
                         ((round * m_subbuffer_bytes) & m_count_mask);
    return is_full ? m_subbuffer_bytes : *count & (m_subbuffer_bytes - 1);
}

/// Of a sub-buffer: the reader's and the writers' are exchanged through two tables.
std::optional<std::uint64_t> RingBuffer::begin_of_packet(std::uint64_t index) const
{
    const auto backend =
        number_at({m_index_at + index * m_index_stride + m_index_of.at, m_index_of.bytes});
    if (!backend || (*backend & m_index_mask) > m_subbuffers) { // the reader may have one more
        return {};
    }
    const auto pages =
        number_at({m_backend_at + (*backend & m_index_mask) * m_backend_stride + m_backend_of.at,
                   m_backend_of.bytes});
    return pages && *pages <= INT64_MAX ? number_at({*pages + m_begin_of.at, m_begin_of.bytes})
                                        : std::nullopt;
}

/// False: the packet has no place for it.
bool RingBuffer::set_size(std::vector<char>& packet, const Place& field) const
{
    const std::uint64_t bits = packet.size() * CHAR_BIT;
    if (field.bytes > sizeof bits || field.at > packet.size() ||
        field.bytes > packet.size() - field.at) {
        return false;
    }
    std::memcpy(packet.data() + field.at, &bits, field.bytes);
    return true;
}

/// Empty: none is there yet.
std::optional<std::vector<char>> RingBuffer::packet_at(std::uint64_t position) const
{
    const auto finished = contiguous_at(position);
    if (!finished || *finished == 0) {
        return finished ? std::optional{std::vector<char>{}} : std::nullopt;
    }
    const auto begin = begin_of_packet(position / m_subbuffer_bytes % m_subbuffers);
    if (!begin || *begin > INT64_MAX) {
        return {};
    }
    std::vector<char> packet(*finished);
    if (pread(m_file.get(), packet.data(), packet.size(), static_cast<off_t>(*begin)) !=
        static_cast<ssize_t>(packet.size())) {
        return {};
    }
    // The sizes in the header of one that is not full are not written yet.
    if (*finished < m_subbuffer_bytes) {
        return set_size(packet, m_content_size) && set_size(packet, m_packet_size)
                   ? std::optional{std::move(packet)}
                   : std::nullopt;
    }
    std::uint64_t bits = 0;
    if (m_packet_size.bytes > sizeof bits || packet.size() < sizeof bits ||
        m_packet_size.at > packet.size() - sizeof bits) {
        return {};
    }
    std::memcpy(&bits, packet.data() + m_packet_size.at, m_packet_size.bytes);
    if (bits / CHAR_BIT > packet.size()) {
        return {};
    }
    packet.resize(bits / CHAR_BIT);
    return packet;
}

} // namespace lttng_gpu::record
