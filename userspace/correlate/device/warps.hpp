// SPDX-License-Identifier: MIT
//
// The warps of one launch: when each ran, where, and in which location it was meanwhile.
#pragma once

#include "device_trace.hpp"
#include "unpack.hpp"

#include <unordered_map>
#include <vector>

namespace lttng_gpu::device {

class Warps {
public:
    void on_chunk(const Chunk& chunk);
    /// `locations`: the time since the warp's record before goes to that one's location.
    void on_record(const Chunk& chunk, const Record& record,
                   std::map<std::uint32_t, LocationSum>* locations);
    void finish(LaunchSum& launch) const;

private:
    struct Warp {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::uint32_t place = 0;
        std::uint32_t location = end_location;
        std::uint64_t since = 0;
    };

    Warp* find(const Chunk& chunk);
    /// Those of which begin and end are known, in the order of their begins.
    std::vector<Warp> complete() const;

    std::unordered_map<std::uint64_t, Warp> m_warps;
};

} // namespace lttng_gpu::device
