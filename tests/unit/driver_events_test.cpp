// SPDX-License-Identifier: MIT
//
// Drivers that tell of jobs by events of their own, and events of GPUs that tell of no job.
#include "job_feeder.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

Fields list(std::uint64_t seqno, bool is_render, std::uint64_t begin)
{
    return {{"dev", 1},
            {"seqno", u(seqno)},
            {"is_render", is_render ? 1 : 0},
            {"ctnqba", u(begin)},
            {"ctnqea", u(begin + 56)}};
}

Fields list_ioctl(std::uint64_t begin)
{
    return {{"dev", 1}, {"ct1qba", u(begin)}, {"ct1qea", u(begin + 56)}};
}

Fields numbered(std::uint64_t seqno)
{
    return {{"dev", 1}, {"seqno", u(seqno)}};
}

Fields request(std::uint64_t seqno)
{
    return {{"dev", 0}, {"ring", 1}, {"seqno", u(seqno)}};
}

Fields command(std::uint64_t seqno, bool has_fence)
{
    return {{"dev", 0},
            {"name", "control"},
            {"flags", has_fence ? 1 : 0},
            {"fence_id", u(has_fence ? seqno : 0)},
            {"seqno", u(seqno)}};
}

Fields xdna(const char* what, std::uint64_t seqno)
{
    return {{"str", what}, {"fence_context", u(41)}, {"fence_seqno", u(seqno)}};
}

Fields message(std::uint64_t number)
{
    return {{"name", "xdna_mailbox"}, {"chann_id", 135}, {"msg_id", u(number)}, {"opcode", 0x18}};
}

} // namespace

TEST_CASE("v3d_when_alone_then_submit_is_the_start_and_the_irq_the_end")
{
    JobFeeder feed;
    feed.at(10).in(5, 6, "app")("v3d_submit_cl_ioctl", list_ioctl(0x1000));
    feed.at(20).in(2, 2, "v3d_bin")("v3d_submit_cl", list(1, false, 0x600));
    feed.at(30)("v3d_bcl_irq", numbered(1));
    feed.at(40).in(3, 3, "v3d_render")("v3d_submit_cl", list(1, true, 0x1000));
    feed.at(50)("v3d_rcl_irq", numbered(1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    for (const auto& job : jobs) {
        const bool is_bin = feed.ring(job) == "v3d_bin";
        CHECK(ns(job.queued) == 10);
        CHECK(ns(job.submitted) == (is_bin ? 20 : 40));
        CHECK(ns(job.started) == (is_bin ? 20 : 40));
        CHECK(job.started_basis == model::Basis::Observed);
        CHECK(ns(job.completed) == (is_bin ? 30 : 50));
        CHECK(feed.comm(job) == "app");
    }
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("v3d_when_earlier_ioctls_may_be_unseen_then_queued_stays_unknown")
{
    JobFeeder feed;
    feed.at(10).in(5, 6, "app")("v3d_submit_csd_ioctl", numbered(0));
    feed.at(20).in(2, 2, "v3d_csd")("v3d_submit_csd", numbered(7)); // perhaps of one before
    feed.at(30)("v3d_csd_irq", numbered(7));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].queued) == unknown);
    CHECK(ns(jobs[0].started) == 20);
    CHECK(ns(jobs[0].completed) == 30);
}

TEST_CASE("v3d_when_jobs_are_asked_for_otherwise_too_then_queued_stays_unknown")
{
    JobFeeder feed;
    feed.at(5).in(5, 6, "app")("v3d_submit_cpu_ioctl", {{"dev", 1}});
    feed.at(10)("v3d_submit_csd_ioctl", numbered(0));
    feed.at(20).in(2, 2, "v3d_csd")("v3d_submit_csd", numbered(1));
    feed.at(30)("v3d_csd_irq", numbered(1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].queued) == unknown);
    CHECK(ns(jobs[0].submitted) == 20);
    CHECK(feed.others().not_understood.empty());
}

