// SPDX-License-Identifier: MIT
//
// Commands whose device's clock is known to many times their length, which are aligned with jobs:
// programs where that works, and those that must not be taken in by it.
#include "calls/device_clocks.hpp"
#include "calls/execution_match.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace lttng_gpu;
using namespace lttng_gpu::model;

namespace {

constexpr std::int64_t us = 1'000;
constexpr std::int64_t ms = 1'000'000;
constexpr Duration error{10 * ms}; // of the clock, as it is told

struct Score {
    unsigned jobs = 0;
    unsigned named = 0;
    unsigned wrong = 0;

    double named_share() const { return double(named) / double(jobs); }
    double wrong_share() const { return named == 0 ? 0 : double(wrong) / double(named); }
};

/// One process: commands as its layer tells of them, jobs as the kernel does, and which are whose.
class Program {
public:
    explicit Program(unsigned seed = 1) : m_random{seed} {}

    std::int64_t any(double mean)
    {
        return 1 + static_cast<std::int64_t>(std::exponential_distribution<>{1.0 / mean}(m_random));
    }
    bool is_chosen(double share) { return std::bernoulli_distribution{share}(m_random); }

    /// All are called long before: the program never waits.
    void command(std::int64_t started, std::int64_t completed, Duration off,
                 std::uint64_t queue = 1, ClockAccount* clock = nullptr)
    {
        const auto called = static_cast<std::int64_t>(m_commands.size());
        const SubmitCall call{101,         Timestamp{called},   Timestamp{called},
                              StringId{1}, SubmitRole::Command, {queue, false}};
        m_commands.push_back({call, Timestamp{started} + off, Timestamp{completed} + off, error,
                              clock, Duration{0}});
    }
    /// `of`: the number of its command; -1: it is of none.
    void job(std::int64_t started, std::int64_t completed, std::ptrdiff_t of,
             std::uint64_t context = 1)
    {
        Job job;
        job.actor.tid = Tid{900};
        job.fence.context = FenceContext{context};
        job.queued = Timestamp{5 * ms};
        job.started = Timestamp{started};
        job.completed = Timestamp{completed};
        m_jobs.push_back({job, of});
    }
    /// A command and its job, of which the kernel learns a little later.
    void pair(std::int64_t started, std::int64_t length, Duration off, std::uint64_t queue = 1,
              ClockAccount* clock = nullptr)
    {
        command(started, started + length, off, queue, clock);
        job(started, started + length + any(2.0 * us), last(), queue);
    }
    std::ptrdiff_t last() const { return std::ssize(m_commands) - 1; }

    Score score() const
    {
        ExecutionMatch match;
        for (const TimedCommand& command : m_commands) {
            match.add_command(command);
        }
        for (std::size_t index = 0; index < m_jobs.size(); ++index) {
            match.add_job(m_jobs[index].first, index);
        }
        Score score;
        for (std::size_t index = 0; index < m_jobs.size(); ++index) {
            const auto& [job, of] = m_jobs[index];
            const auto found = match.match(job, index);
            ++score.jobs;
            score.named += found ? 1 : 0;
            score.wrong += found && found->call.begin.value() != of ? 1 : 0;
        }
        return score;
    }

private:
    std::mt19937 m_random;
    std::vector<TimedCommand> m_commands;
    std::vector<std::pair<Job, std::ptrdiff_t>> m_jobs;
};

constexpr std::int64_t first = 100 * ms;
constexpr Duration off{-7 * ms};

} // namespace

