// SPDX-License-Identifier: MIT
//
// How many jobs of which process were in which queue of a ring, in bins of time: the picture where
// single jobs are too small to be seen. Taken in while the trace is read. The width of a bin
// doubles when the trace turns out to be long, so that memory follows the number of jobs.
// A job in many bins costs no more than one in two.
#pragma once

#include "blobs.hpp"

#include <array>
#include <span>
#include <vector>

namespace lttng_gpu::view {

enum class Place : std::uint8_t {
    HostQueue,
    DeviceQueue,
    Execution,
    OnDevice, // in the device's queue or running: the start is unknown
};
constexpr std::size_t place_count = 4;

/// What a level of the picture needs, as the page's data has it.
struct DepthLevel {
    unsigned shift = 0; // a bin is 2^shift ns wide
    std::uint64_t bins = 0;
    std::vector<std::int64_t> tiles; // blobs; -1: nothing there
};

class RingDepths {
public:
    static constexpr std::size_t bins_of_tile = 1024;
    static constexpr std::size_t classes = 8; // of processes; the last is for all others

    /// The times are relative to the page's origin; what was before it is cut off.
    void add(Place place, std::uint32_t process, std::int64_t begin, std::int64_t end,
             std::uint64_t jobs_so_far);
    /// The widest bins come last. `class_of` is by process.
    std::vector<DepthLevel> finish(Blobs& blobs, std::span<const std::uint8_t> class_of);
    /// What was taken in so far, in some thousand bins at most.
    std::vector<DepthLevel> so_far(Blobs& blobs, std::span<const std::uint8_t> class_of) const;

private:
    static constexpr std::uint32_t other = UINT32_MAX;
    static constexpr std::size_t most_columns = 48;
    static constexpr std::uint64_t least_bins = 4096;
    static constexpr std::uint64_t jobs_of_bin = 8;
    static constexpr std::uint64_t bins_so_far = 8192;

    using ClassBins = std::array<std::vector<float>, place_count * classes>;

    struct Column {
        Place place = Place::HostQueue;
        std::uint32_t process = 0;
        std::vector<float> part; // ns of jobs that begin or end in the bin
        std::vector<float> step; // change of the number of jobs that are there all the time
    };

    Column& column_of(Place place, std::uint32_t process);
    void make_room(std::uint64_t last, std::uint64_t jobs_so_far);
    void widen();
    static void settle(Column& column, float width);
    static std::size_t class_bins(const Column& column, std::span<const std::uint8_t> class_of);
    static std::string packed_tile(const ClassBins& bins, std::size_t begin, double width);
    static std::vector<DepthLevel> levels_of(ClassBins& bins, unsigned shift, Blobs& blobs);

    unsigned m_shift = 8;
    std::uint64_t m_bins = least_bins;
    std::vector<Column> m_columns;
};

} // namespace lttng_gpu::view
