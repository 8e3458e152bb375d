// SPDX-License-Identifier: MIT
//
// amdgpu's and xe's own events beside those of drm_sched; jobs known by fences
// only; two devices without names; and the real samples other tools test with.
#include "job_feeder.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;
using model::JobStatus;

namespace {

Fields amdgpu(std::uint64_t context, std::uint64_t seqno, Fields more = {{"ring_name", "gfx"}})
{
    Fields fields{{"context", u(context)}, {"seqno", u(seqno)}};
    fields.merge(more);
    return fields;
}

Fields pointer_job(std::uint64_t fence, std::uint64_t id, std::uint64_t on_hardware,
                   const char* ring = "ring0")
{
    return {{"fence", u(fence)}, {"id", u(id)}, {"hw_job_count", u(on_hardware)}, {"name", ring}};
}

Fields keyed_job(std::uint64_t context, std::uint64_t seqno)
{
    return {{"name", "gfx"}, {"fence_context", u(context)}, {"fence_seqno", u(seqno)}};
}

} // namespace

TEST_CASE("amdgpu_when_drm_sched_tells_too_then_is_one_job_with_the_first_times")
{
    JobFeeder feed;
    Fields keyed = keyed_job(401, 1);
    keyed["dev"] = "0000:04:00.0";
    feed.at(10).in(5, 6, "app")("amdgpu_cs_ioctl", amdgpu(401, 1, {{"ring", "gfx"}}));
    feed.at(11)("drm_sched_job_queue", keyed);
    feed.at(20).in(2, 2, "worker")("drm_sched_job_run", keyed);
    feed.at(21)("amdgpu_sched_run_job", amdgpu(401, 1, {{"ring", "gfx"}, {"dev", "0000:04:00.0"}}));
    feed.at(22)("amdgpu_ib_pipe_sync", {{"ring", "gfx"}, {"ctx", 400}, {"seqno", 9}});
    feed.at(30)("gpu_fence_signaled", fence("drm_sched", "gfx", 400, 9));
    feed.at(40)("drm_sched_job_done", keyed);
    feed.at(41)("gpu_fence_signaled", fence("drm_sched", "gfx", 401, 1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].queued) == 10);
    CHECK(ns(jobs[0].submitted) == 20);
    CHECK(ns(jobs[0].completed) == 40);
    CHECK(feed.device(jobs[0]) == "0000:04:00.0");
    CHECK(jobs[0].actor.pid == Pid{5});
    REQUIRE(feed.dependencies().size() == 1);
    CHECK(feed.dependencies()[0].since == Timestamp{22});
    CHECK(ns(feed.dependencies()[0].until) == 30);
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("amdgpu_when_kernel_cuts_numbers_then_full_fence_ends_it")
{
    JobFeeder feed;
    constexpr std::uint64_t high = 0x3'0000'0000;
    feed.at(10)("amdgpu_cs_ioctl", amdgpu(401, 1)).at(20)("amdgpu_sched_run_job", amdgpu(401, 1));
    feed.at(30)("gpu_fence_signaled", fence("drm_sched", "gfx", high + 401, 1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].completed) == 30);
}

TEST_CASE("amdgpu_when_push_was_lost_and_job_just_ran_then_next_push_is_another_job")
{
    JobFeeder feed;
    feed.at(1000).in(5, 6, "app")("amdgpu_cs_ioctl", amdgpu(249, 1));
    feed.lose(1100, 5000);
    feed.at(6000, 1).in(2, 2, "gfx")("amdgpu_sched_run_job", amdgpu(249, 1));
    feed.at(6100).in(5, 6, "app")("drm_sched_job", pointer_job(0x2000, 8, 0, "comp"));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[1].queued) == 6100);
    CHECK(!jobs[1].fence.context);
}

