// SPDX-License-Identifier: MIT
//
// Commands of an API and jobs of the kernel's drivers of one process, compared by when they were
// executed: a command's times are those that the device told, a job's begin on its ring and its
// fence's signal. One belongs to the other if more than half of the shorter one lies in the other,
// wherever in its error the command was. Several commands may be one job, one command several jobs
// of a ring. A command that may belong to jobs that were executed at the same time names none,
// unless it is known from the others whose commands a context's jobs are. That must be known, too,
// where the process also has commands without times. Commands whose clock is known too little are
// aligned with the jobs first (execution_alignment.hpp).
#pragma once

#include "../jobs/job.hpp"
#include "execution_alignment.hpp"

#include <algorithm>

namespace lttng_gpu::model {

class ExecutionMatch {
public:
    struct Match {
        SubmitCall call;          // of several the last
        std::uint16_t merged = 1; // that are certain to be in the job
    };

    void add_command(const TimedCommand& command);
    /// Of one that was called then no times will be known. Jobs may be of it from then on.
    void add_untimed(Timestamp called)
    {
        m_untimed_since = std::min(m_untimed_since.value_or(called), called);
    }
    /// One without times is left out.
    void add_job(const Job& job, std::uint64_t serial);
    /// Of an added job. All commands that were called before it was queued are known.
    std::optional<Match> match(const Job& job, std::uint64_t serial);
    /// Jobs that were queued before will not be asked for.
    void forget_before(Timestamp time);
    bool is_empty() const { return m_commands.empty() && m_jobs.empty(); }

private:
    static constexpr std::size_t most = 65536; // as rows that wait
    static constexpr std::size_t most_contexts = 256;
    /// Jobs are asked for in order of queueing, but for few.
    static constexpr Duration kept{1'000'000'000};

    /// Thread of the driver and fence context.
    using Stream = std::pair<std::int64_t, std::uint64_t>;
    /// Thread and queue of a call.
    using Lane = std::pair<std::int64_t, std::uint64_t>;
    struct TimedJob {
        Stream stream;
        std::uint64_t serial = 0;
        Timestamp queued;
        Timestamp started;
        Timestamp completed;
        bool is_start_known = false;
    };
    enum class Belongs { No, Perhaps, Yes };
    /// A command that belongs to a job, or may.
    struct Candidate {
        const TimedCommand* command = nullptr;
        Belongs belongs = Belongs::No;
        bool is_only = true; // no other job can have it
    };
    struct Candidates {
        std::vector<Candidate> all;
        bool is_complete = true; // else there may be others
    };

    static Lane lane_of(const TimedCommand& command)
    {
        return {command.call.tid, command.call.detail.queue};
    }
    static Belongs belongs(const TimedJob& job, const TimedCommand& command);
    const TimedJob* find(const Job& job, std::uint64_t serial) const;
    std::vector<const TimedJob*> executed_with(const TimedJob& job) const;
    bool has_rival(const std::vector<const TimedJob*>& others, const TimedCommand& command) const;
    bool is_certain(const TimedJob& job, const TimedCommand& command) const;
    std::optional<Lane> owner_of(const Stream& stream) const;
    Candidates candidates_of(const TimedJob& job) const;
    void vote(const TimedJob& job, const std::vector<Candidate>& candidates);
    void align();

    std::deque<TimedCommand> m_commands; // in order of their starts
    std::deque<TimedJob> m_jobs;         // likewise
    KnownTime m_untimed_since;
    Duration m_longest_command{0};
    Duration m_longest_job{0};
    ExecutionAlignment m_alignment;
    std::size_t m_new = 0;    // commands and jobs since the last alignment
    std::size_t m_coarse = 0; // commands that are not aligned and should be
    std::size_t m_vain = 0;   // alignments since one moved something
    /// Commands that no other job could have, by whose they were.
    std::map<Stream, std::map<Lane, std::uint64_t>> m_votes;
};

} // namespace lttng_gpu::model
