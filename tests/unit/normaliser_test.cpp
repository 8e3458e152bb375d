// SPDX-License-Identifier: MIT
//
// From raw events to jobs: drm_sched, virtio_gpu, and who submitted. The field
// names are those of the kernel's events and of our probes.
#include "job_feeder.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;
using model::JobStatus;

namespace {

Fields job_fields(std::uint64_t seqno = 77)
{
    return {{"name", "gfx_0.0.0"},
            {"dev", "0000:04:00.0"},
            {"fence_context", u(0x5'0000'0001)},
            {"fence_seqno", u(seqno)}};
}

Fields other_context(std::uint64_t seqno)
{
    Fields fields = job_fields(seqno);
    fields["fence_context"] = u(0x5'0000'0003);
    return fields;
}

Fields command_fields(std::uint64_t fence_id)
{
    return {{"dev", std::int64_t{0}},
            {"name", "control"},
            {"flags", 1},
            {"fence_id", u(fence_id)},
            {"seqno", u(100)}};
}

Fields fence_fields(std::uint64_t context, std::uint64_t seqno)
{
    return {{"driver", "virtio_gpu"},
            {"timeline", "controlq"},
            {"context", u(context)},
            {"seqno", u(seqno)}};
}

} // namespace

TEST_CASE("drm_sched_when_new_generation_then_gives_queue_submit_complete")
{
    JobFeeder feed;
    feed.at(10).in(5, 6, "glxgears")("drm_sched_job_queue", job_fields());
    Fields run = job_fields();
    run["driver"] = "amdgpu";
    feed.at(20)("drm_sched_job_run", run);
    feed.at(30)("drm_sched_job_done", job_fields());
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(jobs[0].fence.context == FenceContext{0x5'0000'0001});
    CHECK(jobs[0].fence.seqno == FenceSeqno{77});
    CHECK(ns(jobs[0].queued) == 10);
    CHECK(ns(jobs[0].submitted) == 20);
    CHECK(ns(jobs[0].started) == 20);
    CHECK(ns(jobs[0].completed) == 30);
    CHECK(feed.device(jobs[0]) == "0000:04:00.0");
    CHECK(feed.ring(jobs[0]) == "gfx_0.0.0");
    CHECK(feed.driver(jobs[0]) == "amdgpu");
    CHECK(jobs[0].actor.pid == Pid{5});
    CHECK(jobs[0].actor.tid == Tid{6});
    CHECK(feed.comm(jobs[0]) == "glxgears");
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("drm_sched_when_old_generation_without_context_then_joins_by_pointer")
{
    JobFeeder feed;
    const Fields fields{{"fence", u(0xffff888000001000)}, {"name", "gfx"}, {"id", u(4)}};
    feed.at(1)("drm_sched_job", fields).at(2)("drm_run_job", fields);
    feed.at(3)("drm_sched_process_job", fields);
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(status_of(jobs[0]) == JobStatus::Complete);
    CHECK_FALSE(jobs[0].fence.context);
    CHECK(feed.device(jobs[0]).empty());
}

TEST_CASE("drm_sched_when_pointer_comes_back_at_the_same_time_then_is_another_job")
{
    JobFeeder feed;
    const Fields fields{{"fence", u(0xffff888000001000)}, {"name", "gfx"}, {"id", u(4)}};
    feed.at(1)("drm_sched_job", fields).at(2)("drm_run_job", fields);
    feed.at(3)("drm_sched_process_job", fields)("drm_sched_job", fields);
    feed.at(4)("drm_run_job", fields).at(6)("drm_sched_process_job", fields);
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[1].queued) == 3);
    CHECK(ns(jobs[1].completed) == 6);
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("drm_sched_when_ring_name_is_a_pointer_then_its_number_is_the_name")
{
    JobFeeder feed;
    Fields fields = job_fields();
    fields["name"] = u(0xffff94d7a00d4694);
    feed.at(1)("drm_sched_job", fields);
    CHECK(feed.ring(feed.jobs()[0]) == "0xffff94d7a00d4694");
}

TEST_CASE("drm_sched_when_identity_is_missing_then_is_counted_and_gives_nothing")
{
    JobFeeder feed;
    feed("drm_sched_job_queue", {{"name", "gfx"}});
    CHECK(feed.count(Anomaly::EventWithoutIdentity) == 1);
    CHECK(feed.jobs().empty());
}

