// SPDX-License-Identifier: MIT
//
// The normalised events: what happened to a job or a fence, free of event names
// and field layouts. The normaliser makes them, the job tracker takes them; a
// test can write them by hand.
#pragma once

#include "../base/ids.hpp"
#include "../base/time.hpp"

#include <optional>
#include <variant>
#include <vector>

namespace lttng_gpu::model {

/// What `timeline` and `seqno` of a JobKey are.
enum class KeyKind : std::uint8_t {
    Fence,     // fence context and seqno of the job's finished fence
    Pointer,   // fence pointer; valid until the job completes, seqno 0
    Virtqueue, // ring and virtqueue sequence number
    Command,   // ring and virtio-gpu fence id
};

/// Tells jobs in flight apart; several traces may use the same contexts.
struct JobKey {
    TraceId trace;
    KeyKind kind = KeyKind::Fence;
    std::uint64_t timeline = 0;
    std::uint64_t seqno = 0;

    friend auto operator<=>(const JobKey&, const JobKey&) = default;
};

/// The fence as shown to the user, which is not always what joins events.
struct FenceId {
    std::optional<FenceContext> context;
    std::optional<FenceSeqno> seqno;
};

/// Who submitted. An empty comm is unknown.
struct Actor {
    std::optional<Pid> pid;
    std::optional<Tid> tid;
    StringId comm;
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

/// The job waits for another fence, either noted at queueing (`add_dep`) or
/// because it blocks the job at the head of its queue right now.
struct JobDependency {
    JobKey job;
    FenceId waits_for;
    bool is_blocking = false;
};

/// Any dma_fence was signaled; most belong to no job that we know.
struct FenceSignaled {
    TraceId trace;
    FenceContext context;
    FenceSeqno seqno;
    bool is_32_bit = false; // upstream's dma_fence events cut both numbers
};

/// Events of this trace are missing between the event's time and `end`.
struct EventsLost {
    TraceId trace;
    Timestamp end;
};

struct GpuEvent {
    Timestamp time;
    std::variant<JobQueued, JobSubmitted, JobCompleted, JobDependency, FenceSignaled, EventsLost>
        what;
};

using GpuEvents = std::vector<GpuEvent>;

} // namespace lttng_gpu::model
