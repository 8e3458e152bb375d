// SPDX-License-Identifier: MIT
//
// The print formats of all kernel generations: one line each, with the wanted fields
// under the names that LTTng gives them. The texts follow TP_printk() of the kernels
// named; those marked "real" were printed by one.
#include "ftrace_files.hpp"

#include <doctest/doctest.h>

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

std::string fields_of(const std::string& event, const std::string& text, const std::string& wanted,
                      std::vector<std::string> fields)
{
    const auto read =
        read_ftrace("# tracer: nop\n   a-1   [000] ....   1.000000: " + event + ": " + text + "\n",
                    {{wanted, std::move(fields)}});
    REQUIRE(!read->error);
    return read->events().empty() ? "no event" : to_text(read->events().front().fields);
}

std::string fields_of(const std::string& event, const std::string& text,
                      std::vector<std::string> fields)
{
    return fields_of(event, text, event, std::move(fields));
}

const std::vector<std::string> job{"fence_context", "fence_seqno", "fence", "name", "dev", "id"};
const std::vector<std::string> request{"dev",   "class",     "instance", "ring",  "ctx",
                                       "seqno", "completed", "port",     "flags", "prio"};

} // namespace

TEST_CASE("drm_sched_when_any_generation_then_fields_are_read")
{
    // real, v5.x: hashed pointers
    CHECK(fields_of("drm_sched_job",
                    "entity=0000000076f0d517, id=1, fence=000000008dd56028, ring=sdma0, job "
                    "count:2, hw job count:-1",
                    {"entity", "id", "fence", "name", "job_count", "hw_job_count"}) ==
          "1995494679 1 2379571240 'sdma0' 2 -1");
    CHECK(fields_of("drm_run_job",
                    "entity=0xffff888276cc8540, id=1, fence=(____ptrval____), "
                    "ring=gfx_0.0.0, job count:2, hw job count:0",
                    job) == "- - - 'gfx_0.0.0' - 1");
    CHECK(fields_of("amd_sched_job",
                    "entity=0000000076f0d517, id=1, fence=000000008dd56028, "
                    "ring=gfx, job count:2, hw job count:0",
                    "drm_sched_job", job) == "- - 2379571240 'gfx' - 1");
    CHECK(fields_of("drm_sched_process_job", "fence=000000008dd56028 signaled", job) ==
          "- - 2379571240 - - -");
    CHECK(fields_of("drm_sched_job_wait_dep",
                    "job ring=gfx, id=8, depends fence=000000008dd56028, context=20, seq=3",
                    {"fence_context", "ctx", "seqno", "name", "id"}) == "- 20 3 'gfx' 8");
    // real, the form before v6.17 was merged
    CHECK(fields_of("drm_sched_job",
                    "id=51757, fence=(context:7914, seqno:920), ring=gfx_0.0.0, "
                    "job count:0, hw job count:1, dependencies:{}",
                    job) == "7914 920 - 'gfx_0.0.0' - 51757");
    CHECK(fields_of("drm_run_job",
                    "dev=0000:0e:00.0, id=328, fence=(context:8442, seqno:145), "
                    "ring=gfx_0.0.0, job count:0, hw job count:1",
                    job) == "8442 145 - 'gfx_0.0.0' '0000:0e:00.0' 328");
    // v6.17
    CHECK(fields_of("drm_sched_job_queue",
                    "dev=0000:04:00.0, fence=401:1, ring=gfx_0.0.0, job "
                    "count:0, hw job count:1, client_id:13",
                    {"fence_context", "fence_seqno", "name", "dev", "client_id", "driver"}) ==
          "401 1 'gfx_0.0.0' '0000:04:00.0' 13 -");
    CHECK(fields_of("drm_sched_job_done", "fence=401:1 signaled", job) == "401 1 - - - -");
    for (const char* words : {"depends on fence", "depends on unsignalled fence"}) {
        const bool is_added = std::string_view{words}.size() < 17;
        CHECK(fields_of(is_added ? "drm_sched_job_add_dep" : "drm_sched_job_unschedulable",
                        "fence=401:1 " + std::string{words} + "=7:8",
                        {"fence_context", "fence_seqno", "ctx", "seqno"}) == "401 1 7 8");
    }
}

