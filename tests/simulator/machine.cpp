// SPDX-License-Identifier: MIT
//
// See machine.hpp: the schedulers, and the engines of drivers with drm_sched.
#include "machine.hpp"

#include <algorithm>

namespace lttng_gpu::simulator {
namespace {

/// drm_sched_fence_release_finished() frees by RCU; really it is milliseconds.
constexpr Time grace_period = 100'000;

void number_submissions(std::vector<TrueJob>& jobs)
{
    std::vector<TrueJob*> submitted;
    for (TrueJob& job : jobs) {
        if (!job.intervals.empty()) {
            submitted.push_back(&job);
        }
    }
    std::stable_sort(submitted.begin(), submitted.end(),
                     [](const TrueJob* left, const TrueJob* right) {
                         return left->intervals[0].submitted < right->intervals[0].submitted;
                     });
    for (std::size_t place = 0; place < submitted.size(); ++place) {
        submitted[place]->sent = place + 1;
    }
}

} // namespace

World simulate(const Hardware& hardware, const Workload& workload, Random& random)
{
    return Machine{hardware, workload, random}.run();
}

Machine::Machine(const Hardware& hardware, const Workload& workload, Random& random)
    : m_hardware{hardware}, m_workload{workload}, m_random{random}
{
    m_world.rings = hardware.rings;
    m_world.jobs.reserve(workload.jobs + workload.clients);
    m_rings.resize(hardware.rings.size());
    m_clients.resize(workload.clients);
    for (std::uint32_t ring = 0; ring < m_rings.size(); ++ring) {
        m_world.workers.push_back({0, 900 + ring, "kworker/u:" + std::to_string(ring)});
        m_world.hardware_contexts.push_back(20 + ring);
        m_rings[ring].next_id = 1 + m_random.index(3); // ids of different rings collide
    }
    for (std::uint32_t client = 0; client < workload.clients; ++client) {
        const std::int64_t pid = 2000 + 10 * client;
        m_world.clients.push_back(
            {pid, pid + m_random.between(0, 3), "app" + std::to_string(client % 3)});
        m_clients[client].priority = m_random.chance(workload.high_priority) ? 1 : 0;
        plan(m_now + m_random.between(1, workload.think), What::ClientStep, client);
    }
}

World Machine::run()
{
    while (!m_plan.empty()) {
        const Happening happening = m_plan.top();
        m_plan.pop();
        m_now = happening.time;
        handle(happening);
    }
    m_world.end = m_now;
    number_submissions(m_world.jobs);
    return std::move(m_world);
}

void Machine::plan(Time time, What what, std::uint32_t subject, std::uint32_t stamp)
{
    m_plan.push({time, m_order++, what, subject, stamp});
}

void Machine::handle(const Happening& happening)
{
    switch (happening.what) {
    case What::ClientStep:
        step(happening.subject);
        break;
    case What::Submit:
        submit(happening.subject);
        break;
    case What::Complete:
        if (m_stamps[happening.subject] == happening.stamp) {
            complete(happening.subject);
        }
        break;
    case What::Dequeue:
        m_rings[happening.subject].is_submit_planned = false;
        dequeue(happening.subject);
        break;
    case What::Runnable:
        become_runnable(happening.subject);
        break;
    }
}

/// Whether nothing holds up the job; else what does, for the scheduler's events.
bool Machine::is_ready(std::uint32_t index, bool notes_blocked)
{
    for (const std::uint32_t other : job(index).depends_on) {
        if (job(other).completed != never) {
            continue;
        }
        auto& blocked = job(index).blocked;
        if (notes_blocked && (blocked.empty() || blocked.back().job != other)) {
            blocked.push_back({other, m_now});
        }
        return false;
    }
    return true;
}

void Machine::plan_submit(std::uint32_t ring)
{
    Ring& state = m_rings[ring];
    if (kind(ring) == RingKind::Execlists) {
        if (!state.is_submit_planned) {
            state.is_submit_planned = true;
            plan(m_now + m_random.between(100, 3000), What::Dequeue, ring);
        }
        return;
    }
    if (!state.is_submit_planned) {
        state.is_submit_planned = true;
        plan(std::max(state.worker_free, m_now + m_random.spread(200, 20'000)), What::Submit, ring);
    }
}

/// The next entity in turn whose first job can go, like drm_sched's round robin.
std::uint32_t Machine::pick(std::uint32_t ring)
{
    Ring& state = m_rings[ring];
    const unsigned credits = m_world.rings[ring].credits;
    const bool is_multiplexed = kind(ring) == RingKind::Multiplexed;
    if (!is_multiplexed && state.in_flight >= credits) {
        return nobody;
    }
    for (std::size_t count = 0; count < state.entities.size(); ++count) {
        const std::uint32_t index = state.entities[state.next_entity++ % state.entities.size()];
        Entity& entity = m_entities[index];
        // drm_sched_entity_kill() lets each job wait for the one before it.
        if (!entity.waiting.empty() && job(entity.waiting.front()).is_killed &&
            entity.in_flight > 0) {
            continue;
        }
        if (!entity.waiting.empty() && (!is_multiplexed || entity.in_flight < credits) &&
            is_ready(entity.waiting.front(), true)) {
            return index;
        }
    }
    return nobody;
}

void Machine::submit(std::uint32_t ring)
{
    Ring& state = m_rings[ring];
    state.is_submit_planned = false;
    const std::uint32_t picked = pick(ring);
    if (picked == nobody) {
        return;
    }
    Entity& entity = m_entities[picked];
    const std::uint32_t index = entity.waiting.front();
    entity.waiting.pop_front();
    state.worker_free = m_now + m_random.spread(600, 4000);
    if (job(index).is_killed) {
        kill(index);
        plan_submit(ring);
        return;
    }
    ++state.in_flight;
    ++entity.in_flight;
    job(index).ring_depth_at_submit = state.in_flight;
    job(index).intervals.push_back({.submitted = m_now});
    if (kind(ring) == RingKind::Parallel) {
        start(ring, index);
    } else {
        (kind(ring) == RingKind::Fifo ? state.on_hardware : entity.on_hardware).push_back(index);
        start_next(ring);
    }
    plan_submit(ring);
}

void Machine::start_next(std::uint32_t ring)
{
    Ring& state = m_rings[ring];
    if (state.running != nobody) {
        return;
    }
    if (kind(ring) == RingKind::Fifo) {
        if (!state.on_hardware.empty()) {
            state.running = state.on_hardware.front();
            state.on_hardware.pop_front();
            start(ring, state.running);
        }
        return;
    }
    // The firmware takes whichever context it likes, but each context in order.
    const std::size_t first = m_random.index(state.entities.size());
    for (std::size_t count = 0; count < state.entities.size(); ++count) {
        Entity& entity = m_entities[state.entities[(first + count) % state.entities.size()]];
        if (!entity.on_hardware.empty()) {
            state.running = entity.on_hardware.front();
            entity.on_hardware.pop_front();
            start(ring, state.running);
            return;
        }
    }
}

void Machine::start(std::uint32_t ring, std::uint32_t index)
{
    job(index).intervals.back().started = m_now;
    Time end = m_now + m_remaining[index];
    if (kind(ring) == RingKind::Parallel) {
        Entity& entity = m_entities[job(index).entity];
        end = std::max(end, entity.last_end + 1000);
        entity.last_end = end;
    }
    plan(end, What::Complete, index, m_stamps[index]);
}

void Machine::complete(std::uint32_t index)
{
    const std::uint32_t ring = job(index).ring;
    if (kind(ring) == RingKind::Execlists) {
        complete_execlists(index);
        return;
    }
    job(index).intervals.back().ended = m_now;
    --m_rings[ring].in_flight;
    --m_entities[job(index).entity].in_flight;
    end_job(index);
    if (kind(ring) != RingKind::Parallel) {
        m_rings[ring].running = nobody;
        start_next(ring);
    }
    if (kind(ring) != RingKind::Firmware) {
        plan_submit(ring);
    }
}

void Machine::kill(std::uint32_t index)
{
    end_job(index);
}

/// The job's fence is signaled: what waits for it goes on.
void Machine::end_job(std::uint32_t index)
{
    job(index).completed = m_now;
    m_free_pointers.emplace_back(m_now + grace_period, job(index).pointer);
    for (const std::uint32_t dependent : m_dependents[index]) {
        const std::uint32_t ring = job(dependent).ring;
        if (kind(ring) == RingKind::Execlists || kind(ring) == RingKind::Firmware) {
            plan(m_now + m_random.between(50, 2000), What::Runnable, dependent);
        } else {
            plan_submit(ring);
        }
    }
    const std::uint32_t client = job(index).client;
    Client& state = m_clients[client];
    std::erase(state.outstanding, index);
    if (state.waits_for == index) {
        state.waits_for = nobody;
        CpuWait& wait = m_world.waits[state.wait];
        wait.end = m_now + m_random.spread(500, 50'000);
        plan(wait.end + m_random.between(700, 2000), What::ClientStep, client);
    }
}

} // namespace lttng_gpu::simulator
