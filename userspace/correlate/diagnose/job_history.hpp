// SPDX-License-Identifier: MIT
//
// The rows of jobs as far back as a diagnosis may ask for them, with what joins them: which were
// on a ring at a time, which are of one fence context or process, what waited for which fence.
// Bounded; what is asked for after it was forgotten is unknown.
#pragma once

#include "../rings/ring_table.hpp"
#include "executions.hpp"
#include "reason.hpp"
#include "ring_depths.hpp"

#include <climits>
#include <deque>
#include <map>
#include <unordered_map>

namespace lttng_gpu::diagnose {

inline constexpr Timestamp never{INT64_MAX};

/// A process of one trace; without a number it is the thread.
struct ProcessKey {
    TraceId trace;
    std::int64_t number = 0;
    OriginId origin;

    friend auto operator<=>(const ProcessKey&, const ProcessKey&) = default;
    struct Hash {
        std::size_t operator()(const ProcessKey& key) const
        {
            const auto number = static_cast<std::uint64_t>(key.number);
            return mix_hash(mix_hash(key.trace.value(), number), key.origin.value());
        }
    };
};

using RowId = std::uint64_t;
inline constexpr RowId no_row = UINT64_MAX;

struct Row {
    model::Job job;
    std::uint64_t number = 0; // see Diagnosis
    TraceId trace;
    /// Nothing of the process was on the device between these; empty: something was, or it is the
    /// process's first job.
    KnownTime idle_since;
    /// Nearly all of the last jobs of its kind before it executed no longer, if there were enough.
    KnownDuration usual_execution;
    bool is_diagnosed = false;
    /// Older rows, which may be forgotten: of equal hash of the fence, and of the same context.
    RowId next_of_fence = no_row;
    RowId before_in_context = no_row;
};

/// Until when it was on the device; `never` while it is there at the end of the trace.
Timestamp end_of(const model::Job& job);

class JobHistory {
public:
    explicit JobHistory(const model::RingTable& rings) : m_rings{rings} {}

    RowId add(const model::Job& job, std::uint64_t number);
    void add(const model::Dependency& dependency);
    void add(const model::Wait& wait);

    const Row& at(RowId row) const { return m_rows[row - m_first]; }
    void set_diagnosed(RowId row) { m_rows[row - m_first].is_diagnosed = true; }
    bool has(RowId row) const { return row >= m_first && row < m_first + m_rows.size(); }
    std::size_t size() const { return m_rows.size(); }
    /// The oldest that is remembered.
    const Row* first() const { return m_rows.empty() ? nullptr : &m_rows.front(); }

    /// Whose fence it is, from jobs of the same context; also when the job is forgotten.
    std::optional<ProcessKey> owner(TraceId trace, const FenceId& fence) const;
    /// Its start, or of what has not completed, on a ring in order, when those before it had.
    KnownTime start_of(RowId row) const;
    /// The job of a fence; cut numbers match, too. no_row: none that is remembered.
    RowId find(TraceId trace, const FenceId& fence) const;
    /// When a fence of a job that is forgotten had been signaled at the latest, from what ended
    /// later in its context; empty: not known.
    KnownTime ended_by(TraceId trace, const FenceId& fence) const;
    /// Jobs that were on this ring between begin and end, oldest submission first; at most
    /// `most_on_ring`, the latest: then `is_cut`.
    struct OnRing {
        std::vector<RowId> rows;
        bool is_cut = false;
    };
    static constexpr std::size_t most_on_ring = 1024;
    OnRing on_ring(RingId ring, Timestamp begin, Timestamp end) const;
    /// Earlier jobs of the same context that had not been submitted at `time`, oldest first; of
    /// more than `most_ahead` the latest.
    static constexpr std::size_t most_ahead = 256;
    std::vector<RowId> ahead_in_context(RowId row, Timestamp time) const;
    /// Of a job. Those of its other executions count for all of them.
    std::vector<model::Dependency> dependencies(TraceId trace, const FenceId& fence) const;
    /// Of a thread, that overlap [begin, end), in order of end.
    std::vector<model::Wait> waits(const model::Actor& actor, Timestamp begin, Timestamp end) const;

    /// Jobs of a process that were there between begin and end, in order of their first times; of
    /// too many the latest.
    std::vector<RowId> of_process(const ProcessKey& process, Timestamp begin, Timestamp end) const;