TEST_CASE("amdgpu_when_sample_of_kernel_4_9_then_pointer_tells_the_ring_and_fence_ends_it")
{
    JobFeeder feed; // lines quoted in gpuvis
    const Fields job = amdgpu(249, 91446, {{"ring_name", u(0xffff94d7a00d4694)}});
    feed.at(475'168'800'000).in(2837, 2837, "SkinningApp")("amdgpu_cs_ioctl", job);
    feed.at(475'168'900'000).in(477, 477, "gfx")("amdgpu_sched_run_job", job);
    feed.at(475'169'000'000)("fence_signaled", fence("amd_sched", "gfx", 249, 91446));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(status_of(jobs[0]) == JobStatus::Complete);
    CHECK(feed.ring(jobs[0]) == "0xffff94d7a00d4694");
    CHECK(feed.comm(jobs[0]) == "SkinningApp");
}

TEST_CASE("xe_when_drm_sched_tells_too_then_is_one_job_and_its_fault_is_known")
{
    JobFeeder feed;
    const Fields xe{{"dev", "0000:03:00.0"}, {"ctx", 70}, {"seqno", 5}, {"gt_id", 0}};
    for (const std::uint64_t seqno : {1U, 2U}) {
        Fields job = keyed_job(9, seqno);
        job["dev"] = "0000:03:00.0";
        Fields own = xe;
        own["seqno"] = u(4 + seqno);
        const auto base = static_cast<std::int64_t>(seqno) * 100;
        feed.at(base + 10).in(5, 6, "app")("xe_sched_job_exec", own);
        feed.at(base + 11)("drm_sched_job_queue", job);
        feed.at(base + 20).in(2, 2, "worker")("drm_sched_job_run", job);
        feed.at(base + 21)("xe_sched_job_run", own);
    }
    feed.at(230)("xe_sched_job_timedout", xe).at(231)("xe_sched_job_set_error", xe);
    feed.at(240)("xe_hw_fence_signal", xe).at(241)("drm_sched_job_done", keyed_job(9, 1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[0].queued) == 111);
    CHECK(ns(jobs[0].submitted) == 120);
    CHECK(ns(jobs[0].completed) == 241);
    CHECK(jobs[0].fault == model::Fault::TimedOut);
    CHECK(jobs[1].fault == model::Fault::None);
    CHECK(feed.count(Anomaly::JobTimedOut) == 1);
    CHECK(feed.anomalies() == 1);
}

TEST_CASE("xe_when_alone_then_its_events_make_jobs_without_inferred_starts")
{
    JobFeeder feed;
    const Fields xe{{"dev", "0000:03:00.0"}, {"ctx", 70}, {"seqno", 5}, {"gt_id", 1}};
    feed.at(10)("xe_sched_job_exec", xe).at(20)("xe_sched_job_run", xe);
    feed.at(30)("xe_hw_fence_signal", xe);
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(status_of(jobs[0]) == JobStatus::Complete);
    CHECK(ns(jobs[0].started) == unknown);
    CHECK(feed.ring(jobs[0]) == "gt1");
}

TEST_CASE("scheduler_fences_when_nothing_else_then_make_the_job")
{
    JobFeeder feed;
    feed.at(10).in(5, 6, "app")("dma_fence_init", fence("drm_sched", "gfx", 8, 1));
    feed("dma_fence_init", fence("drm_sched", "gfx", 9, 1));
    feed.at(20).in_nobody()("dma_fence_init", fence("amdgpu", "gfx", 3, 77));
    feed.at(21)("dma_fence_signaled", fence("drm_sched", "gfx", 8, 1));
    feed.at(30)("dma_fence_signaled", fence("amdgpu", "gfx", 3, 77));
    feed.at(31)("dma_fence_signaled", fence("drm_sched", "gfx", 9, 1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].queued) == 10);
    CHECK(ns(jobs[0].submitted) == 21);
    CHECK(ns(jobs[0].started) == 21);
    CHECK(ns(jobs[0].completed) == 31);
    CHECK(jobs[0].fence.context == FenceContext{9});
    CHECK(jobs[0].actor.pid == Pid{5});
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("scheduler_fences_when_pointer_events_too_then_name_their_job")
{
    JobFeeder feed;
    for (const std::uint64_t seqno : {1U, 2U}) {
        const auto base = static_cast<std::int64_t>(seqno) * 100;
        feed.at(base + 1).in(5, 6, "app")("dma_fence_init", fence("drm_sched", "ring0", 8, seqno));
        feed("dma_fence_init", fence("drm_sched", "ring0", 9, seqno));
        feed.at(base + 3)("drm_sched_job", pointer_job(0x1000 + seqno, seqno, 0));
        feed.at(base + 9).in(2, 2, "w")("drm_run_job", pointer_job(0x1000 + seqno, seqno, 1));
        feed.at(base + 10)("dma_fence_signaled", fence("drm_sched", "ring0", 8, seqno));
        feed.at(base + 20)("dma_fence_signaled", fence("drm_sched", "ring0", 9, seqno));
    }
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[0].queued) == 103);
    CHECK(ns(jobs[0].submitted) == 109);
    CHECK(ns(jobs[0].completed) == 120);
    CHECK(jobs[1].fence.context == FenceContext{9});
    CHECK(ns(jobs[1].completed) == 220);
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("fences_when_drm_sched_of_5_6_has_no_run_event_then_scheduled_fence_submits")
{
    JobFeeder feed;
    feed.at(10).in(5, 6, "app")("drm_sched_job", keyed_job(9, 1));
    feed.at(21)("gpu_fence_signaled", fence("drm_sched", "gfx", 8, 1));
    feed.at(30)("drm_sched_process_job", keyed_job(9, 1));
    CHECK(ns(feed.jobs().at(0).submitted) == 21);
}

TEST_CASE("i915_fences_when_nothing_else_then_make_a_job_of_the_process_in_the_timeline")
{
    JobFeeder feed;
    feed.at(10)("dma_fence_init", fence("0000:00:02.0", "glxgears[1234]", 30, 1));
    feed.at(30)("dma_fence_signaled", fence("0000:00:02.0", "signaled", 30, 1));
    feed.at(40)("dma_fence_init", fence("0000:03:00.0", "bcs0", 60, 1)); // xe's
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].queued) == 10);
    CHECK(ns(jobs[0].submitted) == unknown);
    CHECK(ns(jobs[0].completed) == 30);
    CHECK(jobs[0].actor.pid == Pid{1234});
    CHECK(feed.comm(jobs[0]) == "glxgears");
}

