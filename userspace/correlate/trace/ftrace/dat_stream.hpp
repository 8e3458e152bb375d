// SPDX-License-Identifier: MIT
//
// The records of one CPU in a trace.dat file, one after the other: pages of the kernel's
// ring buffer (kernel/trace/ring_buffer.c; libtraceevent's kbuffer-parse.c reads the
// same). A page whose inside does not fit is left out and counted as damage. Nothing
// is handed out that lies outside its page.
#pragma once

#include "dat_file.hpp"

namespace lttng_gpu::trace::ftrace {

struct DatRecord {
    std::uint64_t ticks = 0;
    std::span<const std::byte> data; // good until the next call
    bool has_lost_before = false;
    std::optional<std::uint64_t> lost; // how many, when that is known
};

/// Where the parts of a page are; from header_page.
struct PageLayout {
    std::uint32_t commit_offset = 8;
    std::uint32_t commit_size = 8;
    std::uint32_t data_offset = 16;
};

/// Nothing when header_page describes no page that can be read.
std::optional<PageLayout> find_page_layout(const DatFile& dat);

class DatStream {
public:
    /// `file` and `dat` must outlive this. At most `largest_chunk` bytes are unpacked at once.
    DatStream(const File& file, const DatFile& dat, const DatBuffer& buffer, const DatCpu& cpu,
              PageLayout layout, std::uint64_t largest_chunk);

    /// False at the end.
    bool next(DatRecord& record);

    std::uint32_t cpu() const { return m_cpu.cpu; }
    bool is_damaged() const { return m_is_damaged; }
    std::uint64_t bytes_read() const { return m_next - m_cpu.offset; }

private:
    bool load_page();
    bool load_plain();
    bool load_packed();
    bool open_page();
    bool take_record(DatRecord& record);
    void damage();
    std::uint64_t number_at(std::size_t offset, std::size_t size) const;

    const File& m_file;
    DatCpu m_cpu;
    PageLayout m_layout;
    Packing m_packing;
    std::uint32_t m_page_size;
    std::uint32_t m_long_size;
    bool m_is_big_endian;
    std::uint64_t m_largest_chunk;

    std::vector<std::byte> m_chunk; // some pages
    std::size_t m_page = 0;         // begin of the next page in the chunk
    std::uint64_t m_next = 0;       // place in the file behind the chunk
    std::uint64_t m_chunks_left = 0;
    bool m_has_count = false;

    std::span<const std::byte> m_data; // of the page that is open
    std::size_t m_at = 0;
    std::uint64_t m_ticks = 0;
    bool m_has_lost = false;
    std::optional<std::uint64_t> m_lost;
    bool m_is_damaged = false;
};

} // namespace lttng_gpu::trace::ftrace