    /// As many jobs as were ever seen submitted and not completed on the ring at once.
    unsigned depth(RingId ring) const;
    /// What a first reading saw, or has seen so far; it outlives this.
    void set_known_depths(const RingDepths& depths) { m_known_depths = &depths; }
    void note_depth(RingId ring, unsigned depth);
    /// A diagnosis took the ring for full when so many were on it.
    void note_full(RingId ring, unsigned depth);
    /// The ring was never taken for full when it had room for more, as the known depths show.
    bool has_right_depth(RingId ring) const
    {
        return ring.value() >= m_by_ring.size() || m_known_depths == nullptr ||
               m_by_ring[ring.value()].least_full >= m_known_depths->of(ring, m_rings);
    }
    bool has_right_depths() const;

    ProcessKey process_of(const model::Job& job) const;
    bool is_parallel(RingId ring) const;
    /// Rows that ended before, and nobody waits for, may go.
    void forget_before(Timestamp time);
    bool has_forgotten_since(Timestamp time) const { return m_forgotten_until > time; }

private:
    struct FenceKey {
        std::uint32_t trace = 0;
        std::uint32_t context = 0; // low halves
        std::uint32_t seqno = 0;

        friend bool operator==(const FenceKey&, const FenceKey&) = default;
        struct Hash {
            std::size_t operator()(const FenceKey& key) const
            {
                return mix_hash(mix_hash(key.trace, key.context), key.seqno);
            }
        };
    };
    struct ContextKey {
        TraceId trace;
        std::uint64_t number = 0;

        friend bool operator==(const ContextKey&, const ContextKey&) = default;
        struct Hash {
            std::size_t operator()(const ContextKey& key) const
            {
                return mix_hash(key.trace.value(), key.number);
            }
        };
    };
    struct Submission {
        Timestamp submitted;
        Timestamp end;
        Timestamp latest_end; // of all up to this one
        RowId row = no_row;
    };
    struct RingJobs {
        std::deque<Submission> submissions; // in order of `submitted`
        unsigned depth = 0;
        unsigned least_full = UINT_MAX; // the least that was taken for full
    };
    /// What events tell of a job that may make it longer or shorter than others of its process.
    /// Its place in a frame is no part of it: no event of the kernel tells that.
    struct Kind {
        RingId ring;
        StringId api_call;
        StringId debug_group;
        std::uint64_t bytes = 0;

        friend auto operator<=>(const Kind&, const Kind&) = default;
    };
    struct Process {
        Timestamp busy_until{INT64_MIN};
        std::map<Kind, Executions> executions;
        /// When its last job ended is not known.
        bool is_doubtful = false;
    };

    struct Ended {
        std::uint64_t seqno = 0;
        Timestamp end;
    };
    using LastEnded = std::array<Ended, 4>; // the oldest first
    struct Context {
        ProcessKey owner;
        LastEnded ended;
        RowId last = no_row; // the first execution of its last job
    };

    static void note_end(Context& context, const model::Job& job);
    void note_fence(RowId row);
    RowId& newest_of(const FenceKey& key);
    void index_fences();
    const Context* context_of(TraceId trace, const FenceId& fence) const;
    RingJobs& jobs_on(RingId ring);
    static FenceKey key_of(TraceId trace, const FenceId& fence);
    TraceId trace_of(const Known<RingId>& ring) const
    {
        return ring ? m_rings.at(*ring).trace : TraceId{};
    }
    void add_submission(RowId row);
    void note_process(Row& row);
    void note_execution(Process& process, Row& row);
    void forget_first();

    const model::RingTable& m_rings;
    const RingDepths* m_known_depths = nullptr;
    std::deque<Row> m_rows;
    RowId m_first = 0;
    Timestamp m_forgotten_until{INT64_MIN};
    std::vector<RowId> m_newest; // by hash of the fence; as many as a power of two
    std::vector<RingJobs> m_by_ring;
    std::unordered_map<ContextKey, Context, ContextKey::Hash> m_contexts;
    std::unordered_map<ProcessKey, Process, ProcessKey::Hash> m_processes;
    std::unordered_multimap<FenceKey, model::Dependency, FenceKey::Hash> m_dependencies;
    std::deque<std::pair<Timestamp, FenceKey>> m_dependency_order;
    std::map<std::pair<OriginId, std::int64_t>, std::deque<model::Wait>> m_waits; // by thread
    std::size_t m_wait_count = 0;
};

} // namespace lttng_gpu::diagnose
