// SPDX-License-Identifier: MIT
//
// A stretch of calls that submit and of jobs that one thread of a driver queued for them, from a
// moment at which it had nothing to do to the next one, and which job can be of which call.
#pragma once

#include "../../base/ids.hpp"
#include "../../base/known.hpp"

#include <optional>
#include <vector>

namespace lttng_gpu::model {

struct SubmitCall {
    std::int64_t tid = 0; // in its own namespace
    Timestamp begin;
    Timestamp end;
    StringId name;
    Timestamp from{INT64_MIN}; // its jobs cannot be queued before; earliest: begin
};

struct SubmitJob {
    std::uint64_t serial = 0;
    Timestamp queued;
};

/// What a thread has done so far.
struct SubmitHabit {
    std::uint64_t one_each = 0;
    std::uint64_t merged = 0;
    std::uint64_t split = 0;

    /// It makes one job of each call, as far as is known.
    bool is_one_each() const { return one_each >= 16 && 50 * (merged + split) < one_each; }
    bool is_mixed() const { return merged >= 4 && split >= 4; }
    bool is_merging() const { return merged >= 4 && 10 * split < merged; }
    /// It makes several jobs of one call. A call without any job then looks as if it had those of
    /// the next, and nothing in times shows it.
    bool is_splitting() const { return split > 0 && 50 * split >= one_each + merged; }
};

class SubmitStretch {
public:
    /// `has_wakes`: it was recorded when the thread was woken up, which is when it had nothing to
    /// do; else only long silence shows that.
    SubmitStretch(const SubmitHabit& habit, bool has_wakes)
        : x_habit{habit}, x_has_wakes{has_wakes}, x_silence{has_wakes ? long_silence : silence}
    {
    }

    /// Calls and jobs in order of time, a call by its `from`. False: it is of the next stretch.
    /// `is_fresh`: the thread had nothing to do before that call, or in it.
    bool add_call(const SubmitCall& call, bool is_fresh);
    void add_job(const SubmitJob& job);
    bool is_full() const { return x_calls.size() >= most || x_jobs.size() >= most; }
    /// At that time the thread has had nothing to do for long.
    bool is_over(Timestamp time) const;

    /// The number of the call of each job, from 0. Nothing: in doubt.
    struct Solution {
        std::vector<std::optional<std::size_t>> calls;
        /// Jobs that no call of the stretch came before.
        std::size_t orphans = 0;
        /// Calls that need not be looked at any more.
        std::size_t done = 0;
    };
    /// `is_closed`: nothing more of the stretch will come.
    Solution solve(bool is_closed, SubmitHabit& habit) const;

    const std::vector<SubmitCall>& calls() const { return x_calls; }
    const std::vector<SubmitJob>& jobs() const { return x_jobs; }

private:
    static constexpr std::size_t most = 512;
    /// A thread that has work is not silent for so long, as a rule.
    static constexpr Duration silence{1'000'000};
    static constexpr Duration long_silence{50'000'000};

    struct Range {
        std::size_t low = 0; // numbers of calls
        std::size_t high = 0;
        bool is_possible = true;
    };

    bool has_separate_calls() const;
    std::vector<Range> one_each(std::size_t calls, std::size_t orphans) const;
    std::vector<Range> merged(std::size_t calls, std::size_t orphans) const;
    std::vector<Range> split(std::size_t calls, std::size_t orphans) const;
    /// The last call that began (or returned) then or before; -1: none.
    std::ptrdiff_t last_begun(Timestamp time) const;
    std::ptrdiff_t last_returned(Timestamp time) const;

    const SubmitHabit& x_habit;
    bool x_has_wakes;
    Duration x_silence;
    std::vector<SubmitCall> x_calls;
    std::vector<SubmitJob> x_jobs;
    Timestamp x_last{INT64_MIN};
    bool x_is_in_order = true; // no job before the call of its number
};

} // namespace lttng_gpu::model