TEST_CASE("format_when_fields_were_added_behind_then_known_ones_are_read")
{
    CHECK(fields_of("drm_sched_job_queue",
                    "dev=d, fence=401:1, ring=gfx, job count:0, hw job "
                    "count:1, client_id:13, credits:4",
                    job) == "401 1 - 'gfx' 'd' -");
}

TEST_CASE("dma_fence_when_old_name_or_odd_timeline_then_fields_are_read")
{
    const std::vector<std::string> fields{"driver", "timeline", "context", "seqno"};
    CHECK(fields_of("dma_fence_signaled", "driver=drm_sched timeline=gfx context=249 seqno=91446",
                    fields) == "'drm_sched' 'gfx' 249 91446");
    // before v4.10; real
    CHECK(fields_of("fence_signaled", "driver=amd_sched timeline=gfx context=249 seqno=91446",
                    "dma_fence_signaled", fields) == "'amd_sched' 'gfx' 249 91446");
    // i915 names timelines by whatever the process calls itself
    CHECK(fields_of("dma_fence_init", "driver=i915 timeline=a context=1 x[5] context=2 seqno=3",
                    fields) == "'i915' 'a context=1 x[5]' 2 3");
}

TEST_CASE("i915_when_any_generation_then_fields_are_read")
{
    // real, v4.14
    CHECK(fields_of("i915_gem_request_add", "dev=0, ring=0, ctx=29, seqno=333715, global=0",
                    "i915_request_add", request) == "0 - - 0 29 333715 - - - -");
    CHECK(fields_of("i915_gem_request_in",
                    "dev=0, ring=0, ctx=29, seqno=118649, global=237297, port=1", "i915_request_in",
                    request) == "0 - - 0 29 118649 - 1 - -");
    // v4.16
    CHECK(fields_of("i915_gem_request_queue", "dev=0, hw_id=9, ring=2, ctx=29, seqno=7, flags=0x1f",
                    "i915_request_queue", request) == "0 - - 2 29 7 - - 31 -");
    // v5.0; real
    CHECK(fields_of("i915_request_out",
                    "dev=0, engine=4:1, hw_id=9, ctx=30, seqno=10552, "
                    "global=12182, completed?=1",
                    request) == "0 4 1 - 30 10552 1 - - -");
    CHECK(fields_of("i915_request_in",
                    "dev=0, engine=0:0, hw_id=9, ctx=30, seqno=3, prio=0, "
                    "global=708, port=0",
                    request) == "0 0 0 - 30 3 - 0 - 0");
    CHECK(fields_of("i915_request_wait_begin",
                    "dev=0, engine=0:0, hw_id=9, ctx=30, seqno=120, "
                    "global=894, blocking=0, flags=0x1",
                    request) == "0 0 0 - 30 120 - - 1 -");
    // v5.7
    CHECK(fields_of("i915_request_in", "dev=0, engine=0:0, ctx=30, seqno=3, prio=-1024, port=0",
                    request) == "0 0 0 - 30 3 - 0 - -1024");
    // v5.16
    CHECK(fields_of("i915_request_guc_submit",
                    "dev=0, engine=2:3, ctx=18446744073709551615, "
                    "seqno=3, tail=64",
                    {"class", "instance", "ctx", "seqno", "tail"}) ==
          "2 3 18446744073709551615 3 64");
    CHECK(fields_of("intel_engine_notify", "dev=0, engine=0:0, seqno=11923, waiters=1",
                    {"class", "seqno", "waiters"}) == "0 11923 1");
    CHECK(fields_of("intel_context_sched_done", "guc_id=3, pin_count=1 sched_state=0x4, guc_prio=2",
                    {"guc_id", "pin_count", "sched_state", "guc_prio"}) == "3 1 4 2");
}