TEST_CASE("v3d_when_drm_sched_tells_too_then_is_one_job")
{
    JobFeeder feed;
    const Fields keyed{
        {"name", "v3d_csd"}, {"dev", "fec0.v3d"}, {"fence_context", u(9)}, {"fence_seqno", u(1)}};
    feed.at(9).in(5, 6, "app")("drm_sched_job_queue", keyed);
    feed.at(10)("v3d_submit_csd_ioctl", numbered(0));
    feed.at(20).in(2, 2, "v3d_csd")("drm_sched_job_run", keyed);
    feed.at(21)("v3d_submit_csd", numbered(1));
    feed.at(30)("v3d_csd_irq", numbered(1));
    feed.at(31)("drm_sched_job_done", keyed);
    CHECK(feed.jobs().size() == 1);
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("msm_when_retired_then_start_is_by_the_gpus_counter_and_the_end_is_no_tick")
{
    JobFeeder feed;
    const Fields job{{"id", u(7)}, {"ringid", 0}, {"seqno", u(3)}};
    Fields flush = job;
    flush["ticks"] = u(1000);
    Fields retired = job;
    retired["start_ticks"] = u(1000 + 192); // 10 us
    feed.at(1000).in(5, 6, "app")("msm_gpu_submit", {{"id", u(7)}, {"ringid", 0}});
    feed.at(2000)("msm_gpu_submit_flush", flush);
    feed.at(90000).in(2, 2, "worker")("msm_gpu_submit_retired", retired);
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].queued) == 1000);
    CHECK(ns(jobs[0].submitted) == 2000);
    CHECK(ns(jobs[0].started) == 12000);
    CHECK(jobs[0].started_basis == model::Basis::Observed);
    CHECK(ns(jobs[0].completed) == 90000);
    CHECK(jobs[0].fence.seqno == FenceSeqno{3});
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("msm_when_rings_may_be_preempted_then_the_gpus_counter_tells_no_start")
{
    JobFeeder feed;
    feed.at(100).in(5, 6, "app")("msm_gpu_submit", {{"id", u(6)}, {"ringid", 1}});
    feed.at(1000)("msm_gpu_submit", {{"id", u(7)}, {"ringid", 0}});
    feed.at(2000)("msm_gpu_submit_flush",
                  {{"id", u(7)}, {"ringid", 0}, {"seqno", u(3)}, {"ticks", u(1000)}});
    feed.at(90000).in(2, 2, "worker")(
        "msm_gpu_submit_retired",
        {{"id", u(7)}, {"ringid", 0}, {"seqno", u(3)}, {"start_ticks", u(1192)}});
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[1].submitted) == 2000);
    CHECK(jobs[1].started_basis != model::Basis::Observed);
    CHECK(ns(jobs[1].completed) == 90000);
}

TEST_CASE("lima_when_drm_sched_names_pointers_then_is_one_job")
{
    JobFeeder feed;
    const Fields task{{"context", u(30)}, {"seqno", u(2)}, {"pipe", "gp"}};
    const Fields pointer{{"name", "gp"}, {"fence", u(0x7000)}, {"id", 1}};
    feed.at(10).in(5, 6, "app")("lima_task_submit", task);
    feed.at(11)("drm_sched_job", pointer);
    feed.at(20).in(2, 2, "gp")("drm_run_job", pointer);
    feed.at(21)("lima_task_run", task);
    feed.at(30)("drm_sched_process_job", {{"fence", u(0x7000)}});
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].submitted) == 20);
    CHECK(ns(jobs[0].completed) == 30);
    CHECK(feed.driver(jobs[0]) == "lima");
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("i915_when_before_4_12_then_jobs_are_by_ring_and_number")
{
    JobFeeder feed;
    feed.at(10).in(5, 5, "app")("i915_gem_ring_dispatch", request(64));
    feed.at(12)("i915_gem_request_add", request(64));
    feed.at(20)("i915_gem_request_add", request(65));
    feed.at(22)("i915_gem_request_add", request(66));
    feed.at(30).in(0, 0, "swapper")("i915_gem_request_complete", request(64));
    feed.at(50)("i915_gem_request_complete", request(66));
    feed.at(60).in(5, 5, "app")("i915_gem_request_retire", request(64));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 3);
    CHECK(ns(jobs[0].queued) == 10);
    CHECK(ns(jobs[0].submitted) == 12);
    CHECK(ns(jobs[0].started) == 12);
    CHECK(ns(jobs[0].completed) == 30);
    CHECK(jobs[0].fence.seqno == FenceSeqno{64});
    CHECK(ns(jobs[1].completed) == unknown); // nobody asked for its interrupt
    CHECK(ns(jobs[1].completed_by) == 50);
    CHECK(ns(jobs[2].completed) == 50);
    CHECK(ns(jobs[2].started) == unknown);
}

TEST_CASE("amdxdna_when_the_device_has_not_answered_then_the_end_is_unknown")
{
    JobFeeder feed;
    feed.at(20).in(2, 2, "worker")("xdna_job", xdna("job run", 1));
    feed.at(21)("mbox_set_tail", message(1));
    feed.at(30).in(3, 3, "rx")("mbox_set_head", message(1));
    feed.at(31)("xdna_job", xdna("signaling fence", 1));
    feed.at(40).in(2, 2, "worker")("mbox_set_tail", message(2));
    feed.at(41)("xdna_job", xdna("sent to device", 2));
    feed.at(90).in(5, 6, "app")("xdna_job", xdna("signaling fence", 2));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[0].completed) == 31);
    CHECK(ns(jobs[1].submitted) == 41);
    CHECK(ns(jobs[1].completed) == unknown);
    CHECK(feed.count(Anomaly::EndUntold) == 1);
}

