// SPDX-License-Identifier: MIT
//
// A small machine whose every time is known: three rings with limited room, one scheduler worker
// for each, and threads that run, sleep, are preempted and wait for fences. What happens is
// written as the events that LTTng would have recorded, so that causes can be planted and then
// looked for. Jobs of a ring are given in the order in which they are submitted.
#pragma once

#include "../simulator/random.hpp"
#include "ctf_writer.hpp"

#include <array>
#include <filesystem>
#include <vector>

namespace lttng_gpu::planted {

using Time = std::int64_t;

inline constexpr const char* device = "0000:04:00.0";
inline constexpr std::array<const char*, 3> ring_names{"gfx_0.0.0", "sdma0", "comp_1.0.0"};

struct Process {
    std::int32_t pid = 0;
    std::int32_t tid = 0;
    const char* name = "";
    unsigned cpu = 0;
};
inline constexpr std::array<Process, 3> processes{
    {{100, 101, "game", 0}, {200, 201, "compositor", 1}, {300, 301, "encoder", 1}}};

struct Job {
    unsigned process = 0;
    unsigned ring = 0;
    std::uint64_t context = 0;
    std::uint64_t seqno = 0;
    Time queued = 0;
    Time ready = 0; // dependencies and jobs before it in its context
    Time room = 0;  // as well, and the ring had room
    Time submitted = 0;
    Time started = 0;
    Time completed = 0;
    bool is_hanging = false;
};

struct JobWish {
    unsigned process = 0;
    unsigned ring = 0;
    Time queued = 0;
    Time execution = 0;
    std::vector<Job> depends_on = {};
    Time worker_delay = 0;
    bool is_hanging = false;
    bool is_run_lost = false;
};

class Scene {
public:
    explicit Scene(std::uint64_t seed);

    simulator::Random& random() { return m_random; }
    Time between(Time low, Time high)
    {
        return low + static_cast<Time>(m_random.index(static_cast<std::size_t>(high - low + 1)));
    }
    std::size_t room() const { return m_room; } // jobs that a ring takes at once

    Job add(const JobWish& wish);
    Time last_completion(unsigned ring) const { return m_last_completed[ring]; }

    // the submitting thread of the first process
    void run(Time time);           // it begins to run
    void preempt(Time time);       // another thread runs instead
    void sleep(Time time);         // it leaves its CPU
    void wake(Time time, Time in); // it is woken, and runs then
    void wait_begin(Time time, const Job& job);
    void wait_end(Time time, const Job& job);

    /// Events of the workers' CPU are lost.
    void lose(Time begin, Time end, std::uint64_t count);
    /// So that the trace does not end before.
    void tick(Time time);

    void write(const std::filesystem::path& folder, bool has_sched_events);

private:
    struct Kept {
        unsigned cpu = 0;
        test::CtfEvent event;
    };
    struct Lost {
        Time begin = 0;
        Time end = 0;
        std::uint64_t count = 0;
    };

    test::CtfEvent& event(unsigned cpu, Time time, const char* name, std::int32_t pid,
                          std::int32_t tid, const char* comm);
    void switch_to(unsigned cpu, Time time, std::int32_t prev, const char* prev_name,
                   std::int64_t prev_state, std::int32_t next, const char* next_name);
    void job_event(const Job& job, Time time, const char* name);
    void fence_event(const Job& job, Time time, const char* name, unsigned cpu,
                     const Process* process);

    simulator::Random m_random;
    std::vector<Kept> m_events;
    std::vector<Lost> m_losses;
    std::size_t m_room = 4;
    std::array<std::vector<Job>, 3> m_on_ring;
    std::array<Time, 3> m_last_submitted{};
    std::array<Time, 3> m_last_completed{};
    std::array<std::array<std::uint64_t, 3>, 3> m_seqnos{};
    std::array<std::array<Time, 3>, 3> m_context_free{};
};

} // namespace lttng_gpu::planted