TEST_CASE("job_when_events_of_all_stages_have_the_same_time_then_their_order_does_not_matter")
{
    JobFeeder feed;
    feed.at(10)("drm_sched_job_done", job_fields())("drm_sched_job_run", job_fields());
    feed.in(5, 6, "app")("drm_sched_job_queue", job_fields());
    feed.at(12)("drm_sched_job_queue", job_fields(78));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(status_of(jobs[0]) == JobStatus::Complete);
    CHECK(jobs[0].actor.pid == Pid{5});
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("jobs_when_submitted_and_completed_at_the_same_times_then_ring_stays_fifo")
{
    JobFeeder feed;
    const Fields first = job_fields(1);
    const Fields second = other_context(1); // fences of one context keep their order
    const Fields third = job_fields(2);
    const Fields fourth = other_context(2);
    feed.at(1)("drm_sched_job_queue", first)("drm_sched_job_queue", second);
    feed.at(2)("drm_sched_job_run", first)("drm_sched_job_run", second);
    feed.at(5)("drm_sched_job_done", second).at(7)("drm_sched_job_done", first);
    feed.at(8)("drm_sched_job_queue", third)("drm_sched_job_queue", fourth);
    feed.at(9)("drm_sched_job_run", third).at(10)("drm_sched_job_run", fourth);
    feed.at(12)("drm_sched_job_done", fourth)("drm_sched_job_done", third);
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 4);
    CHECK(ns(jobs[1].started) == 2);
    CHECK(ns(jobs[0].started) == 5);
    CHECK(ns(jobs[2].started) == 9);
    CHECK(feed.violations(jobs[0]) == 0);
}

TEST_CASE("virtio_when_no_fence_events_then_queued_is_submitted_and_context_unknown")
{
    JobFeeder feed;
    feed.at(10).in(5, 6, "glxgears")("virtio_gpu_cmd_queue", command_fields(41));
    feed.at(20)("virtio_gpu_cmd_response", command_fields(41));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].queued) == 10);
    CHECK(ns(jobs[0].submitted) == 10);
    CHECK(ns(jobs[0].completed) == 20);
    CHECK_FALSE(jobs[0].fence.context);
    CHECK(jobs[0].fence.seqno == FenceSeqno{41});
    CHECK(feed.device(jobs[0]) == "virtio0");
    CHECK(feed.driver(jobs[0]) == "virtio_gpu");
}

TEST_CASE("virtio_when_command_has_no_fence_then_is_not_a_job")
{
    JobFeeder feed;
    Fields fields = command_fields(0);
    fields["flags"] = 2;
    feed("virtio_gpu_cmd_queue", fields)("virtio_gpu_cmd_response", fields);
    CHECK(feed.jobs().empty());
}

TEST_CASE("virtio_when_kernel_has_no_virtqueue_seqno_then_joins_by_fence_id")
{
    JobFeeder feed;
    Fields fields = command_fields(41);
    fields.erase("seqno");
    feed.at(1)("virtio_gpu_cmd_queue", fields).at(2)("virtio_gpu_cmd_response", fields);
    REQUIRE(feed.jobs().size() == 1);
    CHECK(ns(feed.jobs()[0].completed) == 2);
}

TEST_CASE("virtio_when_fence_was_created_by_same_thread_then_queued_is_its_init")
{
    JobFeeder feed;
    feed.at(10, 0).in(5, 6, "a")("gpu_fence_init", fence_fields(9, 0));
    feed.at(11, 0).in(5, 7, "b")("gpu_fence_init", fence_fields(8, 0)); // another thread
    feed.at(20, 1).in(5, 6, "a")("gpu_fence_emit", fence_fields(9, 41));
    feed.at(21, 1)("virtio_gpu_cmd_queue", command_fields(41));
    feed.at(25)("virtio_gpu_cmd_response", command_fields(41));
    feed.at(26)("gpu_fence_signaled", fence_fields(9, 41));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].queued) == 10);
    CHECK(ns(jobs[0].submitted) == 21);
    CHECK(ns(jobs[0].completed) == 25);
    CHECK(jobs[0].fence.context == FenceContext{9});
    CHECK(feed.device(jobs[0]) == "virtio0");
    CHECK(feed.count(Anomaly::SubmissionAbandoned) == 1); // of thread 7
}

