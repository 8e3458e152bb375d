// SPDX-License-Identifier: MIT
//
// Events of the new drm_sched generation for trace files of tests, in short form.
#pragma once

#include "ctf_writer.hpp"

namespace lttng_gpu::test {

inline CtfEvent job_event(const char* name, std::uint64_t time, std::uint64_t seqno)
{
    return {time,
            name,
            {{"name", "gfx_0.0.0"},
             {"dev", "0000:04:00.0"},
             {"driver", "amdgpu"},
             {"fence_context", std::uint64_t{9}},
             {"fence_seqno", seqno}}};
}

inline CtfEvent queue_event(std::uint64_t time, std::uint64_t seqno)
{
    return job_event("drm_sched_job_queue", time, seqno);
}

inline CtfEvent run_event(std::uint64_t time, std::uint64_t seqno)
{
    return job_event("drm_sched_job_run", time, seqno);
}

inline CtfEvent done_event(std::uint64_t time, std::uint64_t seqno)
{
    return {
        time, "drm_sched_job_done", {{"fence_context", std::uint64_t{9}}, {"fence_seqno", seqno}}};
}

inline CtfEvent other_event(std::uint64_t time)
{
    return {time, "timer_start", {{"timer", std::uint64_t{1}}}};
}

/// Two jobs on two CPUs, the second waiting for the first:
/// queued 1000/1100, submitted 2000/2100, completed 3000/4500; ends at 6000.
inline void write_two_jobs(const std::filesystem::path& directory)
{
    write_ctf(directory, {{{{queue_event(1000, 1), queue_event(1100, 2), other_event(6000)}}},
                          {{{run_event(2000, 1), run_event(2100, 2), done_event(3000, 1)}},
                           {{done_event(4500, 2)}}}});
}

} // namespace lttng_gpu::test