TEST_CASE("virtio_fences_when_nothing_else_then_make_the_job")
{
    JobFeeder feed;
    feed.at(10).in(5, 6, "app")("dma_fence_init", fence("virtio_gpu", "controlq", 7, 0));
    feed.at(12)("dma_fence_emit", fence("virtio_gpu", "controlq", 7, 41));
    feed.at(30)("dma_fence_signaled", fence("virtio_gpu", "controlq", 7, 41));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].queued) == 10);
    CHECK(ns(jobs[0].submitted) == 12);
    CHECK(ns(jobs[0].completed) == 30);
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("fences_of_drivers_without_scheduler_then_are_submitted_jobs_and_others_none")
{
    JobFeeder feed;
    feed.at(10).in(5, 6, "app")("dma_fence_init", fence("radeon", "radeon.gfx", 4, 1));
    feed.at(11)("dma_fence_init", fence("msm", "gpu-ring-0", 1, 16665));
    feed.at(20)("dma_fence_signaled", fence("radeon", "radeon.gfx", 4, 1));
    feed.at(21)("dma_fence_signaled", fence("msm", "gpu-ring-0", 1, 16665));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].submitted) == 10);
    CHECK(ns(jobs[0].completed) == 20);
    CHECK(feed.driver(jobs[0]) == "radeon");
}

