// SPDX-License-Identifier: MIT
//
// See unpack.hpp.
#include "unpack.hpp"

#include <array>
#include <bit>
#include <limits>
#include <map>

namespace lttng_gpu::device {
namespace {

/// Forms of a table's numbers.
constexpr std::uint32_t most_planes = 12;
constexpr std::uint32_t one_number = 13;
constexpr std::uint32_t sixteen_planes = 14;
constexpr std::uint32_t one_for_each = 15;

class Unpacker {
public:
    Unpacker(std::span<const std::uint8_t> bytes, bool has_times, RecordConsumer& consumer)
        : m_bytes{bytes}, m_has_times{has_times}, m_consumer{consumer}
    {
    }

    bool unpack()
    {
        while (m_at < m_bytes.size()) {
            if (!unpack_chunk()) {
                return false;
            }
        }
        return true;
    }

private:
    /// What is longer than 64 bits, or ends early, makes all that follows fail.
    std::uint64_t number()
    {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64 && m_at < m_bytes.size(); shift += 7) {
            const std::uint8_t byte = m_bytes[m_at++];
            value |= static_cast<std::uint64_t>(byte & 127U) << shift;
            if ((byte & 128U) == 0) {
                return value;
            }
        }
        m_is_good = false;
        return 0;
    }

    std::uint32_t word()
    {
        const std::uint64_t value = number();
        m_is_good &= value <= std::numeric_limits<std::uint32_t>::max();
        return static_cast<std::uint32_t>(value);
    }

    /// As it is added to another number, which may wrap.
    std::uint64_t signed_number()
    {
        const std::uint64_t value = number();
        return (value >> 1U) ^ (0 - (value & 1U));
    }

    bool unpack_chunk()
    {
        Chunk chunk;
        const std::uint64_t group = m_group + signed_number();
        const std::uint32_t what = word();
        chunk.group = static_cast<std::uint32_t>(group);
        chunk.warp = what & 0xffU;
        chunk.is_first = (what >> 8U & 1U) != 0;
        chunk.place = what >> 16U;
        chunk.time = m_time + signed_number();
        const std::uint32_t count = word();
        if (!m_is_good || group > std::numeric_limits<std::uint32_t>::max() ||
            count > most_records_of_chunk) {
            return false;
        }
        m_group = group;
        m_time = chunk.time;
        m_consumer.on_chunk(chunk);
        Record record;
        record.lanes = std::numeric_limits<std::uint32_t>::max();
        std::uint64_t before = chunk.time;
        for (std::uint32_t left = count; left > 0; --left) {
            if (!unpack_record(chunk, record, before)) {
                return false;
            }
        }
        return true;
    }

    bool unpack_record(const Chunk& chunk, Record& record, std::uint64_t& before)
    {
        const std::uint32_t head = word();
        record.location = head >> 2U;
        if (record.location == end_location) {
            const auto after = static_cast<std::uint32_t>(signed_number());
            const Record end{end_location, 0, 1, chunk.time + after, true};
            if (m_is_good) {
                m_consumer.on_record(chunk, end);
            }
            return m_is_good;
        }
        if (record.location == table_location || record.location == paths_location) {
            return unpack_table(chunk, head, record, before);
        }
        record.count = (head & 1U) != 0 ? 1 : word();
        if ((head & 2U) == 0) {
            record.lanes = word();
        }
        if (m_has_times) {
            before += signed_number();
            record.time = before;
        }
        m_is_good &= record.location < paths_location && record.count > 0;
        if (m_is_good) {
            m_consumer.on_record(chunk, record);
        }
        return m_is_good;
    }

    using Numbers = std::array<std::uint32_t, 32>; // by lane

    std::uint32_t plane(std::uint32_t lanes)
    {
        std::uint32_t bits = 0;
        std::uint32_t byte = 0;
        for (unsigned used = 0; lanes != 0; lanes &= lanes - 1, ++used) {
            if (used % 8 == 0) {
                m_is_good &= m_at < m_bytes.size();
                byte = m_is_good ? m_bytes[m_at++] : 0;
            }
            bits |= (byte >> used % 8 & 1U) << static_cast<unsigned>(std::countr_zero(lanes));
        }
        return bits;
    }

