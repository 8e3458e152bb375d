// SPDX-License-Identifier: MIT
//
// What the report costs per job: jobs made in memory, four rings that execute
// one job after the other, eight processes on each, go to the report builder.
// Only the builder is timed. Prints ns per job, the time to finish and the peak
// memory, which must not grow with the number of jobs (first argument, in
// thousands). The second argument is the number of jobs in flight per ring.
#include "report/report_builder.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <sys/resource.h>
#include <vector>

using namespace lttng_gpu;

namespace {

constexpr std::uint32_t ring_count = 4;
constexpr std::uint32_t process_count = 8;
constexpr std::size_t chunk = 1U << 12U;

/// The lives of jobs on one ring, in order of queueing.
class RingLives {
public:
    RingLives(std::uint32_t ring, std::size_t in_flight) : m_ring{ring}, m_completed(in_flight) {}

    const model::Job& head() const { return m_head; }

    void advance(std::mt19937_64& random)
    {
        std::exponential_distribution<double> gap{1.0 / 4000};
        std::exponential_distribution<double> execution{1.0 / 9000};
        const auto pick = [&](auto& distribution) {
            return static_cast<std::int64_t>(distribution(random));
        };
        std::int64_t& oldest = m_completed[m_index++ % m_completed.size()];
        model::Job& job = m_head;
        job.ring = RingId{m_ring};
        const auto process = static_cast<std::int64_t>(random() % process_count);
        job.actor = {Pid{1000 + process}, Tid{2000 + process}, StringId{1}};
        job.fence = {FenceContext{m_ring}, FenceSeqno{m_index}};
        m_queued = std::max(m_queued + 1 + pick(gap), oldest);
        m_submitted = std::max(m_submitted + 1, m_queued + 500 + pick(gap));
        const std::int64_t started = std::max(m_submitted, m_last);
        oldest = m_last = started + 1000 + pick(execution);
        job.queued = Timestamp{m_queued};
        job.submitted = Timestamp{m_submitted};
        job.started = Timestamp{started};
        job.completed = Timestamp{m_last};
        job.started_basis = model::Basis::Inferred;
        job.completed_basis = model::Basis::Observed;
    }

private:
    model::Job m_head;
    std::uint32_t m_ring;
    std::vector<std::int64_t> m_completed; // of the latest jobs
    std::uint64_t m_index = 0;
    std::int64_t m_queued = 0;
    std::int64_t m_submitted = 0;
    std::int64_t m_last = 0;
};

void fill(std::vector<model::Job>& jobs, std::vector<RingLives>& lives, std::mt19937_64& random)
{
    jobs.clear();
    while (jobs.size() < chunk) {
        const auto next =
            std::min_element(lives.begin(), lives.end(), [](const auto& left, const auto& right) {
                return first_time(left.head()) < first_time(right.head());
            });
        jobs.push_back(next->head());
        next->advance(random);
    }
}

/// Of this thread only, so that others on the machine disturb less.
double cpu_seconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

} // namespace

int main(int argc, char** argv)
{
    const std::size_t wanted = (argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2000) * 1000;
    const std::size_t in_flight = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 16;
    StringPool strings;
    strings.intern("app");
    model::RingTable rings{strings};
    std::vector<RingLives> lives;
    for (std::uint32_t ring = 0; ring < ring_count; ++ring) {
        rings.intern(TraceId{}, "gpu", "ring" + std::to_string(ring));
        lives.emplace_back(ring, in_flight);
    }
    report::Window window{{}};
    window.start(Timestamp{0});
    report::ReportBuilder builder{rings, window};
    std::mt19937_64 random{1};
    for (RingLives& life : lives) {
        life.advance(random);
    }
    std::vector<model::Job> jobs;
    std::vector<double> times;
    std::int64_t last = 0;
    std::size_t done = 0;
    for (; done < wanted; done += jobs.size()) {
        fill(jobs, lives, random);
        const double begin = cpu_seconds();
        for (const model::Job& job : jobs) {
            builder.on_job(job);
        }
        times.push_back((cpu_seconds() - begin) / static_cast<double>(jobs.size()) * 1e9);
        for (const model::Job& job : jobs) {
            last = std::max(last, job.completed->value());
        }
    }
    window.finish(Timestamp{last});
    const double begin = cpu_seconds();
    const report::Report report = builder.finish({});
    const double finishing = (cpu_seconds() - begin);
    std::sort(times.begin(), times.end());
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("%zu jobs: %.1f ns per job (median of chunks; fastest %.1f), finish %.1f ms, "
                "peak %.1f MiB, device queue mean %.2f\n",
                done, times[times.size() / 2], times.front(), finishing * 1e3,
                static_cast<double>(usage.ru_maxrss) / 1024,
                report.queues.at(0).phases.device_queue.depth_mean);
    return report.jobs.complete == done ? 0 : 1;
}
