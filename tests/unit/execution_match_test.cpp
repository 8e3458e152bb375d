// SPDX-License-Identifier: MIT
//
// Commands and jobs that are compared by when they were executed.
#include "calls/execution_match.hpp"

#include <doctest/doctest.h>

using namespace lttng_gpu;
using namespace lttng_gpu::model;

namespace {

constexpr std::int64_t us = 1'000;

/// Of one process, in microseconds.
class Executions {
public:
    Executions& command(std::int64_t begin, std::int64_t started, std::int64_t completed,
                        std::uint64_t queue = 1, std::int64_t error = 1)
    {
        const SubmitCall call{101,         Timestamp{begin * us}, Timestamp{begin * us + 1},
                              StringId{1}, SubmitRole::Command,   {queue, false}};
        m_match.add_command(
            {call, Timestamp{started * us}, Timestamp{completed * us}, Duration{error * us}});
        return *this;
    }
    Executions& untimed(std::int64_t called)
    {
        m_match.add_untimed(Timestamp{called * us});
        return *this;
    }
    Executions& job(std::int64_t queued, std::int64_t started, std::int64_t completed,
                    std::uint64_t context = 1)
    {
        Job job;
        job.actor.tid = Tid{900};
        job.fence.context = FenceContext{context};
        job.queued = Timestamp{queued * us};
        job.started = Timestamp{started * us};
        job.completed = Timestamp{completed * us};
        m_jobs.push_back(job);
        m_match.add_job(job, m_jobs.size());
        return *this;
    }
    /// The begin of each job's call, the number of its calls behind the point; 0: none.
    std::vector<double> matches()
    {
        std::vector<double> matches;
        for (std::size_t index = 0; index < m_jobs.size(); ++index) {
            const auto match = m_match.match(m_jobs[index], index + 1);
            matches.push_back(match ? static_cast<double>(match->call.begin.value() / us) +
                                          match->merged / 10.0
                                    : 0);
        }
        return matches;
    }

private:
    ExecutionMatch m_match;
    std::vector<Job> m_jobs;
};

} // namespace

TEST_CASE("job_when_commands_were_executed_in_it_then_the_last_is_named_with_their_number")
{
    Executions all;
    all.command(10, 100, 140).command(20, 140, 180).command(30, 205, 290);
    CHECK(all.job(50, 100, 190).job(60, 190, 300).matches() == std::vector<double>{20.2, 30.1});
}

TEST_CASE("jobs_when_one_command_was_executed_in_them_then_all_name_it")
{
    Executions all;
    all.command(10, 100, 290).command(20, 310, 400);
    CHECK(all.job(50, 95, 150).job(60, 150, 200).job(70, 200, 300).job(80, 300, 410).matches() ==
          std::vector<double>{10.1, 10.1, 10.1, 20.1});
}

TEST_CASE("job_when_the_fence_before_was_signaled_late_then_its_command_began_before_it")
{
    Executions all;
    all.command(10, 100, 190).command(20, 190, 290);
    CHECK(all.job(50, 100, 200).job(60, 200, 300).matches() == std::vector<double>{10.1, 20.1});
}

TEST_CASE("job_when_no_command_was_executed_in_it_then_it_has_none")
{
    Executions all;
    all.command(10, 500, 600).command(20, 100, 120, 1, 200); // one may be anywhere
    CHECK(all.job(50, 100, 200).job(60, 300, 400).matches() == std::vector<double>{0, 0});
}

TEST_CASE("job_when_other_commands_have_no_times_then_it_may_be_of_these")
{
    Executions all;
    all.command(10, 100, 190).untimed(20);
    CHECK(all.job(15, 100, 200).job(50, 210, 280).matches() == std::vector<double>{10.1, 0});
    Executions later;
    later.command(10, 100, 190).untimed(40);
    CHECK(later.job(50, 100, 200).matches() == std::vector<double>{0});
}

TEST_CASE("job_when_it_was_queued_before_the_call_then_it_is_not_of_it")
{
    CHECK(Executions{}.command(60, 110, 190).job(50, 100, 200).matches() == std::vector<double>{0});
}

TEST_CASE("jobs_that_were_executed_together_when_either_can_have_a_command_then_neither_names_it")
{
    Executions all;
    all.command(10, 110, 190, 1);
    all.job(50, 100, 200, 1).job(60, 100, 210, 2);
    CHECK(all.matches() == std::vector<double>{0, 0});
}

TEST_CASE(
    "jobs_that_were_executed_together_when_their_contexts_queues_are_known_then_each_has_its_own")
{
    Executions all;
    for (std::int64_t round = 1'000; round < 6'000; round += 1'000) { // one after the other
        all.command(round + 10, round + 110, round + 190, 1);
        all.command(round + 20, round + 210, round + 290, 2);
        all.job(round + 50, round + 100, round + 200, 1)
            .job(round + 60, round + 200, round + 300, 2);
    }
    all.command(9'010, 9'110, 9'190, 1).command(9'020, 9'115, 9'200, 2);
    all.job(9'050, 9'100, 9'200, 1).job(9'060, 9'100, 9'210, 2);
    const auto matches = all.matches();
    CHECK(std::vector<double>(matches.end() - 2, matches.end()) ==
          std::vector<double>{9'010.1, 9'020.1});
}

TEST_CASE("job_when_a_command_may_be_in_it_somewhere_in_its_error_then_no_other_is_the_only_one")
{
    const auto named = [](bool has_second) {
        Executions all;
        for (std::int64_t at = 1'000; at <= 8'000; at += 1'000) { // whose the context is
            all.command(10, at, at + 100).job(at - 10, at, at + 100);
        }
        all.command(10, 98'700, 99'700, 1, 1'000); // in the job if it was 1000 later
        if (has_second) {
            all.command(10, 100'650, 100'950, 1, 1'000); // and this one if it was 500 earlier
        }
        return all.job(99'990, 100'000, 100'800).matches().back();
    };
    CHECK(named(false) == 10.1);
    CHECK(named(true) == 0);
}
