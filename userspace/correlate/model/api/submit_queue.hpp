// SPDX-License-Identifier: MIT
//
// The calls of one process that make a driver submit, and the jobs that threads of the driver
// queued for them. Such a thread works in order: its jobs are those of the calls in the order of
// the calls, later than these began. Calls and jobs are compared in stretches between moments at
// which the thread had nothing left to do: there, as many jobs as calls are one each; fewer jobs
// are of several calls each; more are parts of calls. What all ways to match them have in common
// is told, the rest is in doubt.
#pragma once

#include "../job.hpp"
#include "submit_stretch.hpp"

#include <deque>
#include <map>
#include <set>

namespace lttng_gpu::model {

class SubmitQueue {
public:
    struct Match {
        std::optional<SubmitCall> call;
        std::uint16_t merged = 1; // calls, of which that is the last
        bool is_doubtful = false; // there are calls that fit, but no single one
    };

    /// In order of return.
    void add_call(const SubmitCall& call);
    /// The thread woke up a thread of the driver: it had nothing to do. In order of time.
    void add_wake(Timestamp time, std::int64_t waker, std::int64_t helper);
    /// A row of a helper's job, in the order in which match() will ask for them.
    void announce(const Job& job, std::uint64_t serial);
    /// Of an announced job. All calls that began before `horizon` and all jobs queued before have
    /// been told.
    Match match(const Job& job, std::uint64_t serial, Timestamp horizon);

    /// Nothing queued before will be asked for.
    void forget_before(Timestamp time);
    bool is_empty() const { return x_calls.empty() && x_streams.empty(); }
    bool has_calls() const { return !x_calls.empty(); }

private:
    static constexpr std::size_t most_calls = 8192;
    static constexpr std::size_t most_jobs = 8192;
    static constexpr std::size_t most_streams = 256;
    static constexpr std::size_t most_wakes = 8192;

    struct Wake {
        Timestamp time;
        std::int64_t waker = 0;
        std::int64_t helper = 0;
    };

    /// Thread of the driver and fence context: one context of the program submits through it.
    using StreamKey = std::pair<std::int64_t, std::uint64_t>;
    struct Stream {
        std::deque<SubmitJob> jobs;
        std::size_t voted = 0;           // of the first jobs
        Timestamp done_until{INT64_MIN}; // calls that began then or before have their jobs
        std::map<std::int64_t, std::uint64_t> votes; // of threads that call, by their tid
        std::uint64_t all_votes = 0;
        SubmitHabit habit;
        std::deque<std::pair<std::uint64_t, Match>> results; // by serial
    };

    static StreamKey key_of(const Job& job);
    void vote(Stream& stream, Timestamp horizon) const;
    std::optional<std::int64_t> caller_of(const Stream& stream) const;
    void work(std::int64_t helper, Stream& stream, Timestamp horizon);
    /// A call of another name went on at the same time, whose job this may be as well.
    bool is_contested(const SubmitCall& call, const SubmitJob& job,
                      std::optional<std::int64_t> caller) const;
    /// Between both; of that waker, if there is one.
    const Wake* find_wake(std::int64_t helper, Timestamp begin, Timestamp end,
                          std::optional<std::int64_t> waker) const;

    std::deque<SubmitCall> x_calls; // in order of begin
    std::deque<Wake> x_wakes;
    std::set<std::int64_t> x_woken; // helpers
    std::set<std::int64_t> x_threads;
    std::map<StreamKey, Stream> x_streams;
};

} // namespace lttng_gpu::model
