// SPDX-License-Identifier: MIT
//
// See unpack.hpp.
#include "unpack.hpp"

#include <limits>
#include <map>

namespace lttng_gpu::device {
namespace {

class Unpacker {
public:
    Unpacker(std::span<const std::uint8_t> bytes, bool has_times, RecordConsumer& consumer)
        : x_bytes{bytes}, x_has_times{has_times}, x_consumer{consumer}
    {
    }

    bool unpack()
    {
        while (x_at < x_bytes.size()) {
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
        for (unsigned shift = 0; shift < 64 && x_at < x_bytes.size(); shift += 7) {
            const std::uint8_t byte = x_bytes[x_at++];
            value |= static_cast<std::uint64_t>(byte & 127U) << shift;
            if ((byte & 128U) == 0) {
                return value;
            }
        }
        x_is_good = false;
        return 0;
    }

    std::uint32_t word()
    {
        const std::uint64_t value = number();
        x_is_good &= value <= std::numeric_limits<std::uint32_t>::max();
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
        const std::uint64_t group = x_group + signed_number();
        const std::uint32_t what = word();
        chunk.group = static_cast<std::uint32_t>(group);
        chunk.warp = what & 0xffU;
        chunk.is_first = (what >> 8U & 1U) != 0;
        chunk.place = what >> 16U;
        chunk.time = x_time + signed_number();
        const std::uint32_t count = word();
        if (!x_is_good || group > std::numeric_limits<std::uint32_t>::max() ||
            count > most_records_of_chunk) {
            return false;
        }
        x_group = group;
        x_time = chunk.time;
        x_consumer.on_chunk(chunk);
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
            const Record end{end_location, 0, 1, chunk.time + after};
            if (x_is_good) {
                x_consumer.on_record(chunk, end);
            }
            return x_is_good;
        }
        if (record.location == table_location) {
            return unpack_table(chunk, (head & 2U) != 0, record, before);
        }
        record.count = (head & 1U) != 0 ? 1 : word();
        if ((head & 2U) == 0) {
            record.lanes = word();
        }
        if (x_has_times) {
            before += signed_number();
            record.time = before;
        }
        x_is_good &= record.location < table_location && record.count > 0;
        if (x_is_good) {
            x_consumer.on_record(chunk, record);
        }
        return x_is_good;
    }

    /// The lanes that are left after each count, the least first.
    bool unpack_table(const Chunk& chunk, bool has_same_lanes, Record& record,
                      std::uint64_t& before)
    {
        record.location = word();
        if (!has_same_lanes) {
            record.lanes = word();
        }
        if (x_has_times) {
            before += signed_number();
            record.time = before;
        }
        std::map<std::uint32_t, std::uint32_t> leaving; // by count
        for (std::uint32_t lanes = record.lanes; lanes != 0; lanes &= lanes - 1) {
            leaving[word()] |= lanes & (0 - lanes);
        }
        x_is_good &=
            record.location < table_location && record.lanes != 0 && leaving.begin()->first > 0;
        Record run = record;
        std::uint32_t passed = 0;
        for (const auto& [count, lanes] : leaving) {
            run.count = count - passed;
            passed = count;
            if (x_is_good) {
                x_consumer.on_record(chunk, run);
            }
            run.lanes &= ~lanes;
        }
        return x_is_good;
    }

    std::span<const std::uint8_t> x_bytes;
    bool x_has_times;
    RecordConsumer& x_consumer;
    std::size_t x_at = 0;
    bool x_is_good = true;
    std::uint64_t x_group = 0;
    std::uint64_t x_time = 0;
};

} // namespace

bool unpack(std::span<const std::uint8_t> bytes, bool has_times, RecordConsumer& consumer)
{
    return Unpacker{bytes, has_times, consumer}.unpack();
}

} // namespace lttng_gpu::device
