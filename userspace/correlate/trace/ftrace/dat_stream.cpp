// SPDX-License-Identifier: MIT
//
// See dat_stream.hpp.
#include "dat_stream.hpp"

#include <algorithm>

namespace lttng_gpu::trace::ftrace {
namespace {

constexpr std::size_t pages_at_once = 16;
constexpr unsigned time_bits = 27; // of an event's header

/// enum ring_buffer_type: what the five bits before the time mean.
enum : std::uint32_t { TypeLong = 0, TypePadding = 29, TypeTimeExtend = 30, TypeTimeStamp = 31 };

/// The flags in a page's commit (ring_buffer.c, RB_MISSED_EVENTS and RB_MISSED_STORED).
constexpr std::uint64_t missed_events = 1ULL << 31U;
constexpr std::uint64_t missed_stored = 1ULL << 30U;
constexpr std::uint64_t commit_mask = (1ULL << 27U) - 1;

/// An absolute stamp has 59 bits; the rest is as in the stamp before (RB_TS_MSB or TS_MSB).
constexpr std::uint64_t stamp_high_bits = 0xf8ULL << 56U;

} // namespace

std::optional<PageLayout> find_page_layout(const DatFile& dat)
{
    const RecordField* commit = find_field(dat.page_header, "commit");
    const RecordField* data = find_field(dat.page_header, "data");
    if (commit == nullptr || data == nullptr || (commit->size != 4 && commit->size != 8) ||
        commit->offset < 8 || commit->offset > 64 || data->offset > 128 ||
        data->offset < commit->offset + commit->size) {
        return {};
    }
    return PageLayout{commit->offset, commit->size, data->offset};
}

DatStream::DatStream(const File& file, const DatFile& dat, const DatBuffer& buffer,
                     const DatCpu& cpu, PageLayout layout, std::uint64_t largest_chunk)
    : x_file{file}, x_cpu{cpu}, x_layout{layout}, x_packing{buffer.packing},
      x_page_size{std::max(buffer.page_size, layout.data_offset)}, x_long_size{layout.commit_size},
      x_is_big_endian{dat.is_big_endian}, x_largest_chunk{largest_chunk}, x_next{cpu.offset},
      x_is_damaged{cpu.is_cut}
{
}

std::uint64_t DatStream::number_at(std::size_t offset, std::size_t size) const
{
    return to_number(x_data.subspan(offset, size), x_is_big_endian);
}

void DatStream::damage()
{
    x_is_damaged = true;
    x_has_lost = true;
    x_lost.reset();
}

bool DatStream::next(DatRecord& record)
{
    for (;;) {
        if (x_at < x_data.size()) {
            if (take_record(record)) {
                record.ticks = x_ticks;
                record.has_lost_before = x_has_lost;
                record.lost = x_lost;
                x_has_lost = false;
                return true;
            }
        } else if (!load_page()) {
            return false;
        } else {
            open_page();
        }
    }
}

/// Makes the next page of the chunk the current one, with a new chunk when needed.
bool DatStream::load_page()
{
    if (x_page >= x_chunk.size()) {
        x_page = 0;
        x_chunk.clear();
        if (!(x_packing == Packing::None ? load_plain() : load_packed())) {
            x_data = {};
            return false;
        }
    }
    const std::size_t size = std::min<std::size_t>(x_page_size, x_chunk.size() - x_page);
    x_data = std::span<const std::byte>{x_chunk}.subspan(x_page, size);
    x_page += size;
    return true;
}

bool DatStream::load_plain()
{
    const std::uint64_t left = x_cpu.offset + x_cpu.size - x_next;
    x_chunk.resize(std::min<std::uint64_t>(left, x_page_size * pages_at_once));
    const std::size_t got = x_file.read_at(x_next, x_chunk).value_or(0);
    x_is_damaged = x_is_damaged || got != x_chunk.size();
    x_chunk.resize(got);
    x_next = got == 0 ? x_cpu.offset + x_cpu.size : x_next + got;
    return got > 0;
}

/// Chunks: the packed size, the full size, the bytes. Before the first their number.
bool DatStream::load_packed()
{
    // The size that trace-cmd writes leaves out the number of chunks.
    DatBytes bytes{x_file, x_next, x_cpu.offset + x_cpu.size + 4};
    bytes.set_big_endian(x_is_big_endian);
    if (!x_has_count) {
        x_has_count = true;
        x_chunks_left = bytes.left() >= 4 ? bytes.number(4) : 0;
    }
    if (x_chunks_left == 0) {
        return false;
    }
    --x_chunks_left;
    const std::uint64_t packed_size = bytes.number(4);
    const std::uint64_t full_size = bytes.number(4);
    const std::string packed = packed_size <= x_largest_chunk ? bytes.block(packed_size) : "";
    const auto full = unpack(x_packing, packed, full_size, x_largest_chunk);
    if (!bytes.is_good() || !full || full->empty()) {
        damage(); // without its size the next chunk cannot be found
        x_chunks_left = 0;
        return false;
    }
    const std::span<const std::byte> content = std::as_bytes(std::span{*full});
    x_chunk.assign(content.begin(), content.end());
    x_next = bytes.position();
    return true;
}

/// Reads the page's header and leaves its records in x_data.
bool DatStream::open_page()
{
    const std::span<const std::byte> page = x_data;
    x_at = 0;
    if (page.size() < x_layout.data_offset) {
        damage();
        x_data = {};
        return false;
    }
    x_ticks = number_at(0, 8);
    const std::uint64_t commit = number_at(x_layout.commit_offset, x_layout.commit_size);
    const std::uint64_t size = commit & commit_mask;
    if (size > page.size() - x_layout.data_offset) {
        damage();
        x_data = {};
        return false;
    }
    x_data = page.subspan(x_layout.data_offset, size);
    if ((commit & missed_events) != 0) {
        const bool is_stored = (commit & missed_stored) != 0;
        const std::size_t end = x_layout.data_offset + size;
        const bool is_known = is_stored && page.size() - end >= x_long_size && !x_has_lost;
        x_lost = is_known
                     ? std::optional{to_number(page.subspan(end, x_long_size), x_is_big_endian)}
                     : std::nullopt;
        x_has_lost = true;
    }
    return true;
}

/// False when it was no event; a record that does not fit ends the page.
bool DatStream::take_record(DatRecord& record)
{
    const std::size_t left = x_data.size() - x_at;
    if (left < 4) {
        x_at = x_data.size();
        return false;
    }
    const auto header = static_cast<std::uint32_t>(number_at(x_at, 4));
    const std::uint32_t type = x_is_big_endian ? header >> time_bits : header & 31U;
    const std::uint64_t delta =
        x_is_big_endian ? header & ((1U << time_bits) - 1) : header >> (32U - time_bits);
    const bool is_short = type != TypeLong && type < TypePadding;
    if (type == TypePadding && delta == 0) { // nothing more in this page
        x_at = x_data.size();
        return false;
    }
    if (!is_short && left < 8) {
        damage();
        x_at = x_data.size();
        return false;
    }
    const std::uint64_t word = is_short ? 0 : number_at(x_at + 4, 4);
    if (type == TypeTimeExtend || type == TypeTimeStamp) {
        const std::uint64_t extended = (word << time_bits) + delta;
        x_ticks =
            type == TypeTimeExtend ? x_ticks + extended : (x_ticks & stamp_high_bits) | extended;
        x_at += 8;
        return false;
    }
    x_ticks += delta;
    // The word of a long record counts itself.
    const std::uint64_t size = is_short ? std::uint64_t{type} * 4 : (word + 3U) & ~std::uint64_t{3};
    if (size > left - 4 || (!is_short && size < 4)) {
        damage();
        x_at = x_data.size();
        return false;
    }
    const std::size_t begin = x_at + (is_short ? 4 : 8);
    x_at += 4 + size;
    record.data = x_data.subspan(begin, x_at - begin);
    return type != TypePadding;
}

} // namespace lttng_gpu::trace::ftrace
