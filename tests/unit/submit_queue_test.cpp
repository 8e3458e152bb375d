// SPDX-License-Identifier: MIT
//
// Jobs that a thread of the driver queues later, matched with the calls that made it do so: single
// cases, and random programs whose true matches are known.
#include "model/api/submit_queue.hpp"

#include <algorithm>
#include <cstdio>
#include <doctest/doctest.h>
#include <queue>
#include <random>

using namespace lttng_gpu;
using namespace lttng_gpu::model;

namespace {

constexpr std::int64_t us = 1'000;
constexpr std::int64_t ms = 1'000'000;

Job helper_job(std::int64_t queued, std::int64_t helper = 900, std::uint64_t context = 1)
{
    Job job;
    job.actor.pid = Pid{100};
    job.actor.tid = Tid{helper};
    job.queued = Timestamp{queued};
    job.fence.context = FenceContext{context};
    return job;
}

/// Calls and jobs of one thread and its helper, in microseconds.
class Story {
public:
    Story& call(std::int64_t begin, std::int64_t end, std::int64_t tid = 101)
    {
        x_queue.add_call({tid, Timestamp{begin * us}, Timestamp{end * us},
                          StringId{static_cast<std::uint32_t>(begin)}});
        return *this;
    }
    Story& job(std::int64_t queued, std::int64_t helper = 900, std::uint64_t context = 1)
    {
        x_jobs.push_back(helper_job(queued * us, helper, context));
        x_queue.announce(x_jobs.back(), x_jobs.size());
        return *this;
    }
    /// The beginning of the call of each job, its merged calls behind the point; 0: none, -1: in
    /// doubt.
    std::vector<double> matches()
    {
        std::vector<double> matches;
        for (std::size_t index = 0; index < x_jobs.size(); ++index) {
            const auto match = x_queue.match(x_jobs[index], index + 1, Timestamp{1'000'000 * ms});
            matches.push_back(match.call ? static_cast<double>(match.call->begin.value() / us) +
                                               match.merged / 10.0
                                         : (match.is_doubtful ? -1 : 0));
        }
        return matches;
    }

private:
    SubmitQueue x_queue;
    std::vector<Job> x_jobs;
};

} // namespace

TEST_CASE("helper_jobs_when_there_are_as_many_as_calls_then_they_match_in_order")
{
    const auto matches =
        Story{}.call(10, 12).call(20, 22).call(30, 32).job(40).job(50).job(60).matches();
    CHECK(matches == std::vector<double>{10.1, 20.1, 30.1});
}

TEST_CASE("helper_job_when_it_is_of_several_calls_then_the_last_is_named_with_their_count")
{
    CHECK(Story{}.call(10, 12).call(20, 22).call(30, 32).job(40).matches() ==
          std::vector<double>{30.3});
    // What began after the job was queued is not in it.
    CHECK(
        Story{}.call(10, 12).call(20, 22).job(40).call(50, 52).call(55, 56).job(60).matches()[0] ==
        -1);
}

