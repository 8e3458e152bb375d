// SPDX-License-Identifier: MIT
//
// See machine.hpp: engines of i915. With execlists, each of two ports holds
// requests of one context; the driver tells the hardware only about the last of
// them, the carrier. Written after execlists_dequeue() and process_csb() in
// drivers/gpu/drm/i915/gt/intel_lrc.c (v5.4, v5.10), intel_lrc.c (v4.16) and
// guc_dequeue_one_context() in gt/uc/intel_guc_submission.c (v5.16).
#include "machine.hpp"

#include <algorithm>

namespace lttng_gpu::simulator {

/// submit_notify(): requests of one context become runnable in their order.
void Machine::become_runnable(std::uint32_t index)
{
    const std::uint32_t ring = job(index).ring;
    Entity& entity = m_entities[job(index).entity];
    bool is_any = false;
    std::size_t place = 0;
    while (place < entity.waiting.size()) {
        const std::uint32_t next = entity.waiting[place];
        if (job(next).runnable == never) {
            if (!is_ready(next, false)) {
                break;
            }
            job(next).runnable = m_now;
            is_any = true;
        }
        if (kind(ring) == RingKind::Execlists) {
            ++place;
            continue;
        }
        // guc_bypass_tasklet_submit(): at once, in the same call
        job(next).runnable = std::max(job(next).queued, m_now - 40);
        entity.waiting.pop_front();
        job(next).intervals.push_back({.submitted = m_now});
        entity.on_hardware.push_back(next);
        ++m_rings[ring].in_flight;
        ++entity.in_flight;
        start_next(ring);
    }
    if (is_any && kind(ring) == RingKind::Execlists) {
        plan_submit(ring);
    }
}

/// The context to run next: highest priority, then longest ready.
std::uint32_t Machine::best_ready(std::uint32_t ring, const Port* except) const
{
    std::uint32_t best = nobody;
    for (const std::uint32_t index : m_rings[ring].entities) {
        const Entity& entity = m_entities[index];
        if (entity.waiting.empty() || (except != nullptr && except->entity == index)) {
            continue;
        }
        const TrueJob& front = m_world.jobs[entity.waiting.front()];
        if (front.runnable == never) {
            continue;
        }
        if (best != nobody) {
            const TrueJob& other = m_world.jobs[m_entities[best].waiting.front()];
            if (front.priority < other.priority ||
                (front.priority == other.priority && front.runnable >= other.runnable)) {
                continue;
            }
        }
        best = index;
    }
    return best;
}

void Machine::dequeue(std::uint32_t ring)
{
    Ring& state = m_rings[ring];
    const std::uint32_t best = best_ready(ring, nullptr);
    if (best == nobody) {
        return;
    }
    if (!state.ports.empty()) {
        const std::uint32_t running = state.ports.front().carrier;
        if (job(m_entities[best].waiting.front()).priority > job(running).priority) {
            preempt(ring);
            return;
        }
    }
    if (m_hardware.has_pending_ports && state.ports.size() == 1) {
        extend_ports(ring);
    } else {
        fill_ports(ring);
    }
    run_port(ring);
}

/// Puts what is ready of the port's context into it.
void Machine::fill(std::uint32_t, Port& port, std::uint8_t number)
{
    Entity& entity = m_entities[port.entity];
    const std::size_t first = port.jobs.size();
    do {
        const std::uint32_t index = entity.waiting.front();
        entity.waiting.pop_front();
        job(index).intervals.push_back({.submitted = m_now, .port = number});
        port.jobs.push_back(index);
    } while (m_hardware.has_coalescing && !entity.waiting.empty() &&
             job(entity.waiting.front()).runnable != never && m_random.chance(0.7));
    port.carrier = port.jobs.back();
    for (std::size_t place = first; place < port.jobs.size(); ++place) {
        job(port.jobs[place]).intervals.back().carrier = port.carrier;
    }
    if (!m_hardware.has_pending_ports) {
        for (std::size_t place = first; place < port.jobs.size(); ++place) {
            m_world.port_events.push_back({m_now, port.jobs[place], number, true, false});
        }
    }
}

void Machine::fill_ports(std::uint32_t ring)
{
    Ring& state = m_rings[ring];
    const std::size_t first_new = state.ports.size();
    while (state.ports.size() < 2) {
        const Port* first = state.ports.empty() ? nullptr : &state.ports.front();
        const std::uint32_t entity = best_ready(ring, first);
        if (entity == nobody) {
            break;
        }
        Port port;
        port.entity = entity;
        fill(ring, port, static_cast<std::uint8_t>(state.ports.size()));
        state.ports.push_back(std::move(port));
    }
    give(ring, first_new);
}

/// Since v5.4 the second port first (execlists_dequeue()).
void Machine::give(std::uint32_t ring, std::size_t first_new)
{
    if (!m_hardware.has_pending_ports) {
        return; // fill() has told of each request
    }
    const auto& ports = m_rings[ring].ports;
    for (std::size_t place = ports.size(); place-- > first_new;) {
        m_world.port_events.push_back(
            {m_now, ports[place].carrier, static_cast<std::uint8_t>(place), true, false});
    }
}

/// Since v5.4 a running context that gets company is given anew together with
/// it; the old giving then ends with completed? = 0 although it goes on running.
void Machine::extend_ports(std::uint32_t ring)
{
    Ring& state = m_rings[ring];
    Port& first = state.ports.front();
    const std::uint32_t old = first.carrier;
    if (best_ready(ring, nullptr) == first.entity) {
        fill(ring, first, 0);
        for (const std::uint32_t index : first.jobs) {
            job(index).intervals.back().carrier = first.carrier;
        }
        give(ring, 0);
    } else {
        const std::size_t before = state.ports.size();
        fill_ports(ring);
        if (state.ports.size() == before) {
            return;
        }
        m_world.port_events.push_back({m_now, old, 0, true, false});
    }
    m_world.port_events.push_back({m_now, old, 0, false, false});
}

/// __unwind_incomplete_requests(), then what has come to the front.
void Machine::preempt(std::uint32_t ring)
{
    Ring& state = m_rings[ring];
    std::vector<PortEvent> outs;
    for (Port& port : state.ports) {
        outs.push_back({m_now, port.carrier, 0, false, false});
        for (auto place = port.jobs.rbegin(); place != port.jobs.rend(); ++place) {
            TrueJob& taken = job(*place);
            Interval& interval = taken.intervals.back();
            interval.ended = m_now;
            interval.is_preempted = true;
            if (interval.started != never) {
                m_remaining[*place] =
                    std::max<Time>(1, m_remaining[*place] - (m_now - interval.started));
                ++m_stamps[*place];
            }
            m_entities[port.entity].waiting.push_front(*place);
        }
    }
    state.ports.clear();
    state.running = nobody;
    if (!m_hardware.has_pending_ports) {
        m_world.port_events.insert(m_world.port_events.end(), outs.begin(), outs.end());
    }
    fill_ports(ring);
    if (m_hardware.has_pending_ports) {
        m_world.port_events.insert(m_world.port_events.end(), outs.begin(), outs.end());
    }
    run_port(ring);
}

void Machine::run_port(std::uint32_t ring)
{
    Ring& state = m_rings[ring];
    if (state.running == nobody && !state.ports.empty()) {
        state.running = state.ports.front().jobs.front();
        start(ring, state.running);
    }
}

void Machine::complete_execlists(std::uint32_t index)
{
    const std::uint32_t ring = job(index).ring;
    Ring& state = m_rings[ring];
    job(index).intervals.back().ended = m_now;
    end_job(index);
    Port& port = state.ports.front();
    port.jobs.pop_front();
    state.running = nobody;
    if (port.jobs.empty()) {
        m_world.port_events.push_back({m_now, port.carrier, 0, false, true});
        state.ports.pop_front();
    }
    run_port(ring);
    plan_submit(ring);
}

} // namespace lttng_gpu::simulator
