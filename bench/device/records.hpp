// SPDX-License-Identifier: MIT
//
// What the device bench finds in the records of a kernel: whether two recorders told the same, and
// how small other compressors make them.
#pragma once
#include <bit>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "device/unpack.hpp"

/// Records of each warp and lowest lane, with runs of equal ones joined; `events`: all that are
/// told.
class Streams final : public lttng_gpu::device::RecordConsumer {
public:
    explicit Streams(bool keeps) : m_keeps{keeps} {}
    void on_chunk(const lttng_gpu::device::Chunk&) override {}
    void on_record(const lttng_gpu::device::Chunk& chunk,
                   const lttng_gpu::device::Record& record) override
    {
        if (record.location == lttng_gpu::device::end_location)
            return;
        events += record.count;
        if (!m_keeps)
            return;
        for (std::uint32_t lanes = record.lanes; lanes != 0; lanes &= lanes - 1)
            of_lanes[std::uint64_t{chunk.group} << 32 | chunk.warp << 24 |
                     static_cast<std::uint64_t>(std::countr_zero(lanes)) << 16 | record.location] +=
                record.count;
        const std::uint64_t lane = static_cast<std::uint64_t>(std::countr_zero(record.lanes));
        auto& stream = streams[std::uint64_t{chunk.group} << 16 | chunk.warp << 8 | lane];
        const std::size_t size = stream.size();
        if (size > 0 && stream[size - 3] == record.location && stream[size - 2] == record.lanes)
            stream[size - 1] += record.count;
        else
            stream.insert(stream.end(), {record.location, record.lanes, record.count});
    }

    std::uint64_t events = 0;
    std::map<std::uint64_t, std::vector<std::uint32_t>> streams;
    std::unordered_map<std::uint64_t, std::uint64_t> of_lanes; // executions, by lane and location

private:
    bool m_keeps;
};

/// Eight bytes for each event, in the order of the trace, as far as they fit.
class Raw final : public lttng_gpu::device::RecordConsumer {
public:
    void on_chunk(const lttng_gpu::device::Chunk&) override {}
    void on_record(const lttng_gpu::device::Chunk&,
                   const lttng_gpu::device::Record& record) override
    {
        for (std::uint32_t left = record.count; left > 0 && words.size() < most; --left)
            words.insert(words.end(), {record.location, record.lanes});
    }

    std::vector<std::uint32_t> words;

private:
    static constexpr std::size_t most = 4U << 20; // 16 MiB
};

/// The chunks of a buffer as the trace's events have them; returns their bytes there. What cannot
/// be read is said on standard error.
std::uint64_t read_records(std::span<const std::uint32_t> words,
                           lttng_gpu::device::RecordConsumer& consumer);

/// The ratio of gzip, bzip2 and zstd, as far as they are installed.
void print_compressed(const std::vector<std::uint32_t>& words);