TEST_CASE(
    "amdxdna_when_the_fence_is_signaled_before_the_answer_is_taken_then_the_device_has_ended_it")
{
    JobFeeder feed; // as mainline's mailbox_get_msg() does
    for (int number = 1; number <= 2; ++number) {
        const int begin = 100 * number;
        feed.at(begin).in(2, 2, "worker")("amdxdna_job", xdna("job run", number));
        feed.at(begin + 1)("amdxdna_mbox_set_tail", message(number));
        feed.at(begin + 2)("amdxdna_job", xdna("sent to device", number));
        feed.at(begin + 30).in(3, 3, "rx")("amdxdna_mbox_rx_worker", message(0));
        feed.at(begin + 31)("amdxdna_job", xdna("signaling fence", number));
        feed.at(begin + 32)("amdxdna_mbox_set_head", message(number));
    }
    feed.at(300).in(2, 2, "worker")("amdxdna_job", xdna("job run", 3));
    feed.at(301)("amdxdna_mbox_set_tail", message(3));
    feed.at(302)("amdxdna_job", xdna("sent to device", 3));
    feed.at(390).in(5, 6, "app")("amdxdna_job", xdna("signaling fence", 3));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 3);
    CHECK(ns(jobs[0].submitted) == 100);
    CHECK(ns(jobs[0].completed) == 131);
    CHECK(ns(jobs[1].completed) == 231);
    CHECK(ns(jobs[2].completed) == unknown);
    CHECK(feed.count(Anomaly::EndUntold) == 1);
    CHECK(feed.count(Anomaly::DuplicateSubmit) == 0);
}

TEST_CASE("amdxdna_when_nothing_tells_who_reads_answers_then_the_end_is_taken")
{
    JobFeeder feed;
    feed.at(20).in(2, 2, "worker")("mbox_set_tail", message(1));
    feed.at(21)("xdna_job", xdna("sent to device", 1));
    feed.at(30).in(3, 3, "rx")("xdna_job", xdna("signaled fence", 1));
    feed.at(31)("mbox_set_head", message(1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].completed) == 30);
    CHECK(feed.count(Anomaly::EndUntold) == 0);
}

TEST_CASE("fence_when_of_a_display_then_is_no_job_and_is_counted")
{
    JobFeeder feed;
    feed.at(10).in(5, 6, "app");
    feed("dma_fence_init", fence("vc4", "CRTC:98:pixelvalve-2", 3, 40));
    feed.at(20)("dma_fence_signaled", fence("vc4", "CRTC:98:pixelvalve-2", 3, 40));
    feed.at(30)("dma_fence_init", fence("i915", "CONNECTOR:5:Writeback-1", 4, 1));
    feed.at(40)("dma_fence_signaled", fence("vc4", "vc4-v3d", 5, 1));
    CHECK(feed.jobs().empty());
    const model::OtherEventAccount& others = feed.others();
    REQUIRE(others.display.size() == 2);
    CHECK(others.display[0].made == 1);
    CHECK(others.display[0].signaled == 1);
    CHECK(others.display[1].driver == "i915");
    CHECK(others.not_understood.empty());
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("fence_when_of_an_unknown_driver_then_is_named_as_not_understood")
{
    JobFeeder feed;
    feed.at(10)("dma_fence_signaled", fence("mali", "0-29738_217-kcpu", 7, 1));
    feed.at(20)("dma_fence_signaled", fence("mali", "0-29738_217-kcpu", 7, 2));
    feed.at(30)("gpu_[!f]*", {{"$name", "gpu_work_period"}});
    feed.at(40)("dma_fence_signaled", fence("v3d", "v3d-render", 8, 1));
    CHECK(feed.jobs().empty());
    const model::OtherEventAccount& others = feed.others();
    REQUIRE(others.not_understood.size() == 3);
    CHECK(others.not_understood[0].driver == "mali");
    CHECK(others.not_understood[0].event == "dma_fence_signaled");
    CHECK(others.not_understood[0].count == 2);
    CHECK(others.not_understood[1].event == "gpu_work_period");
    CHECK(others.not_understood[2].driver == "v3d"); // without drm_sched nothing tells of its jobs
}

TEST_CASE("virtio_gpu_when_a_command_has_no_fence_then_its_place_in_the_queue_is_counted")
{
    JobFeeder feed;
    feed.at(10).in(5, 6, "app")("virtio_gpu_cmd_queue", command(1, true));
    feed.at(20)("virtio_gpu_cmd_queue", command(2, false));
    feed.at(21)("virtio_gpu_cmd_queue", command(3, false));
    feed.at(30)("virtio_gpu_cmd_response", command(1, true));
    feed.at(40)("virtio_gpu_cmd_response", command(2, false));
    CHECK(feed.jobs().size() == 1);
    const model::OtherEventAccount& others = feed.others();
    REQUIRE(others.unfenced.size() == 1);
    CHECK(others.unfenced[0].device == "virtio0");
    CHECK(others.unfenced[0].queue == "control");
    CHECK(others.unfenced[0].queued == 2);
    CHECK(others.unfenced[0].answered == 1);
    CHECK(others.unfenced[0].depth_most == 2);
    CHECK(others.unfenced[0].time_most == 20);
}
