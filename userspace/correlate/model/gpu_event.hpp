// SPDX-License-Identifier: MIT
//
// The normalised events: what happened to a job or a fence, free of event names
// and field layouts. The normaliser makes them and calls the job tracker with
// them; a test can write them by hand.
#pragma once

#include "../base/ids.hpp"
#include "../base/known.hpp"

#include <optional>
#include <string_view>

namespace lttng_gpu::model {

/// What `timeline` and `seqno` of a JobKey are.
enum class KeyKind : std::uint8_t {
    Fence,       // fence context and seqno of the job's finished fence
    Pointer,     // fence pointer; valid until the job completes, seqno 0
    Virtqueue,   // ring and virtqueue sequence number
    Command,     // ring and virtio-gpu fence id
    VirtioFence, // virtio-gpu fence id, of whichever device
    SchedulerId, // ring and the job's number in its scheduler
    XeFence,     // fence context and seqno of xe's own fence
    XePointer,   // pointer of xe's own fence, seqno 0
};

/// Tells jobs in flight apart; several traces may use the same contexts.
struct JobKey {
    TraceId trace;
    KeyKind kind = KeyKind::Fence;
    bool is_cut = false; // the event has the low 32 bits of both numbers only
    std::uint64_t timeline = 0;
    std::uint64_t seqno = 0;

    /// All at once: one branch instead of five.
    friend constexpr bool operator==(const JobKey& left, const JobKey& right)
    {
        const std::uint32_t heads = left.trace.value() ^ right.trace.value();
        const bool is_other_kind = left.kind != right.kind || left.is_cut != right.is_cut;
        return (heads | (left.timeline ^ right.timeline) | (left.seqno ^ right.seqno) |
                static_cast<std::uint64_t>(is_other_kind)) == 0;
    }
};

/// The fence as shown to the user, which is not always what joins events.
struct FenceId {
    Known<FenceContext> context;
    Known<FenceSeqno> seqno;
};

/// Who submitted. An empty comm is unknown.
struct Actor {
    Known<Pid> pid;
    Known<Tid> tid;
    StringId comm;
};

/// Which event said it, because several may tell the same of one job. The first
/// time counts; only the same event twice is odd.
enum class Step : std::uint32_t {
    SchedQueue = 1U << 0U,
    SchedRun = 1U << 1U,
    SchedDone = 1U << 2U,
    AmdgpuQueue = 1U << 3U,
    AmdgpuRun = 1U << 4U,
    XeExec = 1U << 5U,
    XeRun = 1U << 6U,
    XeSignal = 1U << 7U,
    VirtioQueue = 1U << 8U,
    VirtioResponse = 1U << 9U,
    FenceInit = 1U << 10U,
    FenceEmit = 1U << 11U,
    FenceScheduled = 1U << 12U,
    FenceSignaled = 1U << 13U,
    I915Queue = 1U << 14U,
    I915Add = 1U << 15U,
    I915In = 1U << 16U,
    I915GucSubmit = 1U << 17U,
    I915Out = 1U << 18U,
    I915Notify = 1U << 19U,
    I915Execute = 1U << 20U,
};

struct JobQueued {
    JobKey job;
    FenceId fence;
    RingId ring;
    Actor actor;
};

struct JobSubmitted {
    JobKey job;
    FenceId fence;
    RingId ring;
};

struct JobCompleted {
    JobKey job;
    FenceId fence;
    std::optional<RingId> ring; // most drivers do not repeat it at completion
};

/// Which fences may stand for a job although no event named it.
enum class FenceOwner : std::uint8_t {
    Other,
    Scheduler, // drm_sched: the scheduled fence or the finished fence of a job
    I915,
};

/// Any dma_fence was signaled; most belong to no job that we know.
struct FenceSignaled {
    TraceId trace;
    FenceContext context;
    FenceSeqno seqno;
    bool is_32_bit = false; // upstream's dma_fence events cut both numbers
    FenceOwner owner = FenceOwner::Other;
    std::string_view timeline{}; // the fence's; drm_sched's have the name of the ring
};

/// Events of this trace are missing between the event's time and `end`.
struct EventsLost {
    TraceId trace;
    Timestamp end;
    Known<Cpu> cpu{}; // of which they are; unknown: any
};

} // namespace lttng_gpu::model
