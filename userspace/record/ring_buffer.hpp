// SPDX-License-Identifier: MIT
//
// One buffer of LTTng-UST: one CPU's of one channel, of one user or process. LTTng-UST describes it
// at the beginning of each file of `lttng create --shm-path` (struct lttng_crash_abi in
// frontend_types.h of lttng-ust, versions 0.0 and 1.0).
//
// Programs write to it, and may have written anything, also to its description, or made the file
// shorter. So nothing in it is trusted: what is taken from it is read once and compared with the
// size of the file, and the file is read, not mapped.
#pragma once

#include "descriptor.hpp"
#include "unfinished_events.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace lttng_gpu::record {

class RingBuffer {
public:
    /// No value: it is no buffer. `is_known` becomes false for one of another form, and for what
    /// cannot be read. Links are not followed.
    static std::optional<RingBuffer> open_at(const std::filesystem::path& path, bool& is_known);

    /// Adds those that it has. False: not all of it can be read.
    bool find(const std::filesystem::path& path, UnfinishedEvents& events) const;

    /// Gives what nobody has read, packet by packet, without what follows an unfinished event in
    /// its sub-buffer, and no more than there is memory in the file. `take` returns false to end
    /// that. False: not all of it can be read.
    bool for_each_unread(const std::function<bool(std::span<const char>)>& take) const;

private:
    static constexpr std::size_t header_bytes = 124;
    using Header = std::array<char, header_bytes>;
    /// Where a number is in the file.
    struct Place {
        std::uint64_t at = 0;
        std::uint64_t bytes = 0;
    };
    /// Of positions, which count on from one round of the ring to the next.
    struct Range {
        std::uint64_t begin = 0; // of a sub-buffer
        std::uint64_t end = 0;
    };

    bool read_layout(const Header& header);
    bool is_within_file();
    std::optional<Range> unread() const;
    /// No value: it cannot be read.
    std::optional<std::uint64_t> number_at(const Place& place) const;
    std::optional<std::uint64_t> contiguous_at(std::uint64_t position) const;
    std::optional<std::uint64_t> begin_of_packet(std::uint64_t index) const;
    std::optional<std::vector<char>> packet_at(std::uint64_t position) const;
    bool set_size(std::vector<char>& packet, const Place& field) const;

    Descriptor m_file;
    std::uint64_t m_word_bytes = 0;
    Place m_written;
    Place m_consumed;
    std::uint64_t m_counts_at = 0;
    std::uint64_t m_count_stride = 0;
    Place m_contiguous; // of a sub-buffer's counts: finished bytes that have no gap before them
    Place m_index_of;   // the table of which sub-buffer is where, and a sub-buffer's number in it
    std::uint64_t m_index_at = 0;
    std::uint64_t m_index_stride = 0;
    Place m_backend_of; // the same of what is known of where its bytes are
    std::uint64_t m_backend_at = 0;
    std::uint64_t m_backend_stride = 0;
    Place m_begin_of;
    Place m_content_size; // in a packet
    Place m_packet_size;
    std::uint64_t m_subbuffer_bytes = 0;
    std::uint64_t m_subbuffers = 0;
    std::uint64_t m_count_mask = 0;
    std::uint64_t m_index_mask = 0;
    std::uint64_t m_memory = 0; // of the file; it may have holes
};

} // namespace lttng_gpu::record