TEST_CASE("devices_when_events_name_none_then_hardware_fences_tell_them_apart")
{
    JobFeeder feed;
    const auto run = [&](std::int64_t time, std::uint64_t context, std::uint64_t hardware) {
        feed.at(time).in(5, 6, "app")("drm_sched_job", keyed_job(context, 1));
        feed.at(time + 1).in(2, 2, "worker")("drm_run_job", keyed_job(context, 1));
        feed.at(time + 2)("gpu_fence_init", fence("amdgpu", "gfx", hardware, 1));
    };
    run(10, 100, 3);
    run(20, 200, 4);
    run(30, 101, 3);
    feed.at(40)("drm_sched_process_job", keyed_job(200, 1));
    feed.at(50)("drm_sched_process_job", keyed_job(100, 1));
    feed.at(60)("drm_sched_process_job", keyed_job(101, 1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 3);
    CHECK(feed.device(jobs[0]) == "?1");
    CHECK(feed.device(jobs[1]) == "?2");
    CHECK(feed.device(jobs[2]) == "?1");
    CHECK(ns(jobs[0].started) == 11);
    CHECK(ns(jobs[1].started) == 21);
    CHECK(ns(jobs[2].started) == 50);
    CHECK(feed.violations(jobs[0]) == 0);
}

TEST_CASE("devices_when_only_fences_and_the_end_of_a_job_were_seen_then_it_may_be_of_any")
{
    JobFeeder feed;
    const auto job = [](std::uint64_t context) {
        Fields fields = keyed_job(context, 1);
        fields["dev"] = "0000:04:00.0";
        return fields;
    };
    feed.at(1).in(5, 6, "app")("gpu_fence_init", fence("drm_sched", "gfx", 100, 1));
    feed.at(2)("gpu_fence_init", fence("drm_sched", "gfx", 101, 1)).lose(3, 5);
    feed.at(10)("drm_sched_job_queue", job(201)).at(12)("drm_sched_job_run", job(201));
    feed.at(20)("drm_sched_job_done", {{"fence_context", 101}, {"fence_seqno", 1}});
    feed.at(30)("drm_sched_job_done", {{"fence_context", 201}, {"fence_seqno", 1}});
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[0].submitted) == 12);
    CHECK(ns(jobs[0].started) == unknown);
}

static void queue_on_gfx(JobFeeder& feed, std::int64_t time, std::uint64_t context)
{
    feed.at(time).in(5, 6, "app")("amdgpu_cs_ioctl", amdgpu(context, 1, {{"ring", "gfx"}}));
}

static void run_on_gfx(JobFeeder& feed, std::int64_t time, std::uint64_t context)
{
    feed.at(time).in(2, 2, "worker")("amdgpu_sched_run_job", amdgpu(context, 1, {{"ring", "gfx"}}));
}