TEST_CASE("commands_when_their_clock_is_known_to_milliseconds_then_they_are_aligned_with_jobs")
{
    Program program;
    ClockAccount clock;
    std::int64_t time = first;
    for (int count = 0; count < 2'000; ++count) {
        const std::int64_t length = 5 * us + program.any(50.0 * us);
        program.pair(time, length, off, 1, &clock);
        time += length + program.any(program.is_chosen(0.1) ? 2.0 * ms : 10.0 * us);
    }
    const Score score = program.score();
    CHECK(score.wrong == 0);
    CHECK(score.named_share() >= 0.98);
    CHECK(clock.aligned >= 1'960);
    CHECK(clock.aligned_error_most < Duration{10 * us});
}

TEST_CASE("commands_when_their_clock_drifts_then_the_alignment_goes_with_it")
{
    for (const std::int64_t rate : {10'000, -10'000, 3'000}) { // 100 ppm and more
        Program program;
        std::int64_t time = first;
        for (int count = 0; count < 3'000; ++count) {
            const std::int64_t length = 5 * us + program.any(50.0 * us);
            program.pair(time, length, off + Duration{(time - first) / rate});
            time += length + program.any(60.0 * us);
        }
        const Score score = program.score();
        CHECK(score.wrong_share() <= 0.001);
        CHECK(score.named_share() >= 0.97);
    }
}

TEST_CASE("commands_of_a_load_that_repeats_itself_when_their_clock_is_coarse_then_no_job_is_named")
{
    // The period is shorter than the error, with and without small differences.
    for (const double noise : {0.001, 1.0, 3.0}) {
        for (const std::int64_t many : {1, 5, 12}) {
            Program program;
            std::int64_t time = first;
            for (int count = 0; count < 2'000; ++count) {
                const std::int64_t length = 20 * us * (1 + count % many) + program.any(noise * us);
                program.pair(time, length, off);
                time += length + 30 * us;
            }
            const Score score = program.score();
            CHECK(score.wrong == 0);
        }
    }
}

TEST_CASE("commands_of_a_load_that_hardly_ever_changes_when_aligned_then_no_wrong_job_is_named")
{
    Program program;
    std::int64_t time = first;
    for (int count = 0; count < 2'000; ++count) {
        program.pair(time, 40 * us, off);
        time += count % 100 == 99 ? 500 * us : 70 * us;
    }
    CHECK(program.score().wrong == 0);
}

TEST_CASE("commands_that_made_no_jobs_when_another_api_has_jobs_then_none_is_named")
{
    for (unsigned seed = 1; seed <= 40; ++seed) {
        Program program{seed};
        std::int64_t time = first;
        std::int64_t other = first;
        for (int count = 0; count < 1'000; ++count) {
            const std::int64_t length = 5 * us + program.any(50.0 * us);
            program.command(time, time + length, off);
            time += length + program.any(20.0 * us);
            const std::int64_t job_length = 5 * us + program.any(50.0 * us);
            program.job(other, other + job_length, -1);
            other += job_length + program.any(20.0 * us);
        }
        CHECK(program.score().named == 0);
    }
}

TEST_CASE("commands_that_made_no_jobs_when_another_api_has_jobs_at_their_pace_then_none_is_named")
{
    // A frame each 16 ms of both, at one distance, and the bounds leave one frame.
    for (unsigned seed = 1; seed <= 20; ++seed) {
        Program program{seed};
        for (int frame = 0; frame < 500; ++frame) {
            const std::int64_t time = first + 16 * ms * frame + program.any(50.0 * us);
            program.command(time, time + 2 * ms, Duration{1 * ms});
            const std::int64_t other = first + 16 * ms * frame + program.any(50.0 * us);
            program.job(other, other + 2 * ms, -1);
        }
        CHECK(program.score().named == 0);
    }
}

TEST_CASE("commands_when_jobs_of_another_api_are_executed_between_theirs_then_only_their_own_are")
{
    for (unsigned seed = 1; seed <= 10; ++seed) {
        Program program{seed};
        std::int64_t time = first;
        for (int count = 0; count < 2'000; ++count) {
            const std::int64_t length = 5 * us + program.any(50.0 * us);
            if (program.is_chosen(0.5)) {
                program.pair(time, length, off);
            } else {
                program.job(time, time + length, -1, 7);
            }
            time += length + program.any(10.0 * us);
        }
        const Score score = program.score();
        CHECK(score.wrong_share() <= 0.01);
        CHECK(score.named_share() >= 0.45); // of all, half of which have a command
    }
}

TEST_CASE("commands_of_which_many_made_no_job_when_aligned_then_the_others_jobs_are_named")
{
    Program program;
    std::int64_t time = first;
    for (int count = 0; count < 2'000; ++count) {
        const std::int64_t length = 5 * us + program.any(50.0 * us);
        if (program.is_chosen(0.5)) {
            program.pair(time, length, off);
        } else {
            program.command(time, time + length, off); // on the host, say
        }
        time += length + program.any(10.0 * us);
    }
    const Score score = program.score();
    CHECK(score.wrong_share() <= 0.01);
    CHECK(score.named_share() >= 0.95);
}

TEST_CASE("commands_when_events_were_lost_on_both_sides_then_hardly_any_name_is_wrong")
{
    for (unsigned seed = 1; seed <= 10; ++seed) {
        Program program{seed};
        std::int64_t time = first;
        for (int count = 0; count < 3'000; ++count) {
            const std::int64_t length = 5 * us + program.any(50.0 * us);
            const bool has_command = count % 300 < 250;
            const bool has_job = count % 410 < 350;
            if (has_command) {
                program.command(time, time + length, off);
            }
            if (has_job) {
                program.job(time, time + length + program.any(2.0 * us),
                            has_command ? program.last() : -1);
            }
            time += length + program.any(30.0 * us);
        }
        const Score score = program.score();
        CHECK(score.wrong_share() <= 0.01);
        CHECK(score.named_share() >= 0.75); // of all, of which 83 in 100 have a command
    }
}

TEST_CASE(
    "commands_of_several_queues_that_are_executed_together_when_aligned_then_each_has_its_own")
{
    Program program;
    std::vector<std::int64_t> times(3, first);
    for (int count = 0; count < 6'000; ++count) {
        const auto queue = static_cast<std::size_t>(count % 3);
        const std::int64_t length = 5 * us + program.any(50.0 * us);
        program.pair(times[queue], length, off, 1 + queue);
        times[queue] += length + program.any(40.0 * us);
    }
    const Score score = program.score();
    CHECK(score.wrong_share() <= 0.01);
    CHECK(score.named_share() >= 0.95);
}

TEST_CASE("commands_of_two_devices_when_aligned_then_each_clock_has_its_own_offset")
{
    Program program;
    ClockAccount clocks[2];
    const Duration offsets[2]{Duration{-4 * ms}, Duration{6 * ms}};
    std::int64_t time[2]{first, first};
    for (int count = 0; count < 4'000; ++count) {
        const int device = count % 2;
        const std::int64_t length = 5 * us + program.any(50.0 * us);
        program.pair(time[device], length, offsets[device], 1 + static_cast<std::uint64_t>(device),
                     &clocks[device]);
        time[device] += length + program.any(60.0 * us);
    }
    const Score score = program.score();
    CHECK(score.wrong_share() <= 0.01);
    CHECK(score.named_share() >= 0.95);
    CHECK(clocks[0].aligned >= 1'900);
    CHECK(clocks[1].aligned >= 1'900);
}

TEST_CASE("commands_when_their_clock_is_set_within_its_error_then_hardly_any_name_is_wrong")
{
    Program program;
    std::int64_t time = first;
    for (int count = 0; count < 4'000; ++count) {
        const std::int64_t length = 5 * us + program.any(50.0 * us);
        program.pair(time, length, count < 2'000 ? off : off + Duration{3 * ms});
        time += length + program.any(60.0 * us);
    }
    const Score score = program.score();
    CHECK(score.wrong_share() <= 0.01);
    CHECK(score.named_share() >= 0.9);
}

TEST_CASE("commands_that_fit_jobs_beyond_their_clocks_bounds_when_compared_then_none_is_named")
{
    Program program;
    std::int64_t time = first;
    for (int count = 0; count < 1'000; ++count) {
        const std::int64_t length = 5 * us + program.any(300.0 * us);
        program.pair(time, length, Duration{12 * ms});
        time += length + program.any(2.0 * ms);
    }
    CHECK(program.score().named == 0);
}

TEST_CASE("commands_when_there_are_few_then_they_are_not_aligned")
{
    Program program;
    ClockAccount clock;
    std::int64_t time = first;
    for (int count = 0; count < 20; ++count) {
        const std::int64_t length = 5 * us + program.any(50.0 * us);
        program.pair(time, length, off, 1, &clock);
        time += length + program.any(60.0 * us);
    }
    CHECK(program.score().named == 0);
    CHECK(clock.aligned == 0);
}
