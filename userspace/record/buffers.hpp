// SPDX-License-Identifier: MIT
//
// How large LTTng's buffers are made: a part of the memory that is there, because each
// possible CPU gets its own and those of applications lie in /dev/shm.
#pragma once

#include <cstdint>
#include <optional>

namespace lttng_gpu::record {

struct Memory {
    std::uint64_t available = 0; // bytes
    std::uint64_t shared = 0;    // free in /dev/shm
    std::uint32_t cpus = 1;      // that may ever be there
    std::uint64_t page = 4096;   // no sub-buffer is smaller
};

Memory memory_of_machine();

/// Of one channel on one CPU; both are powers of two.
struct Buffers {
    std::uint64_t subbuffer_bytes = 0;
    std::uint32_t subbuffers = 0;

    std::uint64_t bytes() const { return subbuffer_bytes * subbuffers; }
};

/// Four sub-buffers that are read while they fill. `wanted`: bytes on each CPU, rounded down.
Buffers streaming_buffers(const Memory& memory, std::optional<std::uint64_t> wanted);
/// More and smaller ones, because a snapshot loses the oldest and ends the youngest.
Buffers flight_recorder_buffers(const Memory& memory, std::optional<std::uint64_t> wanted);
/// Those that are looked at several times a second.
Buffers watch_buffers(const Memory& memory);

} // namespace lttng_gpu::record
