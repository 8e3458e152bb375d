// SPDX-License-Identifier: MIT
//
// HSA packets as jobs, from the events that the layer records.
#include "opencl_program.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

constexpr Labelled ring_doorbell{42, "hsa_signal_store_screlease"};
constexpr Labelled wait_for_signal{48, "hsa_signal_wait_scacquire"};
constexpr Labelled create_queue{7, "hsa_queue_create"};
constexpr Labelled destroy_queue{9, "hsa_queue_destroy"};
constexpr Labelled dispatch{2, "kernel_dispatch"};
constexpr Labelled barrier{3, "barrier_and"};
constexpr Labelled expected{0, "expected"};
constexpr Labelled no_signal{1, "no_signal"};

/// One process with one queue on one device whose clock runs as the trace's does.
class Packets {
public:
    explicit Packets(JobFeeder& feeder) : m_feed{feeder}
    {
        feeder.clock_offset(0).in(100, 101, "app");
        feeder.at(10)("lttng_gpu_hsa:device",
                      {{"device", 7}, {"name", "GPU"}, {"timer_resolution", 1}});
        queue(20, 70);
        clock(100);
    }
    Packets& queue(std::int64_t time, std::uint64_t handle)
    {
        m_feed.at(time)("lttng_gpu_hsa:queue", {{"queue", handle}, {"device", 7}});
        return *this;
    }
    Packets& clock(std::int64_t time)
    {
        m_feed.at(time)("lttng_gpu_hsa:device_clock",
                        {{"device", 7},
                         {"device_time", device_zero + static_cast<std::uint64_t>(time)},
                         {"before_ns", time},
                         {"after_ns", time}});
        return *this;
    }
    /// The doorbell rings at `seen`; 0: nobody saw when the place was reserved.
    Packets& packet(std::int64_t reserved, std::int64_t begin, std::int64_t seen,
                    std::uint64_t command, const char* kernel = "sum",
                    const Labelled& type = dispatch, const Labelled& times = expected,
                    const Numbers& waits_for = {})
    {
        m_feed.at(seen)("lttng_gpu_hsa:packet", {{"command", command},
                                                 {"queue", 70},
                                                 {"begin_ns", begin},
                                                 {"reserved_ns", reserved},
                                                 {"function", ring_doorbell},
                                                 {"type", type},
                                                 {"times", times},
                                                 {"waits_for", waits_for},
                                                 {"name", kernel}});
        return *this;
    }
    Packets& times(std::int64_t seen, std::uint64_t command, std::int64_t start, std::int64_t end)
    {
        const auto on_device = [](std::int64_t time) {
            return Numbers{device_zero + static_cast<std::uint64_t>(time)};
        };
        m_feed.at(seen)("lttng_gpu_hsa:command_times", {{"command", Numbers{command}},
                                                        {"queue", 70},
                                                        {"status", std::int64_t{0}},
                                                        {"validity", times_valid},
                                                        {"queued", on_device(start)},
                                                        {"submit", on_device(start)},
                                                        {"start", on_device(start)},
                                                        {"end", on_device(end)},
                                                        {"observed_ns", seen}});
        return *this;
    }

private:
    JobFeeder& m_feed;
};

} // namespace

