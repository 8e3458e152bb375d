// SPDX-License-Identifier: MIT
//
// Jobs from Perfetto traces, through the whole program. The first three are the events with
// which Perfetto tests its own tracks of jobs; the times are what it has to show there.
#include "command_line.hpp"
#include "perfetto_writer.hpp"

#include <fstream>

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

std::string event(int cpu, std::uint64_t time, int tid, const std::string& what)
{
    return "packet { ftrace_events { cpu: " + std::to_string(cpu) +
           " event { timestamp: " + std::to_string(time) + " pid: " + std::to_string(tid) + " " +
           what + " } } }";
}

/// The columns from pid to status of every job.
std::string jobs_of(const std::string& trace)
{
    const TemporaryFile file{perfetto_bytes(trace)};
    const std::string result = file.path().string() + ".csv";
    CHECK(run({"jobs", file.path().string(), "--format", "csv", "-o", result}).code == 0);
    std::ifstream stream{result};
    std::string rows;
    std::string row;
    std::getline(stream, row);
    while (std::getline(stream, row)) {
        rows += row + '\n';
    }
    std::filesystem::remove(result);
    return rows;
}

std::string old_job(const char* name, int id, std::uint64_t fence)
{
    return std::string{name} + " { entity: 18446743526218327296 fence: " + std::to_string(fence) +
           " id: " + std::to_string(id) + " name: 'ring0' }";
}

std::string old_end(std::uint64_t fence)
{
    return "drm_sched_process_job { fence: " + std::to_string(fence) + " }";
}

} // namespace

TEST_CASE("perfetto_jobs_when_kernel_is_before_6_17_then_are_those_that_perfetto_shows")
{
    const std::uint64_t a = 18446743526909918272U;
    const std::uint64_t b = 18446743526610453312U;
    CHECK(jobs_of(event(0, 9246165326050, 365, old_job("drm_sched_job", 13481, a)) +
                  event(7, 9246165349383, 191, old_job("drm_run_job", 13481, a)) +
                  event(4, 9246166957616, 762, old_job("drm_sched_job", 13482, b)) +
                  event(7, 9246166978033, 191, old_job("drm_run_job", 13482, b)) +
                  event(0, 9246170078456, 0, old_end(a)) +
                  event(0, 9246174020027, 0, old_end(b))) ==
          ",ring0,,,,,365,,9246165326050,9246165349383,9246165349383,inferred,9246170078456,"
          "observed,complete,\n"
          ",ring0,,,,,762,,9246166957616,9246166978033,9246170078456,inferred,9246174020027,"
          "observed,complete,\n");
}

TEST_CASE("perfetto_jobs_when_kernel_is_6_17_then_are_those_that_perfetto_shows")
{
    const std::string job = "{ name: 'gfx_0.0.0' dev: '0000:04:00.0' fence_context: 401 "
                            "fence_seqno: 1 client_id: 13 }";
    CHECK(jobs_of(event(0, 2664817945719, 9381, "drm_sched_job_run " + job) +
                  event(5, 2664818155405, 0,
                        "drm_sched_job_done { fence_context: 401 fence_seqno: 1 }") +
                  event(6, 2664817937804, 10445, "drm_sched_job_queue " + job)) ==
          "0000:04:00.0,gfx_0.0.0,,401,1,,10445,,2664817937804,2664817945719,2664817945719,"
          "inferred,2664818155405,observed,complete,\n");
}

TEST_CASE("perfetto_jobs_when_virtio_gpu_then_commands_with_fences_are_jobs")
{
    const auto command = [](const char* event, std::uint64_t fence, int flags, int seqno) {
        return std::string{event} +
               " { dev: 4 name: 'control' vq: 0 fence_id: " + std::to_string(fence) +
               " flags: " + std::to_string(flags) + " seqno: " + std::to_string(seqno) + " }";
    };
    CHECK(jobs_of(
              event(0, 1345091904071, 4244, command("virtio_gpu_cmd_response", 67980, 3, 143910)) +
              event(0, 1345091913446, 4244, command("virtio_gpu_cmd_response", 0, 0, 143911)) +
              event(7, 1345090723759, 3687, command("virtio_gpu_cmd_queue", 67980, 3, 143910)) +
              event(5, 1345090746311, 3687, command("virtio_gpu_cmd_queue", 0, 0, 143911))) ==
          "virtio4,control,virtio_gpu,,67980,,3687,,1345090723759,1345090723759,1345090723759,"
          "inferred,1345091904071,observed,complete,\n");
}

TEST_CASE("perfetto_jobs_when_amdgpu_events_are_generic_then_jobs_have_their_submitters")
{
    const auto job = [](const char* name) {
        return std::string{"generic { event_name: '"} + name +
               "' field { name: 'sched_job_id' uint_value: 9 } "
               "field { name: 'timeline' str_value: 'gfx_0.0.0' } "
               "field { name: 'context' uint_value: 12 } field { name: 'seqno' uint_value: 77 } "
               "field { name: 'ring_name' str_value: 'gfx_0.0.0' } "
               "field { name: 'num_ibs' uint_value: 1 } }";
    };
    const std::string fence =
        "dma_fence_signaled { driver: 'drm_sched' timeline: 'gfx_0.0.0' context: 12 seqno: 77 }";
    CHECK(jobs_of(event(1, 1000, 51, job("amdgpu_cs_ioctl")) +
                  event(2, 2000, 60, job("amdgpu_sched_run_job")) + event(3, 5000, 0, fence) +
                  "packet { process_tree { threads { tid: 51 tgid: 50 name: 'game:cs0' } } }") ==
          ",gfx_0.0.0,amdgpu,12,77,50,51,game:cs0,1000,2000,2000,inferred,5000,observed,complete,"
          "\n");
}
