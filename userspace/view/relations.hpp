// SPDX-License-Identifier: MIT
//
// What joins the page's jobs: dependencies between them, and the waits of threads for their fences.
// A job is found by its fence after the last one has come.
#pragma once

#include "../correlate/jobs/job.hpp"
#include "job_chunks.hpp"
#include "name_tables.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace lttng_gpu::view {

/// Sorts by `first`, so that the page asks for few pieces.
struct RelationChunk {
    std::uint32_t blob = 0;
    std::uint64_t count = 0;
    std::int64_t first = 0; // waits: begin; dependencies: number of the job that waits
    std::int64_t last = 0;
    std::int64_t end = 0; // of waits
};

class Relations {
public:
    static constexpr std::uint64_t none = UINT64_MAX;

    Relations(Blobs& blobs, NameTables& names) : m_blobs{blobs}, m_names{names} {}

    void add_job(const model::Job& job, std::uint64_t number);
    void add_dependency(const model::Dependency& dependency);
    void add_wait(const model::Wait& wait);

    /// After the last job; until finish() they are found by their fences.
    void sort_jobs();
    std::optional<std::uint64_t> number_of(Known<RingId> ring, const model::FenceId& fence) const;
    void finish(Timestamp origin, const std::function<std::uint64_t(RingId)>& ring_number);
    const std::vector<RelationChunk>& dependencies() const { return m_dependency_chunks; }
    const std::vector<RelationChunk>& waits() const { return m_wait_chunks; }
    /// Those of which no job is known or that were too many.
    std::uint64_t dependencies_left_out() const { return m_left_out; }
    std::uint64_t waits_left_out() const { return m_waits_left_out; }

private:
    static constexpr std::size_t most = 8'000'000;

    struct KnownJob {
        std::uint64_t fence = 0; // a hash
        std::uint64_t number = 0;
    };
    struct Link {
        std::uint64_t waiter_fence = 0;
        std::uint64_t producer_fence = 0;
        std::uint64_t waiter = none;
        std::uint64_t producer = none;
        Timestamp since;
        KnownTime until;
        std::uint32_t context = 0; // of the fence that was waited for
        std::uint64_t seqno = 0;
        bool is_blocking = false;
    };
    struct Sleep {
        model::Wait wait;
        std::uint32_t actor = 0;
        std::uint32_t context = 0;
        std::uint64_t job = none;
        std::uint64_t fence = 0;
    };

    static std::uint64_t hash_of(Known<RingId> ring, const model::FenceId& fence);
    std::uint64_t job_of(std::uint64_t fence) const;
    void finish_dependencies(Timestamp origin);
    void finish_waits(Timestamp origin, const std::function<std::uint64_t(RingId)>& ring_number);

    Blobs& m_blobs;
    NameTables& m_names;
    std::vector<KnownJob> m_jobs;
    std::vector<Link> m_links;
    std::vector<Sleep> m_sleeps;
    std::vector<RelationChunk> m_dependency_chunks;
    std::vector<RelationChunk> m_wait_chunks;
    std::uint64_t m_left_out = 0;
    std::uint64_t m_waits_left_out = 0;
};

} // namespace lttng_gpu::view
