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

    std::uint32_t cpu() const { return x_cpu.cpu; }
    bool is_damaged() const { return x_is_damaged; }
    std::uint64_t bytes_read() const { return x_next - x_cpu.offset; }

private:
    bool load_page();
    bool load_plain();
    bool load_packed();
    bool open_page();
    bool take_record(DatRecord& record);
    void damage();
    std::uint64_t number_at(std::size_t offset, std::size_t size) const;

    const File& x_file;
    DatCpu x_cpu;
    PageLayout x_layout;
    Packing x_packing;
    std::uint32_t x_page_size;
    std::uint32_t x_long_size;
    bool x_is_big_endian;
    std::uint64_t x_largest_chunk;

    std::vector<std::byte> x_chunk; // some pages
    std::size_t x_page = 0;         // begin of the next page in the chunk
    std::uint64_t x_next = 0;       // place in the file behind the chunk
    std::uint64_t x_chunks_left = 0;
    bool x_has_count = false;

    std::span<const std::byte> x_data; // of the page that is open
    std::size_t x_at = 0;
    std::uint64_t x_ticks = 0;
    bool x_has_lost = false;
    std::optional<std::uint64_t> x_lost;
    bool x_is_damaged = false;
};

} // namespace lttng_gpu::trace::ftrace
