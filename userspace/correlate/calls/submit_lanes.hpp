// SPDX-License-Identifier: MIT
//
// Whose calls the jobs of one fence context are of, which a thread of the driver queued. The calls
// of one thread to one queue are a lane. When a call returns that waits until its queue is
// complete, none of the lane's jobs is under way, and until the next call none is queued: jobs that
// are there all the same are of others. Which lane never has such jobs is the one.
#pragma once

#include "submit_call.hpp"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace lttng_gpu::model {

/// 0: any thread, any queue.
struct SubmitLane {
    std::int64_t tid = 0;
    std::uint64_t queue = 0;

    friend auto operator<=>(const SubmitLane&, const SubmitLane&) = default;
    bool has(const SubmitCall& call) const
    {
        return (tid == 0 || call.tid == tid) &&
               (queue == 0 || call.detail.queue == queue || (call.detail.queue == 0 && tid != 0));
    }
};

/// The thread that queues the jobs had no work, and got some at the end.
struct SubmitIdle {
    Timestamp begin;
    Timestamp end;
};

/// Those of a process.
class SubmitCalls {
public:
    /// In order of return.
    void add(const SubmitCall& call);
    void forget_before(Timestamp time);
    bool is_empty() const { return m_by_begin.empty(); }

    const std::deque<SubmitCall>& by_begin() const { return m_by_begin; }
    /// Calls that wait, in order of return.
    const std::deque<SubmitCall>& syncs() const { return m_syncs; }
    /// When the lane's first call after that began.
    std::optional<Timestamp> next_begin(SubmitLane lane, Timestamp time) const;
    /// Whether one of the lane's went on at that time.
    bool is_any_at(SubmitLane lane, Timestamp time) const;
    /// What of the lane began then or before has all its jobs queued, what began later has none:
    /// nothing was given while the helper had no work. Nothing: a call went on all the while.
    std::optional<Timestamp> cut_of(SubmitLane lane, const SubmitIdle& idle) const;
    /// Commands and submits of other lanes that went on between both times, in order of begin.
    std::vector<SubmitCall> others_between(SubmitLane lane, Timestamp begin, Timestamp end) const;
    /// The last of that thread that had begun then.
    const SubmitCall* last_of(std::int64_t tid, Timestamp time) const;

private:
    static constexpr std::size_t most = 8192;

    std::deque<SubmitCall> m_by_begin;
    std::deque<SubmitCall> m_syncs;
};

/// A time at which all of the lane's calls were complete, and until when it made none.
struct SubmitPause {
    Timestamp begin;
    Timestamp end;
};

/// Of the lane's calls that wait, the first pause after `time`. It is known if it begins before
/// `horizon`.
std::optional<SubmitPause> next_pause(const SubmitCalls& calls, SubmitLane lane, Timestamp time,
                                      Timestamp horizon);

/// The lanes of a process.
class SubmitLanes {
public:
    void add(const SubmitCall& call);
    /// A thread's calls to a queue; and those of a thread to all queues, of all threads to a queue,
    /// where there are several.
    const std::set<SubmitLane>& narrow() const { return m_narrow; }
    std::set<SubmitLane> wide() const;
    bool has_one_queue(std::int64_t tid) const;

private:
    static constexpr std::size_t most_lanes = 64;

    std::set<SubmitLane> m_narrow;
};

/// What the jobs of one context say about lanes.
class LaneEvidence {
public:
    /// All calls and jobs from before `horizon` are told.
    void judge(const SubmitCalls& calls, const std::deque<SubmitJob>& jobs,
               const SubmitLanes& lanes, Timestamp horizon);
    /// When the thread that queues the jobs had nothing left to do.
    void judge_idle(const SubmitCalls& calls, const std::deque<SubmitJob>& jobs,
                    const SubmitLanes& lanes, const std::deque<SubmitIdle>& idle,
                    Timestamp horizon);
    /// Nothing: it is not known, or the jobs are of several.
    std::optional<SubmitLane> owner(const SubmitLanes& lanes) const;
    /// There were calls that wait, so that times need not be trusted.
    bool has_checks() const { return m_has_checks; }

private:
    struct Score {
        Timestamp judged_until{INT64_MIN};
        Timestamp idle_until{INT64_MIN}; // likewise
        std::uint64_t checks = 0;
        std::uint64_t strangers = 0; // checks with jobs that are not the lane's

        bool is_excluded() const { return 20 * strangers > checks; }
        bool is_confirmed() const { return checks >= least_checks && !is_excluded(); }
    };
    static constexpr std::uint64_t least_checks = 3;
    static constexpr std::uint64_t many_checks = 8;

    std::optional<SubmitLane> only_of(const std::set<SubmitLane>& lanes) const;

    std::map<SubmitLane, Score> m_scores;
    bool m_has_checks = false;
};

} // namespace lttng_gpu::model
