// SPDX-License-Identifier: MIT
//
// The recorded events of a simulated machine, in the shape of the kernel's: each
// with its name, fields and CPU, and beside it what it truly tells, which only
// the checks look at.
#pragma once

#include "life.hpp"
#include "trace/raw_event.hpp"

#include <array>
#include <deque>
#include <string_view>

namespace lttng_gpu::simulator {

enum class Name : std::uint8_t {
    SchedJob,
    RunJob,
    ProcessJob,
    WaitDep,
    JobQueue,
    JobRun,
    JobDone,
    AddDep,
    Unschedulable,
    AmdgpuCsIoctl,
    AmdgpuSchedRunJob,
    AmdgpuIbPipeSync,
    GpuFenceInit,
    GpuFenceEmit,
    GpuFenceSignaled,
    GpuFenceWaitStart,
    GpuFenceWaitEnd,
    DmaFenceInit,
    DmaFenceEmit,
    DmaFenceSignaled,
    DmaFenceWaitStart,
    DmaFenceWaitEnd,
    FenceInit,
    FenceEmit,
    FenceSignaled,
    FenceWaitStart,
    FenceWaitEnd,
    VirtioCommand,
    VirtioResponse,
    GemQueue,
    GemAdd,
    GemSubmit,
    GemExecute,
    GemIn,
    GemOut,
    GemRetire,
    GemWaitBegin,
    GemWaitEnd,
    I915Queue,
    I915Add,
    I915Submit,
    I915Execute,
    I915In,
    I915Out,
    I915GucSubmit,
    I915Retire,
    I915WaitBegin,
    I915WaitEnd,
    EngineNotify,
    XeExec,
    XeRun,
    XeFree,
    XeTimedOut,
    XeFenceSignal,
    SchedSwitch,
    ProcessState,
    Count,
};

inline constexpr std::array<std::string_view, static_cast<std::size_t>(Name::Count)> names{
    "drm_sched_job",
    "drm_run_job",
    "drm_sched_process_job",
    "drm_sched_job_wait_dep",
    "drm_sched_job_queue",
    "drm_sched_job_run",
    "drm_sched_job_done",
    "drm_sched_job_add_dep",
    "drm_sched_job_unschedulable",
    "amdgpu_cs_ioctl",
    "amdgpu_sched_run_job",
    "amdgpu_ib_pipe_sync",
    "gpu_fence_init",
    "gpu_fence_emit",
    "gpu_fence_signaled",
    "gpu_fence_wait_start",
    "gpu_fence_wait_end",
    "dma_fence_init",
    "dma_fence_emit",
    "dma_fence_signaled",
    "dma_fence_wait_start",
    "dma_fence_wait_end",
    "fence_init",
    "fence_emit",
    "fence_signaled",
    "fence_wait_start",
    "fence_wait_end",
    "virtio_gpu_cmd_queue",
    "virtio_gpu_cmd_response",
    "i915_gem_request_queue",
    "i915_gem_request_add",
    "i915_gem_request_submit",
    "i915_gem_request_execute",
    "i915_gem_request_in",
    "i915_gem_request_out",
    "i915_gem_request_retire",
    "i915_gem_request_wait_begin",
    "i915_gem_request_wait_end",
    "i915_request_queue",
    "i915_request_add",
    "i915_request_submit",
    "i915_request_execute",
    "i915_request_in",
    "i915_request_out",
    "i915_request_guc_submit",
    "i915_request_retire",
    "i915_request_wait_begin",
    "i915_request_wait_end",
    "intel_engine_notify",
    "xe_sched_job_exec",
    "xe_sched_job_run",
    "xe_sched_job_free",
    "xe_sched_job_timedout",
    "xe_hw_fence_signal",
    "sched_switch",
    "lttng_statedump_process_state",
};

enum class Field : std::uint8_t {
    Entity,
    Fence,
    RingName,
    Id,
    JobCount,
    HwJobCount,
    Dev,
    FenceContext,
    FenceSeqno,
    ClientId,
    Driver,
    Ctx,
    Seqno,
    Context,
    Timeline,
    SchedJobId,
    Ring,
    NumIbs,
    RingNameText,
    VirtqueueNumber,
    Type,
    Flags,
    FenceId,
    CtxId,
    NumFree,
    Class,
    Instance,
    Tail,
    DevName,
    HwId,
    Global,
    Port,
    Prio,
    Completed,
    Waiters,
    LrcSeqno,
    GtId,
    GucId,
    Error,
    BatchAddress,
    NextTid,
    NextComm,
    PrevTid,
    Tid,
    Pid,
    CommName,
    Recreated,
    Count,
};

inline constexpr std::array<std::string_view, static_cast<std::size_t>(Field::Count)> field_names{
    "entity",       "fence",     "name",          "id",          "job_count",
    "hw_job_count", "dev",       "fence_context", "fence_seqno", "client_id",
    "driver",       "ctx",       "seqno",         "context",     "timeline",
    "sched_job_id", "ring",      "num_ibs",       "ring_name",   "vq",
    "type",         "flags",     "fence_id",      "ctx_id",      "num_free",
    "class",        "instance",  "tail",          "dev_name",    "hw_id",
    "global",       "port",      "prio",          "completed",   "waiters",
    "lrc_seqno",    "gt_id",     "guc_id",        "error",       "batch_addr",
    "next_tid",     "next_comm", "prev_tid",      "tid",         "pid",
    "name",         "recreated",
};

/// What an event truly says of a job.
enum class Phase : std::uint8_t {
    None,
    Queued,
    Runnable,
    Submitted,
    Preempted, // an interval ended
    Completed,
    WaitBegin,
    WaitEnd,
    Dependency,
};

struct Event {
    static constexpr std::size_t most_values = 13;

