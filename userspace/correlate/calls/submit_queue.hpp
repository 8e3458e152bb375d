// SPDX-License-Identifier: MIT
//
// The calls of one process that make a driver submit, and the jobs that threads of the driver
// queued for them. Such a thread works in order: its jobs are those of the calls in the order of
// the calls, later than these began. Which calls a context's jobs are of, submit_lanes.hpp says;
// they are compared in segments between moments at which the thread had nothing left to do:
//
//   - a call returned that waits until everything is complete;
//   - the thread slept, and was woken up inside a call that began after that: it did not wait for a
//     lock, which only those hold who were in a call already;
//   - where there is neither, nothing happened for a while.
//
// Which job of a segment is of which call, submit_segment.hpp says; what is left is in doubt.
#pragma once

#include "../jobs/job.hpp"
#include "helper_idle.hpp"
#include "helper_jobs.hpp"
#include "submit_segment.hpp"

#include <algorithm>

namespace lttng_gpu::model {

class SubmitQueue {
public:
    struct Match {
        std::optional<SubmitCall> call;
        std::uint16_t merged = 1; // calls, of which that is the last
        bool is_doubtful = false; // there are calls that fit, but no single one
    };

    /// In order of return.
    void add_call(SubmitCall call);
    /// A thread of the driver began to sleep; and a thread woke it up. In order of time.
    void add_sleep(Timestamp time, std::int64_t helper) { m_idle.add_sleep(time, helper); }
    void add_wake(Timestamp time, std::int64_t waker, std::int64_t helper)
    {
        m_idle.add_wake(time, waker, helper);
    }
    /// An ioctl of DRM's of such a thread has returned.
    void add_ioctl(std::int64_t helper, Timestamp begin, Timestamp end)
    {
        m_helpers.add_ioctl(helper, begin, end);
    }
    /// A row of a helper's job, in the order in which match() will ask for them.
    void announce(const Job& job, std::uint64_t serial);
    /// Of an announced job. All calls that began before `horizon` and all jobs queued before have
    /// been told.
    Match match(const Job& job, std::uint64_t serial, Timestamp horizon);

    /// When the first job was queued of a stream of which it is not known whose calls its jobs are
    /// of, and may soon be. Nothing: there is none. Jobs that are asked for before that have no
    /// call. `horizon` as in match().
    std::optional<Timestamp> undecided_since(Timestamp horizon);

    /// Nothing queued before will be asked for.
    void forget_before(Timestamp time);
    bool is_empty() const { return m_calls.is_empty() && m_streams.empty(); }
    bool has_calls() const { return !m_calls.is_empty(); }
    /// Whether calls of that thread were added.
    bool has_caller(std::int64_t tid) const
    {
        return std::ranges::any_of(m_lanes.narrow(),
                                   [tid](SubmitLane lane) { return lane.tid == tid; });
    }

private:
    static constexpr std::size_t most_jobs = 8192;
    static constexpr std::size_t most_streams = 256;
    static constexpr std::size_t most_undecided = 4096; // jobs

    /// Thread of the driver and fence context: one context of the program submits through it.
    using StreamKey = std::pair<std::int64_t, std::uint64_t>;
    struct Stream {
        std::deque<SubmitJob> jobs;          // that are not answered
        std::deque<SubmitJob> evidence_jobs; // of segments that are not learned from
        Timestamp done_until{INT64_MIN};     // calls that began then or before have their jobs
        unsigned given = 0;                  // jobs of the first call after that
        bool is_lost = false;                // until the next cut: there was none for too long
        Timestamp lost_until{INT64_MIN};     // the last job that was answered meanwhile
        Timestamp learned_until{INT64_MIN};  // segments that ended then or before
        bool is_decided = false; // it is known whose jobs these are, or nobody waits for it longer
        LaneEvidence evidence;
        std::optional<SubmitLane> lane; // that was learned from
        JobsPerCall habit;
        std::size_t voted = 0;                       // of the first jobs
        std::map<std::int64_t, std::uint64_t> votes; // of threads that call, by their tid
        std::uint64_t all_votes = 0;
        std::deque<std::pair<std::uint64_t, Match>> results; // by serial
    };

    static StreamKey key_of(const Job& job);
    void vote(Stream& stream, Timestamp horizon) const;
    std::optional<SubmitLane> lane_of(std::int64_t helper, Stream& stream, Timestamp horizon) const;
    /// The end of the segment that begins at `begin`; nothing: it is not known yet.
    std::optional<Timestamp> next_cut(std::int64_t helper, const Stream& stream, SubmitLane lane,
                                      Timestamp begin, Timestamp horizon) const;
    std::optional<Timestamp> next_silence(const Stream& stream, SubmitLane lane, Timestamp begin,
                                          Timestamp horizon) const;
    SubmitSegment segment_of(const StreamKey& key, const std::deque<SubmitJob>& jobs,
                             SubmitLane lane, Timestamp begin, std::optional<Timestamp> cut,
                             Timestamp horizon) const;
    void learn(const StreamKey& key, Stream& stream, SubmitLane lane, Timestamp horizon) const;
    void work(const StreamKey& key, Stream& stream, Timestamp horizon);
    std::size_t answer(Stream& stream, const SubmitSegment& segment, SubmitLane lane) const;
    std::size_t work_in_lane(const StreamKey& key, Stream& stream, SubmitLane lane,
                             Timestamp horizon) const;
    /// A call of another name went on at the same time, whose job this may be as well.
    bool is_contested(const SubmitCall& call, const SubmitJob& job, SubmitLane lane) const;

    SubmitCalls m_calls;
    Timestamp m_asked_until{INT64_MIN}; // for whose the jobs are
    std::optional<Timestamp> m_undecided_since;
    HelperIdle m_idle;
    HelperJobs m_helpers;
    SubmitLanes m_lanes;
    std::map<StreamKey, Stream> m_streams;
};

} // namespace lttng_gpu::model
