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
    : m_file{file}, m_cpu{cpu}, m_layout{layout}, m_packing{buffer.packing},
      m_page_size{std::max(buffer.page_size, layout.data_offset)}, m_long_size{layout.commit_size},
      m_is_big_endian{dat.is_big_endian}, m_largest_chunk{largest_chunk}, m_next{cpu.offset},
      m_is_damaged{cpu.is_cut}
{
}

std::uint64_t DatStream::number_at(std::size_t offset, std::size_t size) const
{
    return to_number(m_data.subspan(offset, size), m_is_big_endian);
}

void DatStream::damage()
{
    m_is_damaged = true;
    m_has_lost = true;
    m_lost.reset();
}

bool DatStream::next(DatRecord& record)
{
    for (;;) {
        if (m_at < m_data.size()) {
            if (take_record(record)) {
                record.ticks = m_ticks;
                record.has_lost_before = m_has_lost;
                record.lost = m_lost;
                m_has_lost = false;
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
    if (m_page >= m_chunk.size()) {
        m_page = 0;
        m_chunk.clear();
        if (!(m_packing == Packing::None ? load_plain() : load_packed())) {
            m_data = {};
            return false;
        }
    }
    const std::size_t size = std::min<std::size_t>(m_page_size, m_chunk.size() - m_page);
    m_data = std::span<const std::byte>{m_chunk}.subspan(m_page, size);
    m_page += size;
    return true;
}

bool DatStream::load_plain()
{
    const std::uint64_t left = m_cpu.offset + m_cpu.size - m_next;
    m_chunk.resize(std::min<std::uint64_t>(left, m_page_size * pages_at_once));
    const std::size_t got = m_file.read_at(m_next, m_chunk).value_or(0);
    m_is_damaged = m_is_damaged || got != m_chunk.size();
    m_chunk.resize(got);
    m_next = got == 0 ? m_cpu.offset + m_cpu.size : m_next + got;
    return got > 0;
}

/// Chunks: the packed size, the full size, the bytes. Before the first their number.
bool DatStream::load_packed()
{
    // The size that trace-cmd writes leaves out the number of chunks.
    DatBytes bytes{m_file, m_next, m_cpu.offset + m_cpu.size + 4};
    bytes.set_big_endian(m_is_big_endian);
    if (!m_has_count) {
        m_has_count = true;
        m_chunks_left = bytes.left() >= 4 ? bytes.number(4) : 0;
    }
    if (m_chunks_left == 0) {
        return false;
    }
    --m_chunks_left;
    const std::uint64_t packed_size = bytes.number(4);
    const std::uint64_t full_size = bytes.number(4);
    const std::string packed = packed_size <= m_largest_chunk ? bytes.block(packed_size) : "";
    const auto full = unpack(m_packing, packed, full_size, m_largest_chunk);
    if (!bytes.is_good() || !full || full->empty()) {
        damage(); // without its size the next chunk cannot be found
        m_chunks_left = 0;
        return false;
    }
    const std::span<const std::byte> content = std::as_bytes(std::span{*full});
    m_chunk.assign(content.begin(), content.end());
    m_next = bytes.position();
    return true;
}

/// Reads the page's header and leaves its records in m_data.
bool DatStream::open_page()
{
    const std::span<const std::byte> page = m_data;
    m_at = 0;
    if (page.size() < m_layout.data_offset) {
        damage();
        m_data = {};
        return false;
    }
    m_ticks = number_at(0, 8);
    const std::uint64_t commit = number_at(m_layout.commit_offset, m_layout.commit_size);
    const std::uint64_t size = commit & commit_mask;
    if (size > page.size() - m_layout.data_offset) {
        damage();
        m_data = {};
        return false;
    }
    m_data = page.subspan(m_layout.data_offset, size);
    if ((commit & missed_events) != 0) {
        const bool is_stored = (commit & missed_stored) != 0;
        const std::size_t end = m_layout.data_offset + size;
        const bool is_known = is_stored && page.size() - end >= m_long_size && !m_has_lost;
        m_lost = is_known
                     ? std::optional{to_number(page.subspan(end, m_long_size), m_is_big_endian)}
                     : std::nullopt;
        m_has_lost = true;
    }
    return true;
}

/// False when it was no event; a record that does not fit ends the page.
bool DatStream::take_record(DatRecord& record)
{
    const std::size_t left = m_data.size() - m_at;
    if (left < 4) {
        m_at = m_data.size();
        return false;
    }
    const auto header = static_cast<std::uint32_t>(number_at(m_at, 4));
    const std::uint32_t type = m_is_big_endian ? header >> time_bits : header & 31U;
    const std::uint64_t delta =
        m_is_big_endian ? header & ((1U << time_bits) - 1) : header >> (32U - time_bits);
    const bool is_short = type != TypeLong && type < TypePadding;
    if (type == TypePadding && delta == 0) { // nothing more in this page
        m_at = m_data.size();
        return false;
    }
    if (!is_short && left < 8) {
        damage();
        m_at = m_data.size();
        return false;
    }
    const std::uint64_t word = is_short ? 0 : number_at(m_at + 4, 4);
    if (type == TypeTimeExtend || type == TypeTimeStamp) {
        const std::uint64_t extended = (word << time_bits) + delta;
        m_ticks =
            type == TypeTimeExtend ? m_ticks + extended : (m_ticks & stamp_high_bits) | extended;
        m_at += 8;
        return false;
    }
    m_ticks += delta;
    // The word of a long record counts itself.
    const std::uint64_t size = is_short ? std::uint64_t{type} * 4 : (word + 3U) & ~std::uint64_t{3};
    if (size > left - 4 || (!is_short && size < 4)) {
        damage();
        m_at = m_data.size();
        return false;
    }
    const std::size_t begin = m_at + (is_short ? 4 : 8);
    m_at += 4 + size;
    record.data = m_data.subspan(begin, m_at - begin);
    return type != TypePadding;
}

} // namespace lttng_gpu::trace::ftrace
