// SPDX-License-Identifier: MIT
//
// Chunks of the device's buffer as bytes for the trace: numbers of seven bits a byte, the lowest
// first, the highest bit says that one more follows. docs/device-trace.md has the form; the other
// side is userspace/correlate/device/unpack.cpp.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace lttng_gpu::device {

constexpr unsigned chunk_words = 64;
constexpr unsigned head_words = 4;
constexpr uint32_t end_number = 4095;

/// No chunk is longer than that when it is packed.
constexpr size_t most_chunk_bytes = 64 * 6 + 64;

class Packer {
public:
    /// `bytes`: room for at least most_chunk_bytes more than what is put in.
    explicit Packer(uint8_t* bytes, bool has_times)
        : x_bytes(bytes), x_record_words(has_times ? 3 : 2)
    {
    }

    size_t size() const { return x_used; }
    /// The next part is understood without this one.
    void restart()
    {
        x_used = 0;
        x_group = 0;
        x_time = 0;
    }

    void put_chunk(const uint32_t* chunk)
    {
        const uint64_t time = chunk[2] | uint64_t(chunk[3]) << 32;
        put_signed(int64_t(uint64_t(chunk[0]) - x_group));
        put(chunk[1]);
        put_signed(int64_t(time - x_time));
        x_group = chunk[0];
        x_time = time;
        const unsigned most = (chunk_words - head_words) / x_record_words;
        unsigned count = 0;
        for (unsigned record = 0; record < most; ++record)
            count += chunk[head_words + record * x_record_words] != 0;
        put(count);
        uint32_t lanes = 0xffffffff, before = chunk[2];
        for (unsigned number = 0; number < most; ++number) {
            const uint32_t* record = chunk + head_words + number * x_record_words;
            if (record[0])
                put_record(record, chunk[2], lanes, before);
        }
    }

private:
    void put_record(const uint32_t* record, uint32_t begin, uint32_t& lanes, uint32_t& before)
    {
        const uint32_t location = record[0] >> 20, count = record[0] & 0xfffff;
        if (location == end_number) {
            put(location << 2);
            put_signed(int32_t(record[1] - begin));
            return;
        }
        put(location << 2 | (record[1] == lanes) << 1 | (count == 1));
        if (count != 1)
            put(count);
        if (record[1] != lanes)
            put(record[1]);
        lanes = record[1];
        if (x_record_words == 3) {
            put_signed(int32_t(record[2] - before));
            before = record[2];
        }
    }

    void put(uint64_t value)
    {
        for (; value > 127; value >>= 7)
            x_bytes[x_used++] = uint8_t(value | 128);
        x_bytes[x_used++] = uint8_t(value);
    }
    void put_signed(int64_t value) { put(uint64_t(value) << 1 ^ uint64_t(value >> 63)); }

    uint8_t* x_bytes;
    size_t x_used = 0;
    unsigned x_record_words;
    uint64_t x_group = 0;
    uint64_t x_time = 0;
};

} // namespace lttng_gpu::device
