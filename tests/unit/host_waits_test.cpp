// SPDX-License-Identifier: MIT
#include "jobs/host_waits.hpp"

#include <doctest/doctest.h>

namespace lttng_gpu {
namespace {

model::Job job_with(std::optional<std::int64_t> queued, std::int64_t submitted)
{
    model::Job job;
    if (queued) {
        job.queued = Timestamp{*queued};
    }
    job.submitted = Timestamp{submitted};
    return job;
}

model::HostWaits waits_of_100(int count)
{
    model::HostWaits waits;
    for (int number = 0; number < count; ++number) {
        waits.add(job_with(number * 1000, number * 1000 + 100));
    }
    return waits;
}

} // namespace

TEST_CASE("host_waits_when_a_job_without_queue_event_runs_late_then_it_is_unlikely")
{
    model::HostWaits waits = waits_of_100(16);
    waits.add(job_with({}, 50));
    waits.add(job_with({}, 400));
    CHECK(waits.unlikely() == 0);
    waits.add(job_with({}, 1100));
    waits.add(job_with({}, 90000));
    CHECK(waits.unlikely() == 2);
}

TEST_CASE("host_waits_when_few_waits_are_known_then_nothing_is_said")
{
    model::HostWaits waits = waits_of_100(15);
    waits.add(job_with({}, 90000));
    CHECK(waits.unlikely() == 0);
}

TEST_CASE("host_waits_when_jobs_wait_long_then_another_may_have_waited_as_long")
{
    model::HostWaits waits = waits_of_100(16);
    waits.add(job_with(0, 40000));
    waits.add(job_with({}, 90000));
    CHECK(waits.unlikely() == 0);
}

TEST_CASE("host_waits_when_a_job_is_submitted_again_then_it_does_not_count")
{
    model::HostWaits waits = waits_of_100(16);
    model::Job again = job_with({}, 90000);
    again.interval = 1;
    waits.add(again);
    CHECK(waits.unlikely() == 0);
}

} // namespace lttng_gpu