TEST_CASE("amdgpu_when_any_generation_then_fields_are_read")
{
    const std::vector<std::string> fields{"sched_job_id", "timeline", "context",
                                          "seqno",        "ring",     "num_ibs"};
    // real, before v5.5: the ring's name is a pointer
    CHECK(fields_of("amdgpu_cs_ioctl",
                    "sched_job=185904, timeline=gfx, context=249, seqno=91446, "
                    "ring_name=ffff94d7a00d4694, num_ibs=3",
                    fields) == "185904 'gfx' 249 91446 'ffff94d7a00d4694' 3");
    CHECK(fields_of("amdgpu_sched_run_job",
                    "sched_job=1, timeline=gfx_0.0.0, context=249, "
                    "seqno=6, ring_name=gfx_0.0.0, num_ibs=3",
                    fields) == "1 'gfx_0.0.0' 249 6 'gfx_0.0.0' 3");
    // v6.17
    CHECK(fields_of("amdgpu_cs_ioctl",
                    "timeline=gfx, context=249, seqno=6, ring_name=gfx, "
                    "num_ibs=3",
                    fields) == "- 'gfx' 249 6 'gfx' 3");
    CHECK(fields_of("amdgpu_cs_ioctl", "timeline=gfx, fence=5249:6, ring_name=gfx, num_ibs=3",
                    fields) == "- 'gfx' 5249 6 'gfx' 3");
    CHECK(fields_of("amdgpu_ib_pipe_sync",
                    "job ring=gfx, id=4, need pipe sync to "
                    "fence=000000008dd56028, context=7, seq=8",
                    {"ring", "id", "ctx", "seqno"}) == "'gfx' 4 7 8");
    CHECK(fields_of("amdgpu_ib_pipe_sync", "job ring=gfx need pipe sync to fence=7:8",
                    {"ring", "id", "ctx", "seqno"}) == "'gfx' - 7 8");
    CHECK(fields_of("amdgpu_iv",
                    "ih:0 client_id:20 src_id:181 ring:0 vmid:3 timestamp: "
                    "123456789012 pasid:32770 src_data: 00000000 00000001 00000000 "
                    "00000000",
                    {"ih", "client_id", "src_id", "timestamp", "pasid"}) ==
          "0 20 181 123456789012 32770");
}

TEST_CASE("virtio_gpu_when_old_or_new_then_fields_are_read")
{
    const std::vector<std::string> fields{"dev", "name", "flags", "fence_id", "seqno"};
    CHECK(fields_of("virtio_gpu_cmd_queue",
                    "vdev=1 vq=0 name=control type=0x109 flags=0x3 "
                    "fence_id=67980 ctx_id=27",
                    fields) == "1 'control' 3 67980 -");
    CHECK(fields_of("virtio_gpu_cmd_response",
                    "vdev=1 vq=0 name=control type=0x109 flags=0x3 "
                    "fence_id=67980 ctx_id=27 num_free=503 seqno=143910",
                    fields) == "1 'control' 3 67980 143910");
    CHECK(fields_of("virtio_gpu_cmd_queue",
                    "vdev=1 vq=0 name=(0xffff9f4c:control)[UNSAFE-MEMORY] type=0x109 flags=0x3 "
                    "fence_id=67980 ctx_id=27",
                    fields) == "1 'control' 3 67980 -");
}

