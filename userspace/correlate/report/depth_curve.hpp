// SPDX-License-Identifier: MIT
//
// How many jobs a ring had in its host queue and on the device, over time, in at most 64 equal
// pieces of the window. The pieces double their length when the time goes on, so that memory and
// the work for a job are constant, and points in time may come in any order.
#pragma once

#include "../base/time.hpp"
#include "occupancy.hpp"

#include <cstdint>
#include <vector>

namespace lttng_gpu::report {

/// Mean numbers of jobs in each piece of the window; the last piece may be shorter.
struct OccupancyOverTime {
    std::int64_t piece = 0; // nanoseconds; 0: not known
    std::vector<double> host_queue;
    std::vector<double> device; // submitted to completed

    void add(const OccupancyOverTime& other);
};

class DepthCurve {
public:
    static constexpr std::size_t most_pieces = 64;
    /// Rings after so many have no curve: there may be a million.
    static constexpr std::size_t most_curves = 4096;

    /// Its times are inside the window, which begins at `origin`.
    void add(const Life& life, std::int64_t origin)
    {
        if (life.known == Life::all_known) [[likely]] {
            add_point(life.times[0] - origin, 1, 0);
            add_point(life.times[1] - origin, -1, 1);
            add_point(life.times[3] - origin, 0, -1);
        } else {
            add_partly_known(life, origin);
        }
    }
    OccupancyOverTime over(Duration window) const;

private:
    /// What its points change in a piece and from the next piece on.
    struct Piece {
        std::int64_t host_time = 0;
        std::int64_t device_time = 0;
        std::int32_t host_step = 0;
        std::int32_t device_step = 0;
    };

    void add_point(std::int64_t time, std::int32_t host, std::int32_t device)
    {
        auto place = static_cast<std::size_t>(static_cast<std::uint64_t>(time) >> m_shift);
        if (place >= m_pieces.size()) [[unlikely]] {
            place = make_room(time);
        }
        Piece& piece = m_pieces[place];
        const std::int64_t rest = ((static_cast<std::int64_t>(place) + 1) << m_shift) - time;
        piece.host_time += host * rest;
        piece.device_time += device * rest;
        piece.host_step += host;
        piece.device_step += device;
    }
    void add_partly_known(const Life& life, std::int64_t origin);
    std::size_t make_room(std::int64_t time);
    void coarsen();

    static constexpr unsigned shortest = 10; // 2^10 ns
    unsigned m_shift = shortest;
    std::vector<Piece> m_pieces;
};

} // namespace lttng_gpu::report
