// SPDX-License-Identifier: MIT
//
// What a second reading knows from the first: the same events are given twice.
#include "coverage/recorded_span.hpp"
#include "read_twice.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;
using namespace lttng_gpu::model;

namespace {

constexpr std::uint64_t pointer = 0xffff888000000000;

Fields job(std::uint64_t number, std::uint64_t fence, std::uint64_t on_hardware = 1)
{
    return {{"fence", u(pointer + fence)},
            {"entity", u(pointer + 0x100)},
            {"id", u(number)},
            {"name", "gfx"},
            {"job_count", 0},
            {"hw_job_count", u(on_hardware)}};
}

/// Ten microseconds after the last: one whole job, alone on the device.
void add_whole(JobFeeder& feed, std::uint64_t number, std::uint64_t on_hardware = 1)
{
    const auto time = static_cast<std::int64_t>(number) * 10'000;
    feed.at(time).in(5, 6, "app")("drm_sched_job", job(number, number * 64));
    feed.at(time + 1000).in(0, 9, "worker")("drm_run_job", job(number, number * 64, on_hardware));
    feed.at(time + 3000)
        .in_nobody()("drm_sched_process_job", {{"fence", u(pointer + number * 64)}});
}

Fields hardware_fence(std::uint64_t context, std::uint64_t seqno)
{
    return {
        {"driver", "amdgpu"}, {"timeline", "gfx"}, {"context", u(context)}, {"seqno", u(seqno)}};
}

} // namespace