    Time time = 0;
    std::uint32_t cpu = 0;
    Name name = Name::Count;
    Phase phase = Phase::None;
    /// It identifies its job by the fence pointer alone.
    bool is_by_pointer = false;
    bool tells_ring = false;
    bool is_in_interrupt = false;
    bool is_duplicate = false;
    bool is_weak = false; // tells the phase too, but a stronger event is meant to
    std::uint8_t interval = 0;
    std::uint8_t count = 0;
    std::uint32_t job = nobody;
    std::uint32_t thread = nobody; // of World's clients, then of its workers
    std::array<Field, most_values> fields{};
    std::array<trace::FieldValue, most_values> values{};

    Event& with(Field field, std::uint64_t value) { return with(field, trace::FieldValue{value}); }
    Event& with(Field field, std::string_view text) { return with(field, trace::FieldValue{text}); }
    Event& with(Field field, trace::FieldValue value)
    {
        fields[count] = field;
        values[count++] = value;
        return *this;
    }
};

struct Stream {
    struct Loss {
        Time begin = 0;
        Time end = 0;
        std::uint32_t cpu = 0;
        trace::LossUnit unit = trace::LossUnit::Events;
        std::uint64_t count = 0;
    };

    std::vector<Event> events; // in order of time
    std::vector<Loss> losses;
    std::deque<std::string> texts; // what field values view, beside World's
    bool has_contexts = true;
    unsigned cpus = 4;
};

inline bool is_init(Name name)
{
    return name == Name::GpuFenceInit || name == Name::DmaFenceInit || name == Name::FenceInit;
}

inline bool is_signal(Name name)
{
    return name == Name::GpuFenceSignaled || name == Name::DmaFenceSignaled ||
           name == Name::FenceSignaled;
}

inline const Thread& thread_at(const World& world, std::uint32_t thread)
{
    return thread < world.clients.size() ? world.clients[thread]
                                         : world.workers[thread - world.clients.size()];
}

} // namespace lttng_gpu::simulator
