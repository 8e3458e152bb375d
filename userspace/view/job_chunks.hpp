// SPDX-License-Identifier: MIT
//
// The jobs of one ring in pieces that are packed as soon as they are full, so that memory holds
// packed jobs only. A job's number in the page is that of its piece times jobs_of_chunk plus its
// place in it. Each time is the difference from what it most likely is: most starts are inferred
// and cost nothing.
#pragma once

#include "../correlate/jobs/job.hpp"
#include "blobs.hpp"

#include <array>
#include <unordered_map>

namespace lttng_gpu::view {

constexpr std::uint64_t jobs_of_chunk = 16384;

struct Chunk {
    std::uint64_t number = 0;
    std::uint32_t blob = 0;
    std::uint64_t jobs = 0;
    std::int64_t first = 0; // of the first times of its jobs
    std::int64_t last = 0;
    std::int64_t end = 0; // of their last times
};

/// What stands for the texts and identities of a job; the tables are the page's.
struct JobNames {
    std::uint32_t actor = 0;
    std::uint32_t context = 0; // 0: unknown
    std::uint32_t api_call = 0;
};

class JobChunks {
public:
    /// `origin` is the page's time 0; `next_number` counts the pieces of all rings.
    JobChunks(Blobs& blobs, Timestamp origin, std::uint64_t& next_number)
        : m_blobs{blobs}, m_origin{origin}, m_next_number{next_number}
    {
    }

    /// Returns the job's number.
    std::uint64_t add(const model::Job& job, const JobNames& names);
    /// Packs what is left.
    void finish();
    const std::vector<Chunk>& all() const { return m_chunks; }
    std::uint64_t jobs() const { return m_jobs; }

private:
    enum Column {
        Flags,
        States,
        First,
        Submitted,
        Started,
        Completed,
        Runnable,
        Observed,
        ActorOf,
        Context,
        SeqnoLow,
        SeqnoHigh,
        ApiCall,
        Interval,
        ClockError,
        Columns
    };

    void begin_chunk(std::int64_t first);
    void add_times(const model::Job& job, std::int64_t first);
    void add_seqno(const model::Job& job, std::uint32_t context);

    Blobs& m_blobs;
    Timestamp m_origin;
    std::uint64_t& m_next_number;
    std::vector<Chunk> m_chunks;
    bool m_is_open = false;
    std::uint64_t m_jobs = 0;
    std::array<Packed, Columns> m_columns;
    std::int64_t m_previous_first = 0;
    std::int64_t m_ring_free = 0;
    std::unordered_map<std::uint32_t, std::uint32_t> m_seqnos; // low halves, by context
};

} // namespace lttng_gpu::view
