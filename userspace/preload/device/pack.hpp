// SPDX-License-Identifier: MIT
//
// What the recorder wrote, as bytes for the trace: numbers of seven bits a byte, the lowest first,
// the highest bit says that one more follows. Their form stands in the other side,
// userspace/correlate/device/unpack.hpp.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace lttng_gpu::device {

constexpr unsigned chunk_words = 64;
constexpr unsigned head_words = 4;
constexpr unsigned most_warps_of_group = 32;
constexpr unsigned most_words_of_warp = 28;
constexpr unsigned most_block_chunks =
    (head_words + most_warps_of_group * (3 + most_words_of_warp) + chunk_words - 1) / chunk_words;
constexpr uint32_t end_number = 4095;
constexpr uint32_t table_number = 4094;
constexpr uint32_t paths_number = 4093;
constexpr uint32_t no_location = 2047;      ///< the recorder's; of a table
constexpr uint32_t no_path_location = 2046; ///< likewise, of paths
constexpr unsigned most_planes = 12;        ///< forms of a table
constexpr unsigned one_number = 13;
constexpr unsigned sixteen_planes = 14;

/// No chunk is longer than that when it is packed.
constexpr size_t most_chunk_bytes = 64 * 10 + 64;

/// What of a block is packed: of warps with chunks, the end follows these.
enum class Phase { Blocks, Chunks, Ends };

struct Recorded {
    bool has_warps;
    bool has_times;
};

/// Records of one warp, in words of the recorder.
struct Piece {
    uint32_t group;
    uint32_t what; ///< warp | first << 8 | multiprocessor << 16
    uint64_t time;
    const uint32_t* words;
    unsigned count; ///< of words, which may end earlier by a zero
    bool has_end;
    uint32_t end; ///< after the time
};

class Packer {
public:
    /// `bytes`: room for at least most_chunk_bytes more than what is put in.
    explicit Packer(uint8_t* bytes, Recorded recorded) : m_bytes(bytes), m_recorded(recorded) {}

    size_t size() const { return m_used; }
    /// The next part is understood without this one.
    void restart()
    {
        m_used = 0;
        m_group = 0;
        m_time = 0;
    }

    void put(const Piece& piece)
    {
        unsigned count = piece.has_end;
        for (unsigned at = 0, words; (words = record_words(piece, at)); at += words)
            ++count;
        if (!count)
            return;
        put_signed(int64_t(uint64_t(piece.group) - m_group));
        put(piece.what);
        put_signed(int64_t(piece.time - m_time));
        put(count);
        m_group = piece.group;
        m_time = piece.time;
        uint32_t lanes = 0xffffffff, before = uint32_t(piece.time);
        for (unsigned at = 0, words; (words = record_words(piece, at)); at += words)
            put_record(piece.words + at, words, lanes, before);
        if (piece.has_end) {
            put(end_number << 2);
            put_signed(int32_t(piece.end));
        }
    }

private:
    /// A number of each lane.
    struct Table {
        Table(const uint32_t* record, unsigned room, bool has_times)
            : is_paths(record[0] >> 20 == no_path_location),
              has_first(!is_paths && (record[0] >> 11 & 1)), form(record[0] >> 15 & 15)
        {
            const bool has_lanes = record[0] >> 19 & 1;
            lanes = !has_lanes ? ~uint32_t(0) : room > 1 ? record[1] : 0;
            time = 1 + has_lanes;
            first = time + has_times;
            numbers = first + has_first;
            words = numbers + (form == one_number ? 1
                               : planes()         ? planes()
                               : form             ? unsigned(__builtin_popcount(lanes))
                                                  : 0);
        }
        unsigned planes() const
        {
            return form <= most_planes ? form : form == sixteen_planes ? 16 : 0;
        }
        bool is_paths, has_first;
        unsigned form;
        uint32_t lanes;
        unsigned time, first, numbers, words; // where these are; all of it
    };
    static bool is_table(uint32_t what) { return what >> 20 >= no_path_location && !(what >> 31); }

    /// 0: there is no more.
    unsigned record_words(const Piece& piece, unsigned at) const
    {
        if (at >= piece.count || !piece.words[at])
            return 0;
        const uint32_t what = piece.words[at];
        const unsigned words =
            is_table(what) ? Table(piece.words + at, piece.count - at, m_recorded.has_times).words
                           : (what >> 31 ? 1U : 2U) + m_recorded.has_times;
        return at + words <= piece.count ? words : 0;
    }

    uint32_t lanes_of(uint32_t code) const
    {
        if (!m_recorded.has_warps)
            return code;
        if (code < 32)
            return uint32_t(1) << code;
        return code < 64 ? (uint32_t(1) << (code - 32)) - 1 : ~uint32_t(0) << (96 - code) % 32;
    }

