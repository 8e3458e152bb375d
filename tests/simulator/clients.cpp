// SPDX-License-Identifier: MIT
//
// See machine.hpp: the clients that queue jobs and wait for them.
#include "machine.hpp"

#include <algorithm>

namespace lttng_gpu::simulator {

void Machine::step(std::uint32_t client)
{
    if (is_over()) {
        return;
    }
    if (m_workload.script.empty()) {
        random_step(client);
    } else {
        script_step(client);
    }
}

void Machine::random_step(std::uint32_t client)
{
    Client& state = m_clients[client];
    const std::uint32_t ring = m_random.index(m_rings.size());
    const std::uint32_t entity =
        entity_of(client, ring, m_random.index(m_workload.contexts_per_client));
    std::vector<std::uint32_t> depends_on;
    const auto jobs = static_cast<std::uint32_t>(m_world.jobs.size());
    for (int count = 0; count < 2 && jobs > 0 && m_random.chance(m_workload.dependency); ++count) {
        const std::uint32_t other = jobs - 1 - m_random.index(std::min<std::size_t>(jobs, 8));
        // The scheduler knows the order within an entity and needs no fence for it.
        if (job(other).entity != entity && (depends_on.empty() || depends_on[0] != other)) {
            depends_on.push_back(other);
        }
    }
    queue_job(client, entity, m_random.spread(1000, m_workload.execution), std::move(depends_on));
    if (state.outstanding.size() >= m_workload.depth) {
        wait(client, state.outstanding.front());
    } else if (m_random.chance(m_workload.wait)) {
        wait(client, state.outstanding.back());
    } else {
        plan(m_now + m_random.spread(700, m_workload.think), What::ClientStep, client);
    }
}

void Machine::script_step(std::uint32_t client)
{
    Client& state = m_clients[client];
    const auto& script = m_workload.script;
    if (state.next_step == 0) {
        state.loop_begin = m_now;
        state.step_jobs.assign(script.size(), nobody);
    }
    const std::size_t place = state.next_step;
    state.next_step = (place + 1) % script.size();
    const Step& step = script[place];
    const auto job_at = [&](std::int32_t offset) {
        const std::int64_t target = static_cast<std::int64_t>(place) + offset;
        return target < 0 ? nobody : state.step_jobs[static_cast<std::size_t>(target)];
    };
    Time next = m_now + m_random.between(700, 2500);
    std::uint32_t awaited = nobody;
    if (step.kind == Step::Kind::Batch) {
        std::vector<std::uint32_t> depends_on;
        for (const std::int32_t offset : step.depends_on) {
            if (job_at(offset) != nobody) {
                depends_on.push_back(job_at(offset));
            }
        }
        const std::uint32_t entity = entity_of(client, step.ring, step.context);
        const std::uint32_t queued =
            queue_job(client, entity, m_random.between(step.low, step.high), std::move(depends_on));
        state.step_jobs[place] = queued;
        awaited = step.is_waited_for ? queued : nobody;
    } else if (step.kind == Step::Kind::Delay) {
        next += step.low;
    } else if (step.kind == Step::Kind::Period) {
        next = std::max(next, state.loop_begin + step.low);
    } else if (step.kind == Step::Kind::Sync) {
        awaited = job_at(step.offset);
    } else if (step.kind == Step::Kind::Priority) {
        state.priority = step.priority;
    }
    if (awaited == nobody && state.outstanding.size() >= 64) {
        awaited = state.outstanding.front();
    }
    if (awaited != nobody && job(awaited).completed == never) {
        wait(client, awaited);
    } else {
        plan(next, What::ClientStep, client);
    }
}

std::uint32_t Machine::entity_of(std::uint32_t client, std::uint32_t ring, std::uint32_t context)
{
    const std::size_t place = context * m_rings.size() + ring;
    auto& entities = m_clients[client].entities;
    if (entities.size() <= place) {
        entities.resize(place + 1, nobody);
    }
    if (entities[place] == nobody) {
        const auto index = static_cast<std::uint32_t>(m_entities.size());
        entities[place] = index;
        Entity entity;
        entity.ring = ring;
        // Scheduled fences have the even context, finished ones the odd one after it.
        entity.context = m_hardware.first_context + 2 * std::uint64_t{index} + 1;
        if (m_hardware.has_colliding_contexts) {
            entity.context = m_hardware.first_context + 2 * std::uint64_t{index / 2} + 1 +
                             (std::uint64_t{index % 2 + 1} << 32U);
        }
        entity.next_seqno = m_hardware.first_seqno;
        m_rings[ring].entities.push_back(index);
        m_entities.push_back(entity);
    }
    return entities[place];
}

std::uint32_t Machine::queue_job(std::uint32_t client, std::uint32_t entity_index, Time execution,
                                 std::vector<std::uint32_t> depends_on)
{
    Entity& entity = m_entities[entity_index];
    Ring& ring = m_rings[entity.ring];
    const auto index = static_cast<std::uint32_t>(m_world.jobs.size());
    TrueJob& queued = m_world.jobs.emplace_back();
    queued.ring = entity.ring;
    queued.client = client;
    queued.entity = entity_index;
    queued.context = entity.context;
    queued.seqno = entity.next_seqno & 0xffffffffU; // drm_sched and i915 count in 32 bits
    ++entity.next_seqno;
    queued.id = ring.next_id++;
    queued.pointer = new_pointer();
    queued.queued = m_now;
    queued.depends_on = std::move(depends_on);
    queued.is_hanging = m_random.chance(m_workload.hang);
    queued.execution = queued.is_hanging ? 30 * m_workload.execution : execution;
    queued.is_killed = m_random.chance(m_workload.kill);
    queued.priority = m_clients[client].priority;
    queued.entity_depth = static_cast<std::uint32_t>(entity.waiting.size());
    queued.ring_depth_at_queue = ring.in_flight;
    m_remaining.push_back(queued.execution);
    m_stamps.push_back(0);
    m_dependents.emplace_back();
    for (const std::uint32_t other : queued.depends_on) {
        m_dependents[other].push_back(index);
    }
    m_clients[client].outstanding.push_back(index);
    entity.waiting.push_back(index);
    if (kind(entity.ring) == RingKind::Execlists || kind(entity.ring) == RingKind::Firmware) {
        plan(m_now + m_random.between(50, 2000), What::Runnable, index);
    } else {
        plan_submit(entity.ring);
    }
    return index;
}

void Machine::wait(std::uint32_t client, std::uint32_t index)
{
    m_world.waits.push_back({index, client, m_now + m_random.between(100, 500), never});
    m_clients[client].waits_for = index;
    m_clients[client].wait = m_world.waits.size() - 1;
}

std::uint64_t Machine::new_pointer()
{
    if (m_hardware.reuses_pointers && !m_free_pointers.empty() &&
        m_free_pointers.front().first < m_now) {
        const std::uint64_t pointer = m_free_pointers.front().second;
        m_free_pointers.pop_front();
        return pointer;
    }
    // Neighbours 4 GiB apart: equal in their low halves.
    const std::uint64_t count = m_world.jobs.size();
    return 0xffff'8880'0000'0000ULL + (count / 2) * 0x140 + ((count % 2) << 32U);
}

} // namespace lttng_gpu::simulator