TEST_CASE("virtio_when_a_submission_is_abandoned_then_rows_do_not_wait_for_it_for_ever")
{
    JobFeeder feed;
    feed.at(10).in(5, 7, "b")("gpu_fence_init", fence_fields(8, 0));
    feed.at(11).in(5, 6, "a")("virtio_gpu_cmd_queue", command_fields(41));
    feed.at(12)("virtio_gpu_cmd_response", command_fields(41));
    feed.at(13)("virtio_gpu_cmd_queue", command_fields(42));
    CHECK(feed.so_far().empty());
    feed.at(2'000'000'000)("virtio_gpu_cmd_queue", command_fields(43));
    CHECK(feed.so_far().size() == 1);
}

TEST_CASE("virtio_when_thread_is_unknown_then_cpu_gives_context_but_not_init")
{
    JobFeeder feed;
    feed.at(10, 2)("gpu_fence_init", fence_fields(9, 0));
    feed.at(20, 2)("gpu_fence_emit", fence_fields(9, 41));
    feed.at(21, 2)("virtio_gpu_cmd_queue", command_fields(41));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK_FALSE(jobs[0].queued); // when its fence was made; whose fence was made at 10 nobody says
    CHECK(jobs[0].fence.context == FenceContext{9});
}

TEST_CASE("virtio_when_emitted_fence_is_another_then_command_does_not_take_it")
{
    JobFeeder feed;
    feed.in(5, 6, "a").at(10)("gpu_fence_init", fence_fields(9, 0));
    feed.at(11)("gpu_fence_emit", fence_fields(9, 40));
    feed.at(12)("virtio_gpu_cmd_queue", command_fields(41));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK_FALSE(jobs[0].fence.context);
    CHECK(ns(jobs[0].queued) == unknown); // its own fence was made unseen
    CHECK(ns(jobs[0].submitted) == 12);
    CHECK(feed.count(Anomaly::FenceWithoutJobEvents) == 1);
}

TEST_CASE("actor_when_no_contexts_then_comes_from_scheduler_events_of_the_cpu")
{
    JobFeeder feed;
    feed("lttng_statedump_process_state",
         {{"tid", std::int64_t{6}}, {"pid", std::int64_t{5}}, {"name", "main"}});
    feed.at(1, 3)("sched_switch", {{"next_tid", std::int64_t{6}}, {"next_comm", "render"}});
    feed.at(1, 4)("sched_switch", {{"next_tid", std::int64_t{9}}, {"next_comm", "other"}});
    feed.at(2, 3)("drm_sched_job_queue", job_fields());
    const model::Job job = feed.jobs().at(0);
    CHECK(job.actor.tid == Tid{6});
    CHECK(job.actor.pid == Pid{5});
    CHECK(feed.comm(job) == "render");
}

TEST_CASE("actor_when_contexts_and_scheduler_differ_then_contexts_win")
{
    JobFeeder feed;
    feed.at(1, 3)("sched_switch", {{"next_tid", std::int64_t{6}}, {"next_comm", "render"}});
    feed.at(2, 3).in(50, 60, "real")("drm_sched_job_queue", job_fields());
    const model::Job job = feed.jobs().at(0);
    CHECK(job.actor.pid == Pid{50});
    CHECK(job.actor.tid == Tid{60});
    CHECK(feed.comm(job) == "real");
}

TEST_CASE("actor_when_only_pid_context_is_recorded_then_it_beats_the_thread_table")
{
    JobFeeder feed;
    feed("lttng_statedump_process_state",
         {{"tid", std::int64_t{6}}, {"pid", std::int64_t{5}}, {"name", "main"}});
    feed.at(1, 3)("sched_switch", {{"next_tid", std::int64_t{6}}, {"next_comm", "render"}});
    feed.at(2, 3).with({trace::FieldValue{std::int64_t{50}}, {}, {}, {}, {}, {}});
    feed("drm_sched_job_queue", job_fields());
    const model::Job job = feed.jobs().at(0);
    CHECK(job.actor.pid == Pid{50});
    CHECK(job.actor.tid == Tid{6});
    CHECK(feed.comm(job) == "render");
}

TEST_CASE("actor_when_events_were_lost_then_thread_is_unknown_until_a_switch_after_the_gap")
{
    JobFeeder feed;
    const Fields switched{{"next_tid", std::int64_t{6}}, {"next_comm", "render"}};
    feed.at(1, 3)("sched_switch", switched).at(1, 4)("sched_switch", switched);
    feed.lose(2, 9, 3);
    feed.at(4, 3)("drm_sched_job_queue", job_fields(1));
    feed.at(4, 4)("drm_sched_job_queue", job_fields(2)); // another CPU lost nothing
    feed.at(5, 3)("sched_switch", switched);
    feed.at(6, 3)("drm_sched_job_queue", job_fields(3));
    feed.at(10, 3)("sched_switch", switched);
    feed.at(11, 3)("drm_sched_job_queue", job_fields(4));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 4);
    CHECK_FALSE(jobs[0].actor.tid);
    CHECK(jobs[1].actor.tid == Tid{6});
    CHECK_FALSE(jobs[2].actor.tid);
    CHECK(jobs[3].actor.tid == Tid{6});
}

TEST_CASE("process_when_forked_then_child_belongs_to_it")
{
    JobFeeder feed;
    feed(
        "sched_process_fork",
        {{"child_tid", std::int64_t{8}}, {"child_pid", std::int64_t{5}}, {"child_comm", "worker"}});
    feed.at(1, 0)("sched_switch", {{"next_tid", std::int64_t{8}}, {"next_comm", "worker"}});
    feed.at(2, 0)("drm_sched_job_queue", job_fields());
    CHECK(feed.jobs().at(0).actor.pid == Pid{5});
}

TEST_CASE("wanted_events_when_they_tell_of_threads_only_then_are_marked")
{
    int marked = 0;
    for (const auto& event : run::Pipeline::wanted()) {
        // Also with contexts, sched_switch and sched_waking tell when helper threads sleep.
        const bool is_of_threads =
            event.name == "sched_process_fork" || event.name == "lttng_statedump_process_state";
        CHECK(event.only_without_contexts == is_of_threads);
        marked += event.only_without_contexts ? 1 : 0;
    }
    CHECK(marked == 2);
}