TEST_CASE("helper_jobs_when_a_call_is_split_then_all_name_it")
{
    CHECK(Story{}.call(10, 12).job(40).job(50).call(2'000, 2'010).job(2'020).matches() ==
          std::vector<double>{10.1, 10.1, 2'000.1});
}

TEST_CASE("helper_jobs_when_the_helper_splits_calls_then_equal_numbers_prove_nothing")
{
    // The second of the two calls may make no job, and the first both.
    Story story;
    story.call(10, 12).call(20, 22).job(40).job(50);
    CHECK(story.matches() == std::vector<double>{10.1, 20.1});
    Story splitting;
    splitting.call(10, 12).job(40).job(50).call(9'000, 9'002).call(9'010, 9'012);
    splitting.job(9'040).job(9'050);
    CHECK(splitting.matches() == std::vector<double>{10.1, 10.1, -1, -1});
}

TEST_CASE("helper_jobs_when_no_call_came_before_then_none_is_named")
{
    CHECK(Story{}.job(5).call(10, 12).job(40).matches() == std::vector<double>{0, 10.1});
}

TEST_CASE("helper_job_when_it_comes_late_then_the_call_is_not_forgotten")
{
    CHECK(Story{}.call(10, 12).call(9'000, 9'010).job(9'020).job(9'030).matches() ==
          std::vector<double>{10.1, 9'000.1});
}

TEST_CASE("helper_jobs_when_numbers_differ_in_a_stretch_then_what_is_open_is_in_doubt")
{
    // Three calls in two jobs: the first job may be of the first call, or of two.
    const auto matches = Story{}.call(10, 12).call(20, 22).call(30, 32).job(40).job(50).matches();
    CHECK(matches[0] == -1);
    CHECK(matches[1] > 30);
}

TEST_CASE("helper_jobs_when_calls_of_two_names_overlap_then_either_may_have_come_first")
{
    // as many jobs as calls, which match in order where calls do not overlap
    CHECK(Story{}.call(20, 22, 101).call(30, 32, 102).job(40).job(50).matches() ==
          std::vector<double>{20.1, 30.1});
    CHECK(Story{}.call(22, 24, 102).call(20, 30, 101).job(40).job(50).matches() ==
          std::vector<double>{-1, -1});
}

TEST_CASE("helper_jobs_when_they_are_of_one_thread_then_other_threads_calls_do_not_matter")
{
    Story story;
    for (std::int64_t begin = 1'000; begin < 11'000; begin += 1'000) {
        story.call(begin, begin + 10, 101).job(begin + 20); // votes for that thread
    }
    story.call(50'010, 50'020, 102).call(50'000, 50'030, 101).job(50'040);
    CHECK(story.matches().back() == 50'000.1);
}

namespace {

enum class Habit { OneEach, Merging, Splitting, Mixed };

struct Score {
    std::uint64_t jobs = 0;
    std::uint64_t named = 0;
    std::uint64_t right = 0;

    double precision() const
    {
        return named == 0 ? 1.0 : static_cast<double>(right) / static_cast<double>(named);
    }
    double recall() const { return static_cast<double>(right) / static_cast<double>(jobs); }
};

/// A program of some threads, each with a context of its own, that call in bursts; helpers, one
/// for each thread or one for all, that work one task after the other.
class RandomProgram {
public:
    RandomProgram(unsigned seed, Habit habit, bool has_wakes)
        : x_random{seed}, x_habit{habit}, x_has_wakes{has_wakes}, x_threads{1 + seed % 3},
          x_is_shared{seed % 2 == 0}, x_burst{1.0 + seed % 5}, x_pause{static_cast<double>(
                                                                   2 + seed % 15)}
    {
        for (std::int64_t thread = 0; thread < x_threads; ++thread) {
            make_calls(thread);
        }
        const std::int64_t helpers = x_is_shared ? 1 : x_threads;
        for (std::int64_t helper = 0; helper < helpers; ++helper) {
            work(helper);
        }
    }

    Score score()
    {
        std::ranges::sort(x_calls, {}, &Task::end);
        std::ranges::sort(x_jobs, {}, &Made::queued);
        SubmitQueue queue;
        for (const Task& task : x_calls) {
            queue.add_call(
                {101 + task.thread, Timestamp{task.begin}, Timestamp{task.end}, StringId{1}});
        }
        std::ranges::sort(x_wakes, {}, &Wake::time);
        for (const Wake& wake : x_wakes) {
            if (x_has_wakes) {
                queue.add_wake(wake.time, wake.waker, wake.helper);
            }
        }
        std::uint64_t serial = 0;
        std::vector<Job> rows;
        for (const Made& made : x_jobs) {
            rows.push_back(helper_job(made.queued, 900 + (x_is_shared ? 0 : made.thread),
                                      1 + static_cast<std::uint64_t>(made.thread)));
            queue.announce(rows.back(), serial++);
        }
        Score score;
        for (std::size_t index = 0; index < rows.size(); ++index) {
            const auto match =
                queue.match(rows[index], index, *rows[index].queued + Duration{1'000 * ms});
            const Made& made = x_jobs[index];
            ++score.jobs;
            score.named += match.call ? 1 : 0;
            score.right += match.call && match.call->begin.value() == made.begin &&
                                   match.call->tid == 101 + made.thread
                               ? 1
                               : 0;
        }
        return score;
    }

private:
    struct Task {
        std::int64_t thread = 0;
        std::int64_t begin = 0;
        std::int64_t end = 0;
        std::int64_t given = 0; // to the helper
    };
    struct Wake {
        Timestamp time;
        std::int64_t waker = 0;
        std::int64_t helper = 0;
    };
    struct Made {
        std::int64_t thread = 0;
        std::int64_t begin = 0; // of its call, of several the last
        std::int64_t queued = 0;
    };

    std::int64_t any(double mean)
    {
        return 1 + static_cast<std::int64_t>(std::exponential_distribution<>{1.0 / mean}(x_random));
    }
    bool is_chosen(double share) { return std::bernoulli_distribution{share}(x_random); }

    void make_calls(std::int64_t thread)
    {
        std::int64_t time = any(1.0 * ms);
        while (time < 2'000 * ms) {
            const std::int64_t burst = any(x_burst);
            for (std::int64_t each = 0; each < burst; ++each) {
                const std::int64_t end = time + any(15.0 * us);
                x_calls.push_back({thread, time, end, time + (end - time) / 2});
                time = end + any(60.0 * us);
            }
            time += any(x_pause * ms);
        }
    }

    void work(std::int64_t helper)
    {
        std::vector<Task> tasks;
        std::ranges::copy_if(x_calls, std::back_inserter(tasks), [&](const Task& task) {
            return x_is_shared || task.thread == helper;
        });
        std::ranges::sort(tasks, {}, &Task::given);
        std::int64_t free = 0;
        for (std::size_t next = 0; next < tasks.size();) {
            if (free <= tasks[next].given) {
                x_wakes.push_back(
                    {Timestamp{tasks[next].given}, 101 + tasks[next].thread, 900 + helper});
            }
            const std::int64_t taken = std::max(free, tasks[next].given) + any(10.0 * us);
            std::size_t last = next;
            const bool is_merging =
                x_habit == Habit::Merging || (x_habit == Habit::Mixed && is_chosen(0.1));
            while (is_merging && last + 1 < tasks.size() && tasks[last + 1].given <= taken &&
                   tasks[last + 1].thread == tasks[next].thread) {
                ++last;
            }
            free = taken + any(40.0 * us);
            x_jobs.push_back({tasks[last].thread, tasks[last].begin, free});
            const bool is_splitting = (x_habit == Habit::Splitting && is_chosen(0.3)) ||
                                      (x_habit == Habit::Mixed && is_chosen(0.1));
            for (std::int64_t parts = is_splitting ? 1 + any(0.5) : 0; parts > 0; --parts) {
                free += any(20.0 * us);
                x_jobs.push_back({tasks[last].thread, tasks[last].begin, free});
            }
            next = last + 1;
        }
    }

    std::mt19937 x_random;
    Habit x_habit;
    bool x_has_wakes;
    std::int64_t x_threads;
    bool x_is_shared;
    double x_burst;
    double x_pause;
    std::vector<Task> x_calls;
    std::vector<Made> x_jobs;
    std::vector<Wake> x_wakes;
};

Score score_of(Habit habit, bool has_wakes, const char* name)
{
    Score sum;
    for (unsigned seed = 1; seed <= 30; ++seed) {
        const Score score = RandomProgram{seed, habit, has_wakes}.score();
        sum.jobs += score.jobs;
        sum.named += score.named;
        sum.right += score.right;
    }
    std::printf("helper threads, %s%s: %llu jobs, precision %.3f %%, recall %.3f %%\n", name,
                has_wakes ? ", wakeups recorded" : "", static_cast<unsigned long long>(sum.jobs),
                100 * sum.precision(), 100 * sum.recall());
    return sum;
}

} // namespace

TEST_CASE("helper_jobs_of_random_programs_when_matched_then_nearly_all_are_right")
{
    for (const bool has_wakes : {false, true}) {
        const Score one_each = score_of(Habit::OneEach, has_wakes, "one job for each call");
        CHECK(one_each.precision() >= 0.99);
        CHECK(one_each.recall() >= 0.95);
        const Score merging = score_of(Habit::Merging, has_wakes, "all that waits in one job");
        CHECK(merging.precision() >= 0.99);
        const Score splitting = score_of(Habit::Splitting, has_wakes, "three of ten calls split");
        CHECK(splitting.precision() >= 0.99);
        const Score mixed = score_of(Habit::Mixed, has_wakes, "merged and split");
        CHECK(mixed.precision() >= 0.99);
    }
}