    void put_times(uint32_t time, uint32_t& before)
    {
        if (!m_recorded.has_times)
            return;
        put_signed(int32_t(time - before));
        before = time;
    }

    void put_record(const uint32_t* record, unsigned words, uint32_t& lanes, uint32_t& before)
    {
        const uint32_t what = record[0];
        if (is_table(what)) {
            put_table(record, words, lanes, before);
            return;
        }
        const bool is_short = what >> 31;
        const uint32_t location = what >> 20 & 0x7ff, count = what & (is_short ? 0x1fff : 0xfffff);
        const uint32_t now = is_short ? lanes_of(what >> 13 & 127) : record[1];
        put(location << 2 | (now == lanes) << 1 | (count == 1));
        if (count != 1)
            put(count);
        if (now != lanes)
            put(now);
        lanes = now;
        put_times(record[words - 1], before);
    }

    void put_table(const uint32_t* record, unsigned room, uint32_t& lanes, uint32_t& before)
    {
        const Table table(record, room, m_recorded.has_times);
        const uint32_t location = record[0] & 0x7ff, bits = record[0] >> 11 & 15;
        put((table.is_paths ? paths_number : table_number) << 2 | (table.lanes == lanes) << 1 |
            table.has_first);
        put(table.is_paths ? location << 4 | bits : location);
        if (table.lanes != lanes)
            put(table.lanes);
        lanes = table.lanes;
        put_times(record[table.time], before);
        if (table.has_first)
            put(record[table.first]);
        put(table.form);
        for (unsigned at = table.numbers; at < table.words; ++at) {
            if (table.planes())
                put_plane(record[at], lanes);
            else
                put(record[at]);
        }
    }

    /// The bits of these lanes, eight in a byte, the lowest first.
    void put_plane(uint32_t plane, uint32_t lanes)
    {
        unsigned used = 0;
        uint8_t byte = 0;
        for (; lanes; lanes &= lanes - 1) {
            byte |= uint8_t((plane >> __builtin_ctz(lanes) & 1) << used);
            if (++used == 8 || !(lanes & (lanes - 1))) {
                m_bytes[m_used++] = byte;
                used = 0;
                byte = 0;
            }
        }
    }

    void put(uint64_t value)
    {
        for (; value > 127; value >>= 7)
            m_bytes[m_used++] = uint8_t(value | 128);
        m_bytes[m_used++] = uint8_t(value);
    }
    void put_signed(int64_t value) { put(uint64_t(value) << 1 ^ uint64_t(value >> 63)); }

    uint8_t* m_bytes;
    size_t m_used = 0;
    Recorded m_recorded;
    uint64_t m_group = 0;
    uint64_t m_time = 0;
};

/// Hands out the pieces of what stands at a chunk, and says how many chunks that is. `count`:
/// chunks there are from there on. 0: it ends later than these.
template <class Consumer>
unsigned for_each_piece(const uint32_t* chunk, size_t count, Phase phase, Consumer&& consume)
{
    const uint64_t time = chunk[2] | uint64_t(chunk[3]) << 32;
    if (!(chunk[1] >> 8 & 1)) {
        if (phase == Phase::Chunks)
            consume(Piece{chunk[0], chunk[1], time, chunk + head_words, chunk_words - head_words,
                          false, 0});
        return 1;
    }
    const size_t most = count * chunk_words;
    size_t at = head_words;
    for (unsigned warp = 0; warp <= (chunk[1] & 31); ++warp) {
        const uint32_t what = at < most ? chunk[at] : 0;
        const bool is_wide = what >> 5 & 1, has_chunks = what >> 6 & 1;
        const unsigned head = is_wide ? 3 : 1, words = what & 31;
        if (at + head + words > most)
            return 0;
        const uint32_t begin = is_wide ? chunk[at + 1] : chunk[2] + (what >> 7 & 511);
        const uint32_t end = is_wide ? chunk[at + 2] : begin + (what >> 16);
        const uint64_t began = time + int32_t(begin - chunk[2]);
        const bool is_end_later = has_chunks && phase == Phase::Blocks;
        if (phase == Phase::Blocks || (phase == Phase::Ends && has_chunks))
            consume(Piece{chunk[0], warp | (phase == Phase::Blocks) << 8 | (chunk[1] & 0xffff0000),
                          began, chunk + at + head, phase == Phase::Blocks ? words : 0,
                          time && !is_end_later, end - begin});
        at += head + words;
    }
    return unsigned((at + chunk_words - 1) / chunk_words);
}

} // namespace lttng_gpu::device
