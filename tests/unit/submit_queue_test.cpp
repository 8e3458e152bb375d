// SPDX-License-Identifier: MIT
//
// Jobs that a thread of the driver queues later, matched with the calls that made it do so: single
// cases, and random programs whose true matches are known.
#include "helper_program.hpp"

#include <doctest/doctest.h>

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
        m_queue.add_call({tid, Timestamp{begin * us}, Timestamp{end * us},
                          StringId{static_cast<std::uint32_t>(begin)}});
        return *this;
    }
    /// An OpenCL command; one that blocks returns when everything is complete.
    Story& command(std::int64_t begin, std::int64_t end, std::uint32_t name, bool is_sync = false,
                   std::int64_t tid = 101)
    {
        m_queue.add_call({tid,
                          Timestamp{begin * us},
                          Timestamp{end * us},
                          StringId{name},
                          SubmitRole::Command,
                          {static_cast<std::uint64_t>(tid), is_sync}});
        return *this;
    }
    Story& flush(std::int64_t begin, std::int64_t end, std::int64_t tid = 101)
    {
        m_queue.add_call(
            {tid, Timestamp{begin * us}, Timestamp{end * us}, StringId{9999}, SubmitRole::Other});
        return *this;
    }
    /// Waits until everything is complete, and may make a job of its own for that.
    Story& finish(std::int64_t begin, std::int64_t end, std::int64_t tid = 101)
    {
        m_queue.add_call({tid,
                          Timestamp{begin * us},
                          Timestamp{end * us},
                          StringId{9998},
                          SubmitRole::Other,
                          {static_cast<std::uint64_t>(tid), true}});
        return *this;
    }
    Story& sleep(std::int64_t time, std::int64_t helper = 900)
    {
        m_queue.add_sleep(Timestamp{time * us}, helper);
        return *this;
    }
    Story& wake(std::int64_t time, std::int64_t waker = 101, std::int64_t helper = 900)
    {
        m_queue.add_wake(Timestamp{time * us}, waker, helper);
        return *this;
    }
    Story& ioctl(std::int64_t begin, std::int64_t end, std::int64_t helper = 900)
    {
        m_queue.add_ioctl(helper, Timestamp{begin * us}, Timestamp{end * us});
        return *this;
    }
    Story& job(std::int64_t queued, std::int64_t helper = 900, std::uint64_t context = 1)
    {
        m_jobs.push_back(helper_job(queued * us, helper, context));
        m_queue.announce(m_jobs.back(), m_jobs.size());
        return *this;
    }
    /// Asks for the first job when no more than this has been told.
    Story& ask_first(std::int64_t horizon)
    {
        m_queue.match(m_jobs.front(), 1, Timestamp{horizon * us});
        m_asked = 1;
        return *this;
    }
    /// The beginning of the call of each job that was not asked for, its merged calls behind the
    /// point; 0: none, -1: in doubt.
    std::vector<double> matches()
    {
        std::vector<double> matches;
        for (std::size_t index = m_asked; index < m_jobs.size(); ++index) {
            const auto match = m_queue.match(m_jobs[index], index + 1, Timestamp{1'000'000 * ms});
            matches.push_back(match.call ? static_cast<double>(match.call->begin.value() / us) +
                                               match.merged / 10.0
                                         : (match.is_doubtful ? -1 : 0));
        }
        return matches;
    }

private:
    SubmitQueue m_queue;
    std::vector<Job> m_jobs;
    std::size_t m_asked = 0;
};

} // namespace

TEST_CASE("helper_jobs_when_there_are_as_many_as_calls_then_they_match_in_order")
{
    const auto matches =
        Story{}.call(10, 12).call(20, 22).call(30, 32).job(40).job(50).job(60).matches();
    CHECK(matches == std::vector<double>{10.1, 20.1, 30.1});
}

