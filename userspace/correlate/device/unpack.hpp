// SPDX-License-Identifier: MIT
//
// What the device recorder wrote, out of the bytes of the trace's `records` events; the other side
// is userspace/preload/device/pack.hpp. The bytes are not trusted. Their form:
//
// `words` hold `bytes` bytes, lowest first. A number has seven bits in each byte, lowest first; the
// highest bit means that a byte follows. Signed numbers are zigzag.
// * Chunk: work-group (signed, minus that of the chunk before); warp + 256 for the warp's first
//   chunk + multiprocessor × 65536; device time (signed, minus that of the chunk before);
//   number of records.
// * Record: location × 4 + 2 if the lanes are those of the record before (at first: all) + 1 if
//   the count is 1; the count, unless 1; other lanes; with times, the signed difference of the
//   low 32 bits to the record before (at first: to the chunk).
// * Location 4094, passes of a loop: × 4 + 2 as above + 1 if a first number follows; the loop's
//   location; lanes and time as above; the first number, with which the others are XORed; a
//   form; numbers. Form 0 to 12: so many bits, lowest first, each a bit of every lane, eight in
//   a byte; 14: 16 bits; 13: one number for all; 15: one for each lane.
// * Location 4093, paths: the same with location × 16 + bits of a pass. A number is a 1, then
//   the passes, the first one highest; bit 0 of a pass is the location after the loop's own,
//   bit 1 the next.
// * Location 4095, end of a warp or of a part of it: the signed difference of the time's low 32
//   bits to the chunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lttng_gpu::device {

inline constexpr std::uint32_t end_location = 4095;
/// In the bytes only: a loop whose lanes had trip counts of their own. It is handed out as runs.
inline constexpr std::uint32_t table_location = 4094;
/// Likewise: paths of lanes through the passes of a loop.
inline constexpr std::uint32_t paths_location = 4093;
/// The recorder's: a chunk that says more is none of its.
inline constexpr std::uint32_t most_records_of_chunk = 64;

/// Records of one warp, in the order in which they were written.
struct Chunk {
    std::uint32_t group = 0;
    std::uint32_t warp = 0;
    bool is_first = false;   // of its warp
    std::uint32_t place = 0; // multiprocessor
    std::uint64_t time = 0;  // of the device, when it was taken; 0: the device has no timer
};

/// A run of equal events, or with end_location the end of a warp or of a part of it.
struct Record {
    std::uint32_t location = 0;
    std::uint32_t lanes = 0; // a bit each; without warps the work-item's number
    std::uint32_t count = 0;
    std::uint64_t time = 0;   // of its first event; of an end always, else 0 without times
    bool has_own_time = true; // else that of the loop in which it is, as are all of its passes
};

class RecordConsumer {
public:
    RecordConsumer() = default;
    RecordConsumer(const RecordConsumer&) = delete;
    RecordConsumer& operator=(const RecordConsumer&) = delete;
    virtual ~RecordConsumer() = default;

    virtual void on_chunk(const Chunk& chunk) = 0;
    virtual void on_record(const Chunk& chunk, const Record& record) = 0;
};

/// False: the rest could not be understood; what came before it was handed out.
bool unpack(std::span<const std::uint8_t> bytes, bool has_times, RecordConsumer& consumer);

} // namespace lttng_gpu::device