TEST_CASE("devices_when_the_hardware_fence_is_lost_then_the_job_may_be_on_either")
{
    JobFeeder feed;
    const auto queue = [&](std::int64_t time, std::uint64_t context) {
        queue_on_gfx(feed, time, context);
    };
    const auto run = [&](std::int64_t time, std::uint64_t context) {
        run_on_gfx(feed, time, context);
    };
    const auto emit = [&](std::int64_t time, std::uint64_t hardware) {
        feed.at(time)("gpu_fence_init", fence("amdgpu", "gfx", hardware, 1));
    };
    queue(1, 100);
    queue(2, 101);
    queue(3, 102);
    queue(4, 103);
    run(10, 100);
    emit(11, 3);
    feed.lose(20, 22);
    run(21, 101); // its fence lies in the gap
    run(30, 102);
    emit(31, 4);
    feed.lose(32, 34);
    run(33, 103); // so does this one's
    feed.at(40)("gpu_fence_signaled", fence("drm_sched", "gfx", 101, 1));
    feed.at(50)("gpu_fence_signaled", fence("drm_sched", "gfx", 102, 1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 4);
    CHECK(feed.device(jobs[1]) == "");
    CHECK(feed.device(jobs[2]) == "?2");
    CHECK(feed.device(jobs[3]) == "");
    CHECK(ns(jobs[2].started) == unknown);
}

/// A second device is not known yet when a job ends whose own fence would have told of it: the
/// next job of the first device need not have waited for that end.
TEST_CASE("devices_when_the_hardware_fence_is_lost_then_no_job_starts_at_its_end")
{
    for (const bool is_lost : {false, true}) {
        CAPTURE(is_lost);
        JobFeeder feed;
        const auto run = [&](std::int64_t time, std::uint64_t context) {
            queue_on_gfx(feed, time, context);
            run_on_gfx(feed, time + 1, context);
        };
        const auto emit = [&](std::int64_t time, std::uint64_t seqno) {
            feed.at(time)("gpu_fence_init", fence("amdgpu", "gfx", 3, seqno));
        };
        const auto end = [&](std::int64_t time, std::uint64_t context) {
            feed.at(time)("gpu_fence_signaled", fence("drm_sched", "gfx", context, 1));
        };
        run(10, 100);
        emit(12, 1);
        end(15, 100);
        run(20, 101);
        if (is_lost) {
            feed.lose(22, 24);
        } else {
            emit(22, 2);
        }
        run(30, 102);
        emit(32, 3);
        end(40, 101);
        end(50, 102);
        const auto& jobs = feed.jobs();
        REQUIRE(jobs.size() == 3);
        CHECK(ns(jobs[0].started) == 11);
        CHECK(ns(jobs[2].started) == (is_lost ? unknown : 40));
    }
}

TEST_CASE("ring_when_scheduler_counts_fewer_jobs_then_hides_several_and_infers_nothing")
{
    for (const char* release : {"6.1.0-18-amd64", "6.12.9", ""}) {
        JobFeeder feed;
        feed.kernel(release);
        for (std::uint64_t job = 1; job <= 4; ++job) {
            const auto time = static_cast<std::int64_t>(job) * 10;
            feed.at(time)("drm_sched_job", pointer_job(job, job, 0));
            feed.at(time + 1)("drm_run_job", pointer_job(job, job, 1)); // each on its own
        }
        CHECK(feed.jobs().size() == 4);
        const bool is_known = std::string_view{release}.starts_with("6.1.");
        CHECK(feed.count(Anomaly::RingNameShared) == (is_known ? 1 : 0));
    }
}

/// The end of the first job is shown too early by its CPU's clock, so that the third finds as many
/// known jobs as its scheduler counts: its own first one and itself.
TEST_CASE("ring_when_counts_agree_by_chance_then_nothing_is_inferred_either")
{
    JobFeeder feed;
    feed.kernel("6.1.0-18-amd64");
    const auto run = [&](std::int64_t time, std::uint64_t job, std::uint64_t counted) {
        feed.at(time)("drm_sched_job", pointer_job(job, job, 0));
        feed.at(time + 1)("drm_run_job", pointer_job(job, job, counted));
    };
    const auto end = [&](std::int64_t time, std::uint64_t job) {
        feed.at(time)("drm_sched_process_job", {{"fence", job}});
    };
    run(10, 1, 1);
    run(20, 2, 1); // of the other scheduler
    end(29, 1);
    run(30, 3, 2);
    end(40, 2);
    end(50, 3);
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 3);
    CHECK(ns(jobs[2].submitted) == 31);
    CHECK(ns(jobs[2].started) == unknown);
}

TEST_CASE("pointer_when_it_comes_back_with_another_number_then_is_another_job")
{
    JobFeeder feed;
    feed.at(10).in(2, 2, "worker")("drm_run_job", pointer_job(0x1000, 7, 1));
    feed.at(20).in(5, 6, "app")("drm_sched_job", pointer_job(0x1000, 9, 0));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[0].submitted) == 10);
    CHECK(ns(jobs[0].queued) == unknown);
    CHECK(ns(jobs[1].queued) == 20);
    CHECK(feed.count(Anomaly::FencePointerReused) == 1);
}

TEST_CASE("cut_fences_when_wide_contexts_are_met_then_end_nothing")
{
    constexpr std::uint64_t wide = 0x100000009;
    JobFeeder feed;
    feed.at(10)("drm_sched_job_queue", keyed_job(wide, 1));
    feed.at(11)("drm_sched_job_run", keyed_job(wide, 1));
    feed.at(12)("dma_fence_signaled", fence("drm_sched", "gfx", 9, 1)); // of context 9, perhaps
    feed.at(30)("drm_sched_job_done", keyed_job(wide, 1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].completed) == 30);
    CHECK(feed.count(Anomaly::AmbiguousFence) == 1);
}