    Numbers numbers(std::uint32_t lanes, bool has_first)
    {
        Numbers numbers{};
        const std::uint32_t first = has_first ? word() : 0;
        const std::uint32_t form = word();
        const std::uint32_t planes = form <= most_planes ? form : form == sixteen_planes ? 16 : 0;
        m_is_good &= form <= one_for_each;
        numbers.fill(first ^ (form == one_number ? word() : 0));
        for (std::uint32_t bit = 0; bit < planes && m_is_good; ++bit) {
            const std::uint32_t bits = plane(lanes);
            for (std::uint32_t lane = 0; lane < 32; ++lane) {
                numbers[lane] ^= (bits >> lane & 1U) << bit;
            }
        }
        for (std::uint32_t left = form == one_for_each ? lanes : 0; left != 0; left &= left - 1) {
            numbers[static_cast<std::size_t>(std::countr_zero(left))] ^= word();
        }
        return numbers;
    }

    bool unpack_table(const Chunk& chunk, std::uint32_t head, Record& record, std::uint64_t& before)
    {
        const bool is_paths = record.location == paths_location;
        const std::uint32_t what = word();
        record.location = is_paths ? what >> 4U : what;
        if ((head & 2U) == 0) {
            record.lanes = word();
        }
        if (m_has_times) {
            before += signed_number();
            record.time = before;
        }
        const Numbers of_lanes = numbers(record.lanes, (head & 1U) != 0);
        m_is_good &= record.location < paths_location && record.lanes != 0;
        if (m_is_good && is_paths) {
            hand_out_paths(chunk, record, of_lanes, what & 15U);
        } else if (m_is_good) {
            hand_out_passes(chunk, record, of_lanes);
        }
        return m_is_good;
    }

    /// The lanes that are left after each count, the least first.
    void hand_out_passes(const Chunk& chunk, const Record& record, const Numbers& counts)
    {
        std::map<std::uint32_t, std::uint32_t> leaving; // by count
        for (std::uint32_t lanes = record.lanes; lanes != 0; lanes &= lanes - 1) {
            leaving[counts[static_cast<std::size_t>(std::countr_zero(lanes))]] |=
                lanes & (0 - lanes);
        }
        m_is_good &= leaving.begin()->first > 0;
        Record run = record;
        std::uint32_t passed = 0;
        for (const auto& [count, lanes] : leaving) {
            run.count = count - passed;
            passed = count;
            if (m_is_good) {
                m_consumer.on_record(chunk, run);
            }
            run.lanes &= ~lanes;
        }
    }

    /// A lane's path: a 1, then `bits` bits for each pass. In a pass the lanes come to the loop's
    /// own point, and then to the others in their order.
    void hand_out_paths(const Chunk& chunk, const Record& record, const Numbers& paths,
                        std::uint32_t bits)
    {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>
            points; // by pass and point
        for (std::uint32_t lanes = record.lanes; lanes != 0; lanes &= lanes - 1) {
            const std::uint32_t path = paths[static_cast<std::size_t>(std::countr_zero(lanes))];
            auto left = static_cast<std::uint32_t>(std::bit_width(path));
            m_is_good &= bits > 0 && left > bits && (left - 1) % bits == 0;
            for (std::uint32_t pass = 0; m_is_good && left > bits; ++pass) {
                left -= bits;
                points[{pass, 0}] |= lanes & (0 - lanes);
                for (std::uint32_t point = 0; point < bits; ++point) {
                    if ((path >> (left - 1 + point) & 1U) != 0) {
                        points[{pass, point + 1}] |= lanes & (0 - lanes);
                    }
                }
            }
        }
        Record run = record;
        for (const auto& [at, lanes] : points) {
            run.location = record.location + at.second;
            run.lanes = lanes;
            run.count = 1;
            m_is_good &= run.location < paths_location;
            if (m_is_good) {
                m_consumer.on_record(chunk, run);
            }
            run.has_own_time = false;
        }
    }

    std::span<const std::uint8_t> m_bytes;
    bool m_has_times;
    RecordConsumer& m_consumer;
    std::size_t m_at = 0;
    bool m_is_good = true;
    std::uint64_t m_group = 0;
    std::uint64_t m_time = 0;
};

} // namespace

bool unpack(std::span<const std::uint8_t> bytes, bool has_times, RecordConsumer& consumer)
{
    return Unpacker{bytes, has_times, consumer}.unpack();
}

} // namespace lttng_gpu::device