TEST_CASE("npus_and_radeon_when_printed_then_fields_are_read")
{
    CHECK(fields_of("job", "submit context:2 engine:0 job:513",
                    {"event", "ctx_id", "engine_id", "job_id"}) == "'submit' 2 0 513");
    const std::vector<std::string> fields{"fence_context", "fence_seqno", "name",
                                          "seq",           "str",         "op"};
    CHECK(fields_of("xdna_job",
                    "fence=(context:80, seqno:1), hwctx.12.1 seq#:7 sent to device, op=3",
                    fields) == "80 1 'hwctx.12.1' 7 'sent to device' 3");
    CHECK(fields_of("xdna_job", "fence=(context:80, seqno:1), hwctx.12.1 seq#:7 job free",
                    fields) == "80 1 'hwctx.12.1' 7 'job free' -");
    CHECK(fields_of("radeon_cs", "ring=0, dw=32, fences=1", {"ring", "dw", "fences"}) == "0 32 1");
    CHECK(fields_of("radeon_fence_emit", "dev=0, ring=3, seqno=99", {"dev", "ring", "seqno"}) ==
          "0 3 99");
}

TEST_CASE("xe_and_v3d_when_printed_then_fields_are_read")
{
    const std::vector<std::string> fields{"dev",   "fence",  "seqno", "lrc_seqno",
                                          "gt_id", "guc_id", "error"};
    CHECK(fields_of("xe_sched_job_run",
                    "fence=0xffff888276cc8540, seqno=5, lrc_seqno=6, guc_id=7, "
                    "batch_addr=0x000000146910, guc_state=0x1, flags=0x2, "
                    "error=-62",
                    fields) == "- 18446612692653081920 5 6 - 7 -62");
    CHECK(fields_of("xe_sched_job_run",
                    "dev=0000:00:02.0, fence=0xffff888276cc8540, seqno=0, "
                    "lrc_seqno=0, gt=1, guc_id=0, batch_addr=0x000000146910, "
                    "guc_state=0x0, flags=0x0, error=0",
                    fields) == "'0000:00:02.0' 18446612692653081920 0 0 1 0 0");
    CHECK(fields_of("xe_hw_fence_signal",
                    "ctx=0x0000000000000010, fence=0xffff888276cc8540, "
                    "seqno=5",
                    {"ctx", "seqno"}) == "16 5");
    CHECK(fields_of("xe_exec_queue_create",
                    "dev=0000:00:02.0, 3:0x1, gt=0, width=1, guc_id=16, "
                    "guc_state=0x0, flags=0x0",
                    {"dev", "class", "logical_mask", "guc_id"}) == "'0000:00:02.0' 3 1 16");
    // real
    CHECK(fields_of("v3d_submit_cl", "dev=1, RCL, seqno=1, 0x00140000..0x0014005f",
                    {"dev", "is_render", "seqno", "ctnqea"}) == "1 1 1 1310815");
    CHECK(fields_of("v3d_submit_cl", "dev=1, BCL, seqno=1, 0x00060000..0x0006000e",
                    {"dev", "is_render", "seqno"}) == "1 0 1");
    CHECK(fields_of("v3d_rcl_irq", "dev=1, seqno=1", {"dev", "seqno"}) == "1 1");
}

TEST_CASE("sched_when_fork_then_thread_is_not_a_process")
{
    CHECK(fields_of("sched_process_fork", "comm=bash pid=206 child_comm=my sh child_pid=608",
                    {"child_tid", "child_pid", "child_comm", "parent_tid"}) == "608 - 'my sh' 206");
}

TEST_CASE("format_when_unknown_then_only_what_is_certain_is_read")
{
    CHECK(fields_of("panfrost_job", "slot=1, seq: 0x10, name=a, fence=000000008dd56028, n=-3",
                    {"slot", "seq", "name", "fence", "n", "missing"}) ==
          "1 16 'a' 2379571240 -3 -");
    // twice the same key, or a key that ends another: not certain
    CHECK(fields_of("panfrost_job", "seqno=1 other_seqno=2", {"seqno"}) == "1");
    CHECK(fields_of("panfrost_job", "seqno=1 seqno=2", {"seqno"}) == "-");
    // a known event in a form that nobody listed
    CHECK(fields_of("drm_sched_job_done", "fence_context=9 fence_seqno=oops", job) ==
          "9 'oops' - - - -");
    CHECK(fields_of("drm_sched_job_done", "fence=99999999999999999999:1 signaled", job) ==
          "- - - - - -");
}