TEST_CASE("killed_job_when_its_scheduled_fence_is_signaled_then_was_not_submitted")
{
    JobFeeder feed;
    feed.at(10)("drm_sched_job_queue", keyed_job(9, 1));
    feed.at(20)("gpu_fence_signaled", fence("drm_sched", "gfx", 8, 1));
    feed.at(21)("gpu_fence_signaled", fence("drm_sched", "gfx", 9, 1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].submitted) == unknown);
    CHECK(ns(jobs[0].completed) == 21);
}

TEST_CASE("xe_when_probe_tells_finished_fence_then_stands_in_for_lost_events")
{
    JobFeeder feed;
    const Fields xe{{"dev", "0000:03:00.0"}, {"ctx", 70},       {"seqno", 5}, {"gt_id", 1},
                    {"fence_context", 9},    {"fence_seqno", 1}};
    feed.at(10)("xe_sched_job_exec", xe);
    feed.at(20)("drm_sched_job_run", keyed_job(9, 1));
    feed.at(21)("xe_sched_job_run", xe);
    feed.at(30)("drm_sched_job_done", keyed_job(9, 1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].queued) == 10);
    CHECK(ns(jobs[0].submitted) == 20);
    CHECK(feed.ring(jobs[0]) == "gfx");
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("perfetto_sample_when_drm_sched_then_slices_are_the_same")
{
    JobFeeder feed;
    feed.at(9246165326050, 0)("drm_sched_job", pointer_job(0xffffff8066e7b180, 13481, 0));
    feed.at(9246165349383, 7)("drm_run_job", pointer_job(0xffffff8066e7b180, 13481, 1));
    feed.at(9246166957616, 4)("drm_sched_job", pointer_job(0xffffff8055086000, 13482, 1));
    feed.at(9246166978033, 7)("drm_run_job", pointer_job(0xffffff8055086000, 13482, 2));
    feed.at(9246167272512, 4)("drm_sched_job", pointer_job(0xffffff8055085dc0, 13483, 2));
    feed.at(9246167288190, 7)("drm_run_job", pointer_job(0xffffff8055085dc0, 13483, 3));
    feed.at(9246170078456)("drm_sched_process_job", {{"fence", u(0xffffff8066e7b180)}});
    feed.at(9246174020027)("drm_sched_process_job", {{"fence", u(0xffffff8055086000)}});
    feed.at(9246174045183)("drm_sched_process_job", {{"fence", u(0xffffff8055085dc0)}});
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 3);
    CHECK(ns(jobs[0].started) == 9246165349383);
    CHECK(jobs[0].completed->value() - jobs[0].started->value() == 4729073);
    CHECK(ns(jobs[1].started) == 9246170078456);
    CHECK(jobs[1].completed->value() - jobs[1].started->value() == 3941571);
    CHECK(ns(jobs[2].started) == 9246174020027);
    CHECK(jobs[2].completed->value() - jobs[2].started->value() == 25156);
}

TEST_CASE("jobs_when_the_second_ends_first_then_each_keeps_its_end_unlike_perfetto")
{
    JobFeeder feed; // Perfetto ends whatever ran first
    feed.at(1)("drm_sched_job", pointer_job(1, 1, 0)).at(2)("drm_run_job", pointer_job(1, 1, 1));
    feed.at(3)("drm_sched_job", pointer_job(2, 2, 0)).at(4)("drm_run_job", pointer_job(2, 2, 2));
    feed.at(9)("drm_sched_process_job", {{"fence", 2}});
    feed.at(20)("drm_sched_process_job", {{"fence", 1}});
    const auto& jobs = feed.jobs();
    CHECK(ns(jobs[0].completed) == 20);
    CHECK(ns(jobs[1].completed) == 9);
}

TEST_CASE("pointers_when_equal_in_their_low_halves_then_are_not_confused_unlike_gpuvis")
{
    JobFeeder feed;
    const std::uint64_t first = 0xffff888100001000;
    const std::uint64_t second = 0xffff888200001000;
    feed.at(1)("drm_sched_job", pointer_job(first, 1, 0));
    feed.at(2)("drm_sched_job", pointer_job(second, 2, 0));
    feed.at(3)("drm_sched_process_job", {{"fence", u(second)}});
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[0].completed) == unknown);
    CHECK(ns(jobs[1].completed) == 3);
}