TEST_CASE("knowledge_when_all_jobs_are_numbered_then_an_announced_gap_hides_none")
{
    JobFeeder second;
    read_twice(second, [](JobFeeder& feed) {
        for (std::uint64_t number = 1; number <= 100; ++number) {
            if (number == 50) {
                feed.at(501'500).lose(500'500, 501'500); // events of something else
            }
            add_whole(feed, number);
        }
    });
    REQUIRE(second.so_far().size() == 100);
    for (const Job& shown : second.so_far()) {
        CHECK(shown.completed);
        CHECK(shown.started == shown.submitted);
    }
}

TEST_CASE("knowledge_when_a_number_is_missing_then_only_the_drivers_count_tells_starts_near_it")
{
    JobFeeder second;
    read_twice(second, [](JobFeeder& feed) {
        for (std::uint64_t number = 1; number <= 100; ++number) {
            if (number != 50 && number != 70) {
                add_whole(feed, number, number == 51 ? 2 : 1);
            }
        }
    });
    REQUIRE(second.so_far().size() == 98);
    CHECK(second.so_far()[20].started);
    CHECK_FALSE(second.so_far()[49].started); // number 51: 50 was still there
    CHECK(second.so_far()[69].started);       // number 71: the driver counted no other
    CHECK(second.count(Anomaly::JobMissing) == 2);
}

TEST_CASE("knowledge_when_one_device_has_a_ring_then_events_without_a_device_are_of_it")
{
    JobFeeder second;
    read_twice(second, [](JobFeeder& feed) {
        feed.at(1).in(5, 6, "app")(
            "drm_sched_job_queue",
            {{"dev", "0000:03:00.0"}, {"name", "gfx"}, {"fence_context", 7}, {"fence_seqno", 1}});
        feed.at(5).in(5, 6, "app")("amdgpu_cs_ioctl",
                                   {{"ring", "gfx"}, {"context", 9}, {"seqno", 1}});
    });
    REQUIRE(second.so_far().size() == 2);
    CHECK(second.device(second.so_far()[1]) == "0000:03:00.0");
}

TEST_CASE("knowledge_when_no_device_is_named_then_what_is_missing_may_be_of_each_ring_of_that_name")
{
    StringPool strings;
    RingTable rings{strings};
    const RingId bare = rings.intern(TraceId{}, "", "gfx");
    CaptureFindings findings;
    for (const char* name : {"gfx", "comp"}) {
        findings.rings.push_back({rings.intern(TraceId{}, "0000:03:00.0", name), {}, false});
    }
    const TimeSpan when{Timestamp{100}, Timestamp{200}};
    findings.add({TraceId{}, Missing::Submit, 1, when, bare, UnseenRun{when, when.end}, false});
    const CaptureKnowledge knowledge{findings, rings};
    CHECK(knowledge.of({TraceId{}, "0000:03:00.0", "gfx"}).unseen.size() == 1);
    CHECK(knowledge.of({TraceId{}, "0000:03:00.0", "gfx"}).missing.size() == 1);
    CHECK(knowledge.of({TraceId{}, "0000:03:00.0", "comp"}).unseen.empty());
}

TEST_CASE("knowledge_when_hardware_contexts_follow_each_other_then_the_driver_was_loaded_again")
{
    for (const bool are_side_by_side : {false, true}) {
        JobFeeder second;
        read_twice(second, [&](JobFeeder& feed) {
            for (std::uint64_t number = 1; number <= 20; ++number) {
                const bool is_second = are_side_by_side ? number % 2 == 0 : number > 10;
                const auto time = static_cast<std::int64_t>(number) * 10'000;
                feed.at(time).in(5, 6, "app")("drm_sched_job", job(number, number * 64));
                feed.at(time + 1000).in(0, 9, "worker")("drm_run_job", job(number, number * 64));
                feed.at(time + 1100)
                    .in(0, 9, "worker")("dma_fence_init",
                                        hardware_fence(is_second ? 40 : 30, number));
                feed.at(time + 3000)
                    .in_nobody()("drm_sched_process_job", {{"fence", u(pointer + number * 64)}});
            }
        });
        REQUIRE(second.so_far().size() == 20);
        CHECK((second.so_far()[2].ring == second.so_far()[13].ring) == !are_side_by_side);
    }
}

TEST_CASE("gaps_when_they_explain_all_that_is_missing_then_it_ended_in_them")
{
    const TimeSpan wide{Timestamp{100}, Timestamp{900'000}};
    const trace::CpuCoverage late{TraceId{},          Cpu{1},        700,  Timestamp{300'000},
                                  Timestamp{999'000}, Duration{500}, false};
    const RecordedSpan recorded{
        {Timestamp{300'000}, Timestamp{999'000}},
        {{CpuGap::Kind::BeginsLate, TraceId{}, Cpu{1}, {Timestamp{0}, Timestamp{300'000}}, false}}};
    MissingEvents job{TraceId{}, Missing::WholeJob, 1, wide, {}, UnseenRun{wide, wide.end}, false};
    CaptureFindings findings;
    findings.add(job);
    confine_to_gaps(findings, recorded, {late});
    CHECK(findings.missing()[0].run->ended_by == Timestamp{300'000});
    CHECK(findings.missing()[0].when.end == Timestamp{300'000});
    job.when = {Timestamp{500'000}, Timestamp{600'000}}; // no gap explains this one
    findings.add(job);
    CaptureFindings unexplained;
    unexplained.add(findings.missing()[1]);
    MissingEvents first = job;
    first.when = wide;
    unexplained.add(first);
    confine_to_gaps(unexplained, recorded, {late});
    CHECK(unexplained.missing()[1].run->ended_by == wide.end);
}

namespace {

Fields scheduler_fence(std::uint64_t context, std::uint64_t seqno)
{
    return {
        {"driver", "drm_sched"}, {"timeline", "gfx"}, {"context", u(context)}, {"seqno", u(seqno)}};
}

void init_pair(JobFeeder& feed, std::int64_t time, std::uint64_t scheduled, std::uint64_t seqno)
{
    feed.at(time).in(5, 6, "app")("gpu_fence_init", scheduler_fence(scheduled, seqno));
    feed("gpu_fence_init", scheduler_fence(scheduled + 1, seqno));
}

void signal(JobFeeder& feed, std::int64_t time, std::uint64_t context, std::uint64_t seqno)
{
    feed.at(time).in_nobody()("gpu_fence_signaled", scheduler_fence(context, seqno));
}

} // namespace

TEST_CASE("knowledge_when_a_scheduled_fence_is_of_no_known_job_then_its_ring_was_busy")
{
    JobFeeder feed;
    read_twice(feed, [](JobFeeder& reading) {
        init_pair(reading, 10, 8, 1);
        signal(reading, 20, 20, 1); // of a job whose init events and end are missing
        signal(reading, 30, 8, 1);
        signal(reading, 50, 9, 1);
        init_pair(reading, 60, 8, 2);
        signal(reading, 70, 8, 2);
        signal(reading, 80, 9, 2);
        init_pair(reading, 90, 20, 2); // shows which context that was
        signal(reading, 100, 20, 2);
        signal(reading, 110, 21, 2);
    });
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 3);
    CHECK(ns(jobs[0].started) == unknown);
    CHECK(ns(jobs[1].started) == 70); // the ring is in order: the unseen job had ended before
    CHECK(ns(jobs[2].started) == 100);
}

TEST_CASE("knowledge_when_the_unseen_job_ended_in_time_then_later_starts_are_known")
{
    JobFeeder feed;
    read_twice(feed, [](JobFeeder& reading) {
        signal(reading, 5, 20, 1);
        init_pair(reading, 10, 8, 1);
        signal(reading, 20, 21, 1);
        signal(reading, 30, 8, 1);
        signal(reading, 50, 9, 1);
    });
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].started) == 30);
}

TEST_CASE("scheduler_fences_when_an_init_has_no_pair_then_one_is_missing")
{
    JobFeeder feed;
    init_pair(feed, 10, 8, 1);
    feed.at(20)("gpu_fence_init", scheduler_fence(8, 2)); // that of 9:2 is missing
    init_pair(feed, 30, 8, 3);
    feed.jobs();
    CHECK(feed.anomalies() != 0);
    CHECK(feed.count(Anomaly::QueueEventMissing) == 1);
}