TEST_CASE("hsa_packet_when_its_signal_told_times_then_is_a_job_of_host_and_device_times")
{
    JobFeeder feed;
    Packets{feed}.packet(1'000, 1'400, 1'500, 1).clock(5'000'000).times(6'000'000, 1, 3'000, 4'000);
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    const model::Job& job = jobs[0];
    CHECK(job.queued->value() == 1'000); // as the host had it
    CHECK(job.submitted->value() == 1'500);
    CHECK(is_near(job.started, 3'000));
    CHECK(is_near(job.completed, 4'000));
    CHECK(job.observed->value() == 6'000'000);
    CHECK(job.started_basis == model::Basis::Observed);
    REQUIRE(job.clock_error);
    CHECK(job.clock_error->value() <= 3);
    CHECK(feed.device(job) == "GPU");
    CHECK(feed.ring(job) == "queue 1 of pid 100");
    CHECK(feed.driver(job) == "hsa");
    CHECK(feed.api_call(job) == "hsa_signal_store_screlease(sum)");
    CHECK(job.fence.seqno->value() == 1);
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("hsa_packet_when_the_device_began_before_the_doorbell_then_stages_stay_in_order")
{
    JobFeeder feed;
    Packets{feed}.packet(0, 2'900, 3'500, 1).clock(5'000'000).times(6'000'000, 1, 3'200, 4'000);
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(jobs[0].queued->value() == 2'900); // when the call began: its reservation was not seen
    CHECK(is_near(jobs[0].submitted, 3'200));
    CHECK(*jobs[0].submitted == *jobs[0].started);
    CHECK(is_near(jobs[0].completed, 4'000));
}

TEST_CASE("hsa_packet_when_it_has_no_signal_then_only_its_host_times_are_known")
{
    JobFeeder feed;
    Packets{feed}.packet(1'000, 1'400, 1'500, 1, "", dispatch, no_signal);
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(jobs[0].queued->value() == 1'000);
    CHECK(jobs[0].submitted->value() == 1'500);
    CHECK(!jobs[0].started);
    CHECK(!jobs[0].completed);
    CHECK(jobs[0].started_basis == model::Basis::Unknown);
    CHECK(feed.api_call(jobs[0]) == "hsa_signal_store_screlease(kernel_dispatch)");
    CHECK(feed.count(Anomaly::CommandUntimed) == 1);
}

TEST_CASE("hsa_packets_when_their_queue_ended_then_the_rest_is_untimed")
{
    JobFeeder feed;
    Packets{feed}.packet(1'000, 1'400, 1'500, 1).packet(2'000, 2'400, 2'500, 2);
    feed.at(9'000)("lttng_gpu_hsa:commands_untimed", {{"queue", 70}, {"count", 1}});
    feed.at(9'100)("lttng_gpu_hsa:commands_untimed", {{"queue", 70}, {"count", 1}});
    CHECK(feed.jobs().size() == 2);
    CHECK(feed.count(Anomaly::CommandUntimed) == 2);
}

TEST_CASE("hsa_barrier_when_its_signals_are_known_then_waits_for_their_packets")
{
    JobFeeder feed;
    Packets{feed}
        .packet(1'000, 1'400, 1'500, 1)
        .packet(1'600, 1'700, 1'800, 2, "", barrier, expected, Numbers{1})
        .clock(5'000'000)
        .times(6'000'000, 1, 3'000, 4'000)
        .times(6'000'100, 2, 3'100, 4'100);
    CHECK(feed.jobs().size() == 2);
    REQUIRE(feed.dependencies().size() == 1);
    const model::Dependency& dependency = feed.dependencies()[0];
    CHECK(dependency.waits_for.seqno->value() == 1);
    CHECK(dependency.job.seqno->value() == 2);
    CHECK(feed.api_call(feed.jobs()[1]) == "hsa_signal_store_screlease(barrier_and)");
}

TEST_CASE("hsa_doorbell_when_packets_were_gone_then_they_are_counted")
{
    JobFeeder feed;
    Packets{feed};
    feed.at(2'000)(
        "lttng_gpu_hsa:doorbell",
        {{"function", ring_doorbell}, {"begin_ns", 1'900}, {"queue", 70}, {"missed", 3}});
    CHECK(feed.jobs().empty());
    CHECK(feed.count(Anomaly::CommandUntimed) == 3);
}

TEST_CASE("hsa_queue_when_destroyed_and_its_handle_comes_back_then_is_another_ring")
{
    JobFeeder feed;
    Packets packets{feed};
    packets.packet(1'000, 1'400, 1'500, 1).clock(5'000'000).times(6'000'000, 1, 3'000, 4'000);
    feed.at(6'100'000)("lttng_gpu_hsa:queue_destroy",
                       {{"function", destroy_queue}, {"begin_ns", 6'050'000}, {"queue", 70}});
    feed.at(6'300'000)(
        "lttng_gpu_hsa:queue_create",
        {{"function", create_queue}, {"begin_ns", 6'200'000}, {"queue", 70}, {"device", 7}});
    packets.packet(6'400'000, 6'400'100, 6'400'200, 2)
        .clock(8'000'000)
        .times(8'100'000, 2, 6'500'000, 6'600'000);
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(feed.ring(jobs[0]) == "queue 1 of pid 100");
    CHECK(feed.ring(jobs[1]) == "queue 2 of pid 100");
}

TEST_CASE("hsa_wait_when_its_packet_is_told_then_knows_the_queue")
{
    JobFeeder feed;
    Packets packets{feed};
    packets.packet(1'000, 1'400, 1'500, 1).clock(5'000'000);
    feed.at(5'100'000)("lttng_gpu_hsa:call_begin", {{"function", wait_for_signal}});
    feed.at(6'000'000)("lttng_gpu_hsa:call",
                       {{"function", wait_for_signal}, {"begin_ns", 5'100'000}});
    packets.times(6'000'100, 1, 3'000, 5'900'000);
    REQUIRE(feed.jobs().size() == 1);
    REQUIRE(feed.waits().size() == 1);
    CHECK(feed.waits()[0].begin.value() == 5'100'000);
    CHECK(feed.waits()[0].ring == feed.jobs()[0].ring);
}
