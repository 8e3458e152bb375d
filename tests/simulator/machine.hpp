// SPDX-License-Identifier: MIT
//
// The discrete-event simulation behind simulate(): clients that queue jobs,
// schedulers with limited credits, and engines of every RingKind. Engines of
// drivers with drm_sched are in machine.cpp, those of i915 in execlists.cpp.
#pragma once

#include "workload.hpp"

#include <deque>
#include <queue>

namespace lttng_gpu::simulator {

class Machine {
public:
    Machine(const Hardware& hardware, const Workload& workload, Random& random);

    World run();

private:
    enum class What : std::uint8_t { ClientStep, Submit, Complete, Dequeue, Runnable };

    struct Happening {
        Time time;
        std::uint64_t order; // those at the same time come as they were planned
        What what;
        std::uint32_t subject;
        std::uint32_t stamp; // a Complete is void when the job was preempted since

        bool operator>(const Happening& other) const
        {
            return time != other.time ? time > other.time : order > other.order;
        }
    };

    struct Entity {
        std::uint32_t ring = 0;
        std::uint64_t context = 0;
        std::uint64_t next_seqno = 1;
        std::deque<std::uint32_t> waiting;
        std::deque<std::uint32_t> on_hardware; // Multiplexed and Firmware only
        Time last_end = 0; // Parallel: fences of one context are signaled in order
        unsigned in_flight = 0;
    };

    struct Port {
        std::uint32_t entity = nobody;
        std::deque<std::uint32_t> jobs; // not yet ended; the last one is the carrier
        std::uint32_t carrier = nobody;
    };

    struct Ring {
        std::vector<std::uint32_t> entities;
        std::deque<std::uint32_t> on_hardware;
        std::deque<Port> ports;
        std::uint32_t running = nobody;
        Time worker_free = 0;
        bool is_submit_planned = false;
        std::size_t next_entity = 0;
        unsigned in_flight = 0;
        std::uint64_t next_id = 1;
    };

    struct Client {
        std::vector<std::uint32_t> entities;
        std::vector<std::uint32_t> outstanding; // oldest first
        std::vector<std::uint32_t> step_jobs;   // of the last pass through the script
        std::size_t next_step = 0;
        Time loop_begin = 0;
        std::uint32_t waits_for = nobody;
        std::size_t wait = 0; // the one under way
        std::uint8_t priority = 0;
    };

    void plan(Time time, What what, std::uint32_t subject, std::uint32_t stamp = 0);
    void handle(const Happening& happening);

    // clients
    void step(std::uint32_t client);
    void random_step(std::uint32_t client);
    void script_step(std::uint32_t client);
    std::uint32_t entity_of(std::uint32_t client, std::uint32_t ring, std::uint32_t context);
    std::uint32_t queue_job(std::uint32_t client, std::uint32_t entity, Time execution,
                            std::vector<std::uint32_t> depends_on);
    void wait(std::uint32_t client, std::uint32_t job);
    std::uint64_t new_pointer();
    bool is_over() const { return m_world.jobs.size() >= m_workload.jobs; }

    // schedulers and simple engines
    bool is_ready(std::uint32_t job, bool notes_blocked);
    void plan_submit(std::uint32_t ring);
    std::uint32_t pick(std::uint32_t ring);
    void submit(std::uint32_t ring);
    void start_next(std::uint32_t ring);
    void start(std::uint32_t ring, std::uint32_t job);
    void complete(std::uint32_t job);
    void end_job(std::uint32_t job);
    void kill(std::uint32_t job);

    // i915
    void become_runnable(std::uint32_t job);
    void dequeue(std::uint32_t ring);
    void fill_ports(std::uint32_t ring);
    void extend_ports(std::uint32_t ring);
    void fill(std::uint32_t ring, Port& port, std::uint8_t number);
    void give(std::uint32_t ring, std::size_t first_new);
    void preempt(std::uint32_t ring);
    std::uint32_t best_ready(std::uint32_t ring, const Port* except) const;
    void run_port(std::uint32_t ring);
    void complete_execlists(std::uint32_t job);

    TrueJob& job(std::uint32_t index) { return m_world.jobs[index]; }
    RingKind kind(std::uint32_t ring) const { return m_world.rings[ring].kind; }

    const Hardware& m_hardware;
    const Workload& m_workload;
    Random& m_random;
    World m_world;
    std::vector<Entity> m_entities;
    std::vector<Ring> m_rings;
    std::vector<Client> m_clients;
    std::deque<std::pair<Time, std::uint64_t>> m_free_pointers; // from when they are free
    std::vector<std::uint32_t> m_stamps; // per job: how often it was taken off the hardware
    std::vector<std::int64_t> m_remaining;
    std::vector<std::vector<std::uint32_t>> m_dependents;
    std::priority_queue<Happening, std::vector<Happening>, std::greater<>> m_plan;
    Time m_now = 1'000'000;
    std::uint64_t m_order = 0;
};

} // namespace lttng_gpu::simulator
