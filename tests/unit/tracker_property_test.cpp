// SPDX-License-Identifier: MIT
//
// Random jobs on simulated hardware that works strictly in order: the tracker
// must find each job's true times, and rows must come in order. With random
// events removed and announced as lost, a start that is given must be true.
#include "job_story.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <map>
#include <random>

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

struct Truth {
    std::uint64_t context = 0;
    std::uint64_t seqno = 0;
    std::int64_t queued = 0;
    std::int64_t submitted = 0;
    std::int64_t started = 0;
    std::int64_t completed = 0;
};

enum class What { Queue, Submit, Complete };

struct Happening {
    std::int64_t time;
    What what;
    std::size_t job;
};

/// One ring, several contexts; submission in order of time, hardware FIFO.
std::vector<Truth> simulate(std::mt19937_64& random, std::size_t count)
{
    const auto pick = [&](std::int64_t to) {
        return std::uniform_int_distribution<std::int64_t>{1, to}(random);
    };
    std::vector<Truth> jobs(count);
    std::int64_t submitted = 0;
    std::int64_t hardware_free = 0;
    std::map<std::uint64_t, std::uint64_t> seqnos; // of each context one after the other
    for (std::size_t index = 0; index < count; ++index) {
        Truth& job = jobs[index];
        job.context = static_cast<std::uint64_t>(pick(4));
        job.seqno = ++seqnos[job.context];
        submitted += pick(40);
        job.submitted = submitted;
        job.queued = submitted - pick(60);
        job.started = std::max(submitted, hardware_free);
        job.completed = hardware_free = job.started + pick(35);
    }
    return jobs;
}

std::vector<Happening> happenings_of(const std::vector<Truth>& jobs)
{
    std::vector<Happening> happenings;
    for (std::size_t index = 0; index < jobs.size(); ++index) {
        happenings.push_back({jobs[index].queued, What::Queue, index});
        happenings.push_back({jobs[index].submitted, What::Submit, index});
        happenings.push_back({jobs[index].completed, What::Complete, index});
    }
    std::stable_sort(happenings.begin(), happenings.end(),
                     [](const Happening& left, const Happening& right) {
                         return std::tuple{left.time, left.job, left.what} <
                                std::tuple{right.time, right.job, right.what};
                     });
    return happenings;
}

void tell(JobStory& story, const Happening& happening, const Truth& job)
{
    switch (happening.what) {
    case What::Queue:
        story.queue(happening.time, job.context, job.seqno);
        break;
    case What::Submit:
        story.submit(happening.time, job.context, job.seqno);
        break;
    case What::Complete:
        story.complete(happening.time, job.context, job.seqno);
        break;
    }
}

class TruthIndex {
public:
    explicit TruthIndex(const std::vector<Truth>& truth)
    {
        for (const Truth& job : truth) {
            m_jobs[{job.context, job.seqno}] = &job;
        }
    }
    const Truth& of(const model::Job& job) const
    {
        return *m_jobs.at({job.fence.context->value(), job.fence.seqno->value()});
    }

private:
    std::map<std::pair<std::uint64_t, std::uint64_t>, const Truth*> m_jobs;
};

} // namespace

TEST_CASE("jobs_when_hardware_is_fifo_then_all_times_are_found")
{
    std::mt19937_64 random{99};
    const auto truth = simulate(random, 20000);
    const TruthIndex index{truth};
    JobStory story;
    for (const Happening& happening : happenings_of(truth)) {
        tell(story, happening, truth[happening.job]);
    }
    const auto& jobs = story.jobs();
    REQUIRE(jobs.size() == truth.size());
    std::int64_t previous = jobs.front().queued->value();
    for (const model::Job& job : jobs) {
        const Truth& true_job = index.of(job);
        REQUIRE(ns(job.queued) == true_job.queued);
        REQUIRE(ns(job.submitted) == true_job.submitted);
        REQUIRE(ns(job.started) == true_job.started);
        REQUIRE(ns(job.completed) == true_job.completed);
        REQUIRE(previous <= job.queued->value());
        previous = job.queued->value();
    }
    CHECK(story.violations() == 0);
}

TEST_CASE("jobs_when_events_are_lost_in_gaps_then_given_starts_are_true")
{
    std::mt19937_64 random{7};
    std::uint64_t given = 0;
    std::uint64_t withheld = 0;
    for (int round = 0; round < 200; ++round) {
        const auto truth = simulate(random, 100);
        const TruthIndex index{truth};
        JobStory story;
        std::int64_t gap_end = 0;
        for (const Happening& happening : happenings_of(truth)) {
            if (happening.time > gap_end && random() % 40 == 0) {
                gap_end = happening.time + static_cast<std::int64_t>(random() % 120);
                story.lose(happening.time, gap_end);
            }
            // inside a gap one of two CPUs still records
            if (happening.time > gap_end || random() % 2 == 0) {
                tell(story, happening, truth[happening.job]);
            }
        }
        for (const model::Job& job : story.jobs()) {
            const Truth& true_job = index.of(job);
            withheld += job.submitted && job.completed && !job.started ? 1U : 0U;
            if (job.started) {
                ++given;
                REQUIRE(ns(job.started) == true_job.started);
            }
        }
        CHECK(story.violations() == 0);
    }
    CHECK(given > 5000); // and the caution does not swallow everything
    CHECK(withheld > 100);
}
