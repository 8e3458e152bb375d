// SPDX-License-Identifier: MIT
//
// Random programs whose threads give work to threads of a driver, with what is observed of them and
// the true calls of each job. They have what makes matching hard in real ones: helpers that lag far
// behind and are preempted, wakeups for locks as well as for work, calls that make no job, jobs of
// several calls and calls of several jobs.
#pragma once

#include "calls/execution_match.hpp"
#include "calls/submit_queue.hpp"

#include <random>

namespace lttng_gpu::test {

enum class HelperHabit { OneEach, Merging, SplittingByName, SplittingAtRandom, Mixed };

/// What is recorded.
struct HelperTrace {
    bool has_syncs = true; // the program waits for its work now and then
    bool has_naps = true;  // when helpers slept, and who woke them up
    bool has_ioctls = false;
    bool has_times = false; // the device's, of commands
    /// Its clock is known to so much; and by so much it runs too slow.
    std::int64_t clock_error = 2'000;
    double drift = 0;
};

struct HelperScore {
    std::uint64_t jobs = 0;
    std::uint64_t named = 0;
    std::uint64_t right = 0;

    double precision() const
    {
        return named == 0 ? 1.0 : static_cast<double>(right) / static_cast<double>(named);
    }
    double recall() const { return static_cast<double>(right) / static_cast<double>(jobs); }
};

class HelperProgram {
public:
    HelperProgram(unsigned seed, HelperHabit habit, HelperTrace trace);

    HelperScore score() const;

private:
    struct Task {
        std::size_t thread = 0;
        std::size_t call = 0; // in m_calls
        std::int64_t given = 0;
    };
    struct Thread {
        std::int64_t next = 0; // its next call; INT64_MAX: it waits
        unsigned left_of_burst = 0;
        std::int64_t ring_free = 0;
        std::size_t last_call = SIZE_MAX; // that waits
    };
    struct Made {
        model::Job job;
        std::vector<std::size_t> calls;
        std::int64_t ioctl = 0;    // it began
        std::int64_t returned = 0; // from it
        std::int64_t ended = 0;    // on the device; the fence tells of it a little later
    };
    struct Execution {
        std::int64_t started = 0;
        std::int64_t completed = 0;
    };
    struct Helper {
        std::int64_t free = 0;
        std::vector<Task> queue;
        std::size_t woken = SIZE_MAX; // in m_sched, when it last was for work
    };
    struct Sched {
        std::int64_t time = 0;
        std::int64_t waker = 0; // 0: it fell asleep
        std::int64_t helper = 0;
    };

    std::int64_t any(double mean)
    {
        return 1 + static_cast<std::int64_t>(std::exponential_distribution<>{1.0 / mean}(m_random));
    }
    bool is_chosen(double share) { return std::bernoulli_distribution{share}(m_random); }
    std::size_t helper_of(std::size_t thread) const { return m_is_shared ? 0 : thread; }
    std::int64_t tid_of(std::size_t thread) const
    {
        return 101 + static_cast<std::int64_t>(thread);
    }
    std::int64_t tid_of_helper(std::size_t helper) const
    {
        return 900 + static_cast<std::int64_t>(helper);
    }
    void make_call(std::size_t thread);
    void work(std::size_t helper);
    void submit(Helper& helper, std::size_t number, const std::vector<Task>& taken);
    unsigned parts_of(const model::SubmitCall& call);
    void execute(Made& made, std::int64_t ring_free, bool is_first);
    model::TimedCommand timed(std::size_t call) const;

    std::mt19937 m_random;
    std::mt19937 m_device_random; // what is recorded beside does not change the program
    HelperHabit m_habit;
    HelperTrace m_trace;
    bool m_is_shared;
    double m_burst;
    double m_pause;
    std::vector<Thread> m_threads;
    std::vector<Helper> m_helpers;
    std::vector<model::SubmitCall> m_calls;
    std::vector<Execution> m_executions; // of calls
    std::vector<Made> m_jobs;
    std::vector<Sched> m_sched;
};

HelperScore score_of(HelperHabit habit, HelperTrace trace, const char* name);

} // namespace lttng_gpu::test
