// SPDX-License-Identifier: MIT
//
// What truly happened on the simulated machine: the jobs with all their times,
// the rings, and the threads. Emitters turn it into the events that a driver
// generation would have recorded; the checks compare the correlator's rows with
// it. Times are nanoseconds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lttng_gpu::simulator {

using Time = std::int64_t;

inline constexpr Time never = INT64_MAX;
inline constexpr std::uint32_t nobody = UINT32_MAX;

enum class RingKind : std::uint8_t {
    Fifo,        // one job after the other, in order of submission
    Parallel,    // every job starts at once when it is submitted
    Multiplexed, // one scheduler per entity, all under one ring name
    Execlists,   // i915: two ports, preemption, coalescing
    Firmware,    // i915's GuC: contexts run in the order that the firmware likes
};

struct RingConfig {
    std::string device;
    std::string name;
    RingKind kind = RingKind::Fifo;
    unsigned credits = 4;
};

/// The time between going to the hardware and leaving it.
struct Interval {
    Time submitted = never;
    Time started = never;
    Time ended = never;
    bool is_preempted = false;
    std::uint32_t carrier = nobody; // execlists: the job whose submission included this one
    std::uint8_t port = 0;
};

struct Blocked {
    std::uint32_t job; // whose fence was waited for
    Time since;
};

struct TrueJob {
    std::uint32_t ring = 0;
    std::uint32_t client = 0;
    std::uint32_t entity = 0;
    std::uint64_t context = 0; // of the finished fence
    std::uint64_t seqno = 0;
    std::uint64_t sent = 0;    // its number in the order of submission, from 1
    std::uint64_t id = 0;      // unique per ring only
    std::uint64_t pointer = 0; // of the finished fence; comes back later
    Time queued = never;
    Time runnable = never; // all it depended on had completed
    Time completed = never;
    std::vector<Interval> intervals;
    std::vector<std::uint32_t> depends_on;
    std::vector<Blocked> blocked; // at the head of its queue
    std::int64_t execution = 0;   // how long the hardware needs in all
    std::uint32_t entity_depth = 0;
    std::uint32_t ring_depth_at_queue = 0;
    std::uint32_t ring_depth_at_submit = 0;
    bool is_killed = false; // its process went away: never submitted
    bool is_hanging = false;
    std::uint8_t priority = 0;
};

struct Thread {
    std::int64_t pid = 0;
    std::int64_t tid = 0;
    std::string name;
};

struct CpuWait {
    std::uint32_t job = 0;
    std::uint32_t client = 0;
    Time begin = 0;
    Time end = never;
};

/// execlists_schedule_in() and execlists_schedule_out(), in order.
struct PortEvent {
    Time time = 0;
    std::uint32_t job = 0;
    std::uint8_t port = 0;
    bool is_in = true;
    bool is_completed = false;
};

struct World {
    std::vector<RingConfig> rings;
    std::vector<Thread> clients;
    std::vector<Thread> workers;                  // one per ring
    std::vector<std::uint64_t> hardware_contexts; // one per ring
    std::vector<TrueJob> jobs;                    // in order of queued
    std::vector<CpuWait> waits;
    std::vector<PortEvent> port_events;
    Time end = 0;
};

} // namespace lttng_gpu::simulator
