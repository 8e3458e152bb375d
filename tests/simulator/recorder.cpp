// SPDX-License-Identifier: MIT
//
// See recording.hpp: where events are recorded, and what all drivers share. CPUs:
// a client stays on its own, workers and interrupts move about.
#include "recording.hpp"

#include <algorithm>

namespace lttng_gpu::simulator {

Stream Recorder::record()
{
    m_stream.has_contexts = m_recording.has_contexts;
    for (std::size_t client = 0; client < m_world.clients.size(); ++client) {
        m_client_cpus.push_back(m_random.index(m_stream.cpus));
    }
    m_stream.events.reserve(m_world.jobs.size() * 8);
    m_signaled.assign(m_world.jobs.size(), never);
    for (std::uint32_t job = 0; job < m_world.jobs.size(); ++job) {
        const Place submitting = submitter(job);
        const Place working = worker(job);
        const Place ending = interrupt();
        switch (m_recording.driver) {
        case Driver::DrmSched:
        case Driver::Amdgpu:
        case Driver::Xe:
            sched_job(job, submitting, working, ending);
            break;
        case Driver::VirtioGpu:
            virtio_job(job, submitting, ending);
            break;
        case Driver::I915:
            i915_job(job, submitting, ending);
            break;
        }
    }
    i915_ports();
    waits();
    sort_and_switch();
    return std::move(m_stream);
}

Recorder::Place Recorder::submitter(std::uint32_t job) const
{
    const std::uint32_t client = m_world.jobs[job].client;
    return {client, m_client_cpus[client], false};
}

/// The worker of a ring is one thread; it stays on one CPU so that its own order
/// holds when clocks are coarse.
Recorder::Place Recorder::worker(std::uint32_t job)
{
    const std::uint32_t ring = m_world.jobs[job].ring;
    return {static_cast<std::uint32_t>(m_world.clients.size()) + ring,
            (ring * 3 + 1) % m_stream.cpus, false};
}

Recorder::Place Recorder::interrupt()
{
    return {nobody, m_random.index(m_stream.cpus), true};
}

Event& Recorder::add(Time time, Name name, Place place, std::uint32_t job, Phase phase,
                     std::size_t interval)
{
    Event& event = m_stream.events.emplace_back();
    event.time = time;
    event.name = name;
    event.cpu = place.cpu;
    event.thread = place.thread;
    event.is_in_interrupt = place.is_in_interrupt;
    event.job = job;
    event.phase = phase;
    event.interval = static_cast<std::uint8_t>(interval);
    return event;
}

std::string_view Recorder::text(std::string text)
{
    return m_stream.texts.emplace_back(std::move(text));
}

/// `name` is one of the gpu_fence_* names; the recording's own is taken.
Event& Recorder::fence_event(Time time, Name name, Place place, std::string_view driver,
                             std::string_view timeline, std::uint64_t context, std::uint64_t seqno)
{
    unsigned shift = 0;
    if (m_recording.fences != FenceEvents::Gpu) {
        const auto first =
            m_recording.fences == FenceEvents::Dma ? Name::DmaFenceInit : Name::FenceInit;
        shift = static_cast<unsigned>(first) - static_cast<unsigned>(Name::GpuFenceInit);
        context &= 0xffffffffU;
        seqno &= 0xffffffffU;
    }
    Event& event = add(time, static_cast<Name>(static_cast<unsigned>(name) + shift), place);
    return event.with(Field::Driver, driver)
        .with(Field::Timeline, timeline)
        .with(Field::Context, context)
        .with(Field::Seqno, seqno);
}

/// dma_fence_wait_timeout() and i915_request_wait() of the clients.
void Recorder::waits()
{
    if (m_recording.driver == Driver::VirtioGpu) {
        return; // the simulated client goes on before its command is queued
    }
    const bool is_i915 = m_recording.driver == Driver::I915;
    for (const CpuWait& wait : m_world.waits) {
        const TrueJob& job = m_world.jobs[wait.job];
        const Place place = submitter(wait.job);
        if (wait.end == never || job.completed == never) {
            continue;
        }
        if (is_i915) {
            i915_event(wait.begin, Name::GemWaitBegin, Name::I915WaitBegin, place, wait.job,
                       Phase::WaitBegin)
                .with(Field::Flags, std::uint64_t{1});
            i915_event(wait.end, Name::GemWaitEnd, Name::I915WaitEnd, place, wait.job,
                       Phase::WaitEnd);
        } else if (m_recording.fences != FenceEvents::None) {
            const std::string_view ring = m_world.rings[job.ring].name;
            const bool is_over = job.completed < wait.begin;
            Event& begin = fence_event(wait.begin, Name::GpuFenceWaitStart, place, "drm_sched",
                                       is_over ? "signaled" : ring, job.context, job.seqno);
            begin.job = wait.job;
            begin.phase = Phase::WaitBegin;
            Event& end = fence_event(wait.end, Name::GpuFenceWaitEnd, place, "drm_sched",
                                     "signaled", job.context, job.seqno);
            end.job = wait.job;
            end.phase = Phase::WaitEnd;
        }
    }
}

/// Without contexts, sched_switch and the state dump tell who ran.
void Recorder::sort_and_switch()
{
    auto& events = m_stream.events;
    std::stable_sort(events.begin(), events.end(),
                     [](const Event& left, const Event& right) { return left.time < right.time; });
    if (m_recording.has_contexts) {
        return;
    }
    std::vector<Event> all;
    all.reserve(events.size() * 2);
    const Time begin = events.empty() ? 0 : events.front().time - 1000;
    const auto threads =
        static_cast<std::uint32_t>(m_world.clients.size() + m_world.workers.size());
    for (std::uint32_t index = 0; index < threads; ++index) {
        const Thread& thread = thread_at(m_world, index);
        Event dump;
        dump.time = begin;
        dump.name = Name::ProcessState;
        dump.with(Field::Tid, trace::FieldValue{thread.tid})
            .with(Field::Pid, trace::FieldValue{thread.pid})
            .with(Field::CommName, std::string_view{thread.name});
        all.push_back(dump);
    }
    std::vector<std::uint32_t> running(m_stream.cpus, nobody);
    for (const Event& event : events) {
        if (!event.is_in_interrupt && running[event.cpu] != event.thread) {
            const Thread& thread = thread_at(m_world, event.thread);
            Event change;
            change.time = event.time;
            change.cpu = event.cpu;
            change.name = Name::SchedSwitch;
            change.thread = event.thread;
            change.with(Field::NextTid, trace::FieldValue{thread.tid})
                .with(Field::NextComm, std::string_view{thread.name});
            all.push_back(change);
            running[event.cpu] = event.thread;
        }
        all.push_back(event);
    }
    events = std::move(all);
}

} // namespace lttng_gpu::simulator
