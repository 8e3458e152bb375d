// SPDX-License-Identifier: MIT
//
// The normalised events: what happened to a job or a fence, free of event names
// and field layouts. The normaliser makes them and calls the job tracker with
// them; a test can write them by hand.
#pragma once

#include "ids.hpp"
#include "known.hpp"

#include <optional>
#include <string_view>

namespace lttng_gpu::model {

/// What `timeline` and `seqno` of a JobKey are. Further ones are drivers' own, see
/// JobTracker::add_key_space().
enum class KeySpace : std::uint8_t {
    Fence,           // fence context and seqno of the job's finished fence
    Pointer,         // fence pointer; valid until the job completes, seqno 0
    SchedulerNumber, // ring and the job's number in its scheduler, drm_sched's
};

/// Tells jobs in flight apart; several traces may use the same contexts.
struct JobKey {
    TraceId trace;
    KeySpace space = KeySpace::Fence;
    bool is_cut = false; // the event has the low 32 bits of both numbers only
    std::uint64_t timeline = 0;
    std::uint64_t seqno = 0;

    /// All at once: one branch instead of five.
    friend constexpr bool operator==(const JobKey& left, const JobKey& right)
    {
        const std::uint32_t heads = left.trace.value() ^ right.trace.value();
        const bool is_other_space = left.space != right.space || left.is_cut != right.is_cut;
        return (heads | (left.timeline ^ right.timeline) | (left.seqno ^ right.seqno) |
                static_cast<std::uint64_t>(is_other_space)) == 0;
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
    OriginId origin; // see actor_origins.hpp
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
    Job,       // the driver's own, which a job has one of
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