TEST_CASE(
    "helper_job_when_one_of_its_segment_was_in_doubt_before_its_thread_was_known_then_it_is_too")
{
    Story story;
    story.finish(10, 20).command(12, 14, 1, false, 102);
    story.command(30, 31, 2).command(32, 33, 3).command(34, 35, 4);
    story.job(40).ask_first(45); // of either thread
    story.job(50).job(60);
    // Of the other thread everything is complete, and jobs go on: they are not its.
    story.command(70, 80, 1, true, 102).command(82, 83, 5).job(90);
    story.command(95, 120, 6, true).job(110);
    CHECK(story.matches() == std::vector<double>{-1, -1, -1, -1});
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
    CHECK(Story{}.call(10, 12).job(40).job(50).call(20'000, 20'010).job(20'020).matches() ==
          std::vector<double>{10.1, 10.1, 20'000.1});
}

TEST_CASE("helper_jobs_when_the_helper_splits_calls_then_equal_numbers_prove_nothing")
{
    // The second of the two calls may make no job, and the first both.
    Story story;
    story.call(10, 12).call(20, 22).job(40).job(50);
    CHECK(story.matches() == std::vector<double>{10.1, 20.1});
    Story splitting;
    splitting.call(10, 12).job(40).job(50).call(19'000, 19'002).call(19'010, 19'012);
    splitting.job(19'040).job(19'050);
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
    const auto last_two = [](std::int64_t first_end, std::int64_t second_begin) {
        Story story; // both threads' calls have jobs of this context
        for (std::int64_t begin = 1'000; begin < 9'000; begin += 2'000) {
            story.call(begin, begin + 10, 101).job(begin + 20);
            story.call(begin + 1'000, begin + 1'010, 102).job(begin + 1'020);
        }
        story.call(second_begin, second_begin + 2, 102).call(20'020, first_end, 101);
        const auto matches = story.job(20'040).job(20'050).matches();
        return std::vector<double>{matches.end() - 2, matches.end()};
    };
    CHECK(last_two(20'022, 20'030) == std::vector<double>{20'020.1, 20'030.1});
    CHECK(last_two(20'030, 20'022) == std::vector<double>{-1, -1});
}

TEST_CASE("helper_jobs_when_it_is_not_known_of_which_thread_they_are_then_none_is_named")
{
    CHECK(Story{}.call(20, 22, 101).call(30, 32, 102).job(40).job(50).matches() ==
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

TEST_CASE("helper_jobs_when_a_call_waits_until_all_is_complete_then_what_follows_is_of_later_calls")
{
    // Two threads. The helper lags: the jobs of one are queued while the other calls.
    Story story;
    for (std::int64_t round = 1'000; round < 9'000; round += 1'000) {
        story.command(round, round + 2, 1).command(round + 10, round + 12, 2);
        story.flush(round + 20, round + 22).command(round + 30, round + 300, 3, true);
        story.job(round + 100).job(round + 120).job(round + 140);
        story.command(round + 150, round + 152, 4, false, 102);
        story.command(round + 320, round + 500, 5, true, 102);
        story.job(round + 330, 900, 2).job(round + 400, 900, 2);
    }
    const auto matches = story.matches();
    for (std::size_t round = 0; round < 8; ++round) {
        const auto begin = static_cast<double>(1'000 * (round + 1));
        CHECK(std::vector<double>(matches.begin() + static_cast<std::ptrdiff_t>(5 * round),
                                  matches.begin() + static_cast<std::ptrdiff_t>(5 * round + 5)) ==
              std::vector<double>{begin + 0.1, begin + 10.1, begin + 30.1, begin + 150.1,
                                  begin + 320.1});
    }
}

TEST_CASE("last_job_when_the_program_waits_once_then_it_may_be_of_the_call_that_waits")
{
    Story story;
    for (std::int64_t call = 10; call <= 60; call += 10) {
        story.command(call, call + 2, 1);
    }
    story.finish(70, 5'000).job(200).job(300).job(400);
    CHECK(story.matches().back() == -1);
}

TEST_CASE("last_job_when_there_is_one_more_than_commands_then_it_may_be_of_the_call_that_waits")
{
    Story story;
    for (std::int64_t call = 10; call <= 60; call += 10) {
        story.command(call, call + 2, 1);
    }
    story.finish(70, 5'000);
    for (std::int64_t job = 200; job <= 800; job += 100) {
        story.job(job);
    }
    const auto matches = story.matches();
    CHECK(matches.front() == doctest::Approx(10.1));
    CHECK(matches.back() == -1);
}

TEST_CASE("helper_jobs_when_calls_of_a_name_always_make_several_then_each_has_its_own")
{
    Story story;
    for (std::int64_t round = 1'000; round < 9'000; round += 1'000) {
        const bool is_even = round % 2'000 == 0; // two of the split ones, or one
        story.command(round, round + 2, 2).command(round + 10, round + 12, is_even ? 2 : 1);
        story.command(round + 30, round + 300, 3, true);
        for (std::int64_t job = 0; job < (is_even ? 7 : 5); ++job) {
            story.job(round + 100 + 10 * job);
        }
    }
    const auto matches = story.matches();
    CHECK(std::vector<double>(matches.begin() + 5, matches.begin() + 12) ==
          std::vector<double>{2'000.1, 2'000.1, 2'000.1, 2'010.1, 2'010.1, 2'010.1, 2'030.1});
}

TEST_CASE("helper_jobs_when_two_numbers_explain_them_as_well_then_the_middle_is_in_doubt")
{
    // Calls of 1 and of 2 always come together, with three jobs: which has two is not known.
    Story story;
    for (std::int64_t round = 1'000; round < 9'000; round += 1'000) {
        story.command(round, round + 2, 1).command(round + 30, round + 300, 2, true);
        story.job(round + 100).job(round + 110).job(round + 120);
    }
    const auto matches = story.matches();
    CHECK(std::vector<double>(matches.begin() + 3, matches.begin() + 6) ==
          std::vector<double>{2'000.1, -1, 2'030.1});
}

TEST_CASE("helper_that_slept_when_woken_up_for_a_lock_then_it_had_work_left")
{
    const auto first_of_second_call = [](std::int64_t slept) {
        Story story;
        story.command(1'000, 1'002, 1).command(1'010, 1'020, 2).sleep(slept).wake(1'015);
        story.job(1'100).job(1'110).job(1'120).job(1'130);
        story.command(5'000, 5'002, 1).command(5'010, 5'020, 2, true).job(5'015).job(5'016);
        const auto matches = story.matches();
        return std::vector<double>{matches.begin(), matches.begin() + 4};
    };
    // It slept before that call began: the first call's work was done, but no job came before.
    CHECK(first_of_second_call(1'005) == std::vector<double>{1'010.1, 1'010.1, 1'010.1, 1'010.1});
    // It fell asleep while the call held the lock.
    CHECK(first_of_second_call(1'012)[1] == -1);
}

namespace {

/// Rounds of four commands that a helper makes three jobs of: it takes all that waits.
Story merging_rounds(bool has_ioctls)
{
    Story story;
    for (std::int64_t round = 1'000; round < 9'000; round += 1'000) {
        story.command(round, round + 2, 1).command(round + 10, round + 12, 2);
        story.command(round + 30, round + 32, 3).command(round + 50, round + 500, 4, true);
        if (has_ioctls) {
            story.ioctl(round + 5, round + 35).ioctl(round + 45, round + 90);
            story.ioctl(round + 95, round + 130);
        }
        story.job(round + 20).job(round + 60).job(round + 120);
    }
    return story;
}

} // namespace

TEST_CASE("helper_that_takes_all_that_waits_when_its_ioctls_are_recorded_then_its_jobs_are_known")
{
    const auto seventh = [](const std::vector<double>& matches) {
        return std::vector<double>(matches.begin() + 18, matches.begin() + 21);
    };
    // The second command was given after the ioctl of the first job began; when that returned, the
    // second and the third waited; the fourth was given after the next ioctl had begun.
    CHECK(seventh(merging_rounds(true).matches()) ==
          std::vector<double>{7'000.1, 7'030.2, 7'050.1});
    CHECK(seventh(merging_rounds(false).matches()) == std::vector<double>{7'000.1, -1, 7'050.1});
}

TEST_CASE("helper_jobs_of_random_programs_when_matched_then_nearly_all_that_are_named_are_right")
{
    using test::HelperHabit;
    for (const bool has_syncs : {true, false}) {
        for (const bool has_naps : {true, false}) {
            const test::HelperTrace trace{has_syncs, has_naps};
            const double least = has_syncs || has_naps ? 0.999 : 0.99;
            const auto one_each = score_of(HelperHabit::OneEach, trace, "one job for each call");
            CHECK(one_each.precision() >= least);
            const auto by_name =
                score_of(HelperHabit::SplittingByName, trace, "calls of a name split");
            CHECK(by_name.precision() >= least);
            const auto merging = score_of(HelperHabit::Merging, trace, "all that waits in one job");
            CHECK(merging.precision() >= least);
            const auto splitting =
                score_of(HelperHabit::SplittingAtRandom, trace, "three of ten calls split");
            CHECK(splitting.precision() >= least);
            const auto mixed = score_of(HelperHabit::Mixed, trace, "merged and split at random");
            CHECK(mixed.precision() >= least);
            if (has_syncs) {
                CHECK(one_each.recall() >= 0.95);
                CHECK(by_name.recall() >= 0.95);
            }
        }
    }
}

TEST_CASE("helper_jobs_of_random_programs_when_ioctls_are_recorded_then_merged_ones_are_named")
{
    const auto merging = [](bool has_naps, bool has_ioctls) {
        return score_of(test::HelperHabit::Merging, {true, has_naps, has_ioctls, false},
                        "all that waits in one job");
    };
    for (const bool has_naps : {true, false}) {
        const test::HelperScore without = merging(has_naps, false);
        const test::HelperScore with = merging(has_naps, true);
        CHECK(with.precision() >= 0.999);
        CHECK(with.recall() > without.recall() + 0.02);
        CHECK(with.recall() >= (has_naps ? 0.95 : 0.9));
    }
}

namespace {

/// Each way of a driver's thread, of programs that wait and of those that never do.
void check_device_times(std::int64_t clock_error, double drift)
{
    using test::HelperHabit;
    for (const bool has_syncs : {true, false}) {
        const test::HelperTrace trace{has_syncs, false, false, true, clock_error, drift};
        for (const auto& [habit, name] :
             {std::pair{HelperHabit::OneEach, "one job for each call"},
              std::pair{HelperHabit::SplittingByName, "calls of a name split"},
              std::pair{HelperHabit::Merging, "all that waits in one job"},
              std::pair{HelperHabit::SplittingAtRandom, "three of ten calls split"},
              std::pair{HelperHabit::Mixed, "merged and split at random"}}) {
            const test::HelperScore score = score_of(habit, trace, name);
            CHECK(score.precision() >= 0.99);
            CHECK(score.recall() >= 0.95);
        }
    }
}

} // namespace

TEST_CASE("helper_jobs_of_random_programs_when_the_device_tells_times_then_nearly_all_are_named")
{
    check_device_times(2 * us, 0);
}

TEST_CASE("helper_jobs_of_random_programs_when_the_clock_is_known_to_10_ms_then_they_are_named_too")
{
    check_device_times(10'000 * us, 20e-6);
}
