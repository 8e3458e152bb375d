// SPDX-License-Identifier: MIT
//
// What happens in the kernel-like trace: eight processes keep up to four jobs each
// in the queues of four rings, each ring gives the hardware two jobs at most, and
// four CPUs switch to whoever has something to do. Same seed, same events. Fourteen
// events a job: queue, run, done, three fences signalled, eight switches.
#pragma once

#include "kernel_events.hpp"

#include <deque>
#include <queue>

namespace lttng_gpu::bench {

inline constexpr std::uint64_t events_per_job = 14;
inline constexpr std::size_t cpu_count = 4;
inline constexpr std::size_t ring_count = 4;
inline constexpr std::size_t process_count = 8;

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
class Random {
public:
    explicit Random(std::uint64_t seed) : m_state{seed} {}

    std::uint64_t next()
    {
        std::uint64_t mixed = m_state += 0x9e3779b97f4a7c15ULL;
        mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebULL;
        return mixed ^ (mixed >> 31U);
    }
    /// The bias of the remainder does not matter here.
    std::uint64_t between(std::uint64_t low, std::uint64_t high)
    {
        return low + next() % (high - low + 1);
    }

private:
    std::uint64_t m_state;
};

class GpuLoad {
public:
    GpuLoad(std::vector<KernelStream>& cpus, std::uint64_t jobs, std::uint64_t seed);

    /// Runs until the last job is done.
    void run();

private:
    enum class Kind : std::uint8_t { Queue, Run, Done, Other };

    /// Something that will happen to a process (Queue) or a ring; ties go by order of planning.
    struct Action {
        std::uint64_t time;
        std::uint64_t order;
        Kind kind;
        std::uint32_t who;

        bool operator>(const Action& other) const
        {
            return time != other.time ? time > other.time : order > other.order;
        }
    };

    struct QueuedJob {
        std::uint32_t process;
        std::uint64_t
            fence_context; // of the finished fence; the scheduled one has the number before
        std::uint64_t fence_seqno;
        std::uint64_t reached; // when it came into the queue where it is
    };

    struct Process {
        Task submitter{};
        Task waiter{}; // another thread, which wakes when a job is done
        std::uint32_t outstanding = 0;
        bool is_waiting = false; // for one of its jobs
        std::array<std::uint64_t, ring_count> seqnos{};
    };

    struct Ring {
        std::deque<QueuedJob> host_queue;
        std::deque<QueuedJob> device; // the first one executes
        bool is_run_planned = false;
        std::uint64_t last_submitted = 0;
        std::uint64_t last_completed = 0;
        std::uint64_t hw_seqno = 0;
    };

    struct Cpu {
        KernelStream* stream;
        std::uint64_t last = 0;
        Task idle{};
        Task worker{};
    };

    void plan(std::uint64_t time, Kind kind, std::size_t who);
    void plan_run(std::uint64_t now, std::size_t ring);
    void plan_queue(std::uint64_t now, std::size_t process);
    void on_queue(std::uint64_t time, std::size_t process);
    void on_run(std::uint64_t time, std::size_t ring);
    void on_done(std::uint64_t time, std::size_t ring);
    void on_other(std::uint64_t time);
    Cpu& any_cpu() { return m_cpus[m_random.next() % cpu_count]; }
    std::uint64_t step(Cpu& cpu, std::uint64_t not_before);
    JobFacts facts(std::size_t ring, const QueuedJob& job) const;

    Random m_random;
    std::uint64_t m_jobs_to_queue;
    std::uint64_t m_order = 0;
    std::uint64_t m_pause_end = 0;
    std::uint64_t m_last = 0;
    std::vector<Cpu> m_cpus;
    std::array<Process, process_count> m_processes{};
    std::array<Ring, ring_count> m_rings{};
    std::priority_queue<Action, std::vector<Action>, std::greater<>> m_actions;
};

} // namespace lttng_gpu::bench
