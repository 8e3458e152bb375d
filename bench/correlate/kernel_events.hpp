// SPDX-License-Identifier: MIT
//
// The events of the kernel-like trace and functions that write one of each: their
// fields are those of lttng-modules' sched_switch and of our probes drm and
// gpu_fence on Linux 6.17 and later, with the contexts pid, tid and procname.
#pragma once

#include "kernel_stream.hpp"

#include <span>

namespace lttng_gpu::bench {

enum class FieldType { String, Signed32, Unsigned32, Signed64, Unsigned64, Comm };

struct FieldDeclaration {
    std::string_view name;
    FieldType type;
};

struct EventDeclaration {
    std::string_view name;
    std::span<const FieldDeclaration> fields;
};

enum EventId : std::uint32_t { SchedSwitch, JobQueue, JobRun, JobDone, FenceSignaled };

inline constexpr std::array sched_switch_fields{FieldDeclaration{"prev_comm", FieldType::Comm},
                                                FieldDeclaration{"prev_tid", FieldType::Signed32},
                                                FieldDeclaration{"prev_prio", FieldType::Signed32},
                                                FieldDeclaration{"prev_state", FieldType::Signed64},
                                                FieldDeclaration{"next_comm", FieldType::Comm},
                                                FieldDeclaration{"next_tid", FieldType::Signed32},
                                                FieldDeclaration{"next_prio", FieldType::Signed32}};
/// drm_sched_job_queue has all but the last of them.
inline constexpr std::array job_run_fields{FieldDeclaration{"name", FieldType::String},
                                           FieldDeclaration{"job_count", FieldType::Unsigned32},
                                           FieldDeclaration{"hw_job_count", FieldType::Signed32},
                                           FieldDeclaration{"dev", FieldType::String},
                                           FieldDeclaration{"fence_context", FieldType::Unsigned64},
                                           FieldDeclaration{"fence_seqno", FieldType::Unsigned64},
                                           FieldDeclaration{"client_id", FieldType::Unsigned64},
                                           FieldDeclaration{"driver", FieldType::String}};
inline constexpr std::array job_done_fields{
    FieldDeclaration{"fence_context", FieldType::Unsigned64},
    FieldDeclaration{"fence_seqno", FieldType::Unsigned64}};
inline constexpr std::array fence_fields{FieldDeclaration{"driver", FieldType::String},
                                         FieldDeclaration{"timeline", FieldType::String},
                                         FieldDeclaration{"context", FieldType::Unsigned64},
                                         FieldDeclaration{"seqno", FieldType::Unsigned64}};

inline constexpr std::array event_declarations{
    EventDeclaration{"sched_switch", sched_switch_fields},
    EventDeclaration{"drm_sched_job_queue", std::span{job_run_fields}.first<7>()},
    EventDeclaration{"drm_sched_job_run", job_run_fields},
    EventDeclaration{"drm_sched_job_done", job_done_fields},
    EventDeclaration{"gpu_fence_signaled", fence_fields}};

struct Task {
    std::int32_t pid;
    std::int32_t tid;
    std::array<char, 16> comm;
};

struct JobFacts {
    std::string_view ring;
    std::uint32_t job_count;
    std::int32_t hw_job_count;
    std::uint64_t fence_context;
    std::uint64_t fence_seqno;
    std::uint64_t client_id;
};

inline constexpr std::string_view device_name = "0000:03:00.0";
inline constexpr std::string_view driver_name = "amdgpu";
inline constexpr std::size_t longest_event = 160; // context and payload of any of them

inline Cursor begin_event(KernelStream& stream, EventId id, std::uint64_t time, const Task& task)
{
    Cursor cursor = stream.begin_event(id, time, longest_event);
    cursor.put_bytes(&task, 24);
    return cursor;
}

inline void put_sched_switch(KernelStream& stream, std::uint64_t time, const Task& previous,
                             const Task& next)
{
    constexpr std::int32_t priority = 20;
    constexpr std::int64_t running = 0;
    constexpr std::int64_t sleeping = 1;
    Cursor cursor = begin_event(stream, SchedSwitch, time, previous);
    cursor.put(previous.comm);
    cursor.put(previous.tid);
    cursor.put(priority);
    cursor.put(previous.tid == 0 ? running : sleeping);
    cursor.put(next.comm);
    cursor.put(next.tid);
    cursor.put(priority);
    stream.finish_event(cursor);
}

inline void put_job(KernelStream& stream, EventId id, std::uint64_t time, const Task& task,
                    const JobFacts& job)
{
    Cursor cursor = begin_event(stream, id, time, task);
    cursor.put_text(job.ring);
    cursor.put(job.job_count);
    cursor.put(job.hw_job_count);
    cursor.put_text(device_name);
    cursor.put(job.fence_context);
    cursor.put(job.fence_seqno);
    cursor.put(job.client_id);
    if (id == JobRun) {
        cursor.put_text(driver_name);
    }
    stream.finish_event(cursor);
}

inline void put_job_done(KernelStream& stream, std::uint64_t time, const Task& task,
                         const JobFacts& job)
{
    Cursor cursor = begin_event(stream, JobDone, time, task);
    cursor.put(job.fence_context);
    cursor.put(job.fence_seqno);
    stream.finish_event(cursor);
}

inline void put_fence_signaled(KernelStream& stream, std::uint64_t time, const Task& task,
                               std::string_view driver, std::string_view timeline,
                               std::uint64_t context, std::uint64_t seqno)
{
    Cursor cursor = begin_event(stream, FenceSignaled, time, task);
    cursor.put_text(driver);
    cursor.put_text(timeline);
    cursor.put(context);
    cursor.put(seqno);
    stream.finish_event(cursor);
}

} // namespace lttng_gpu::bench
