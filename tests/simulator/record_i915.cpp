// SPDX-License-Identifier: MIT
//
// See recording.hpp: i915. Sources: drivers/gpu/drm/i915/i915_trace.h (v4.16,
// v4.19, v5.5, v5.16), i915_request.c, gt/intel_execlists_submission.c,
// gt/uc/intel_guc_submission.c.
#include "recording.hpp"

namespace lttng_gpu::simulator {
namespace {

struct Engine {
    std::uint64_t number; // enum intel_engine_id of v4.16
    std::uint64_t engine_class;
    std::uint64_t instance;
};

/// From names like "rcs0" and "vcs1".
Engine engine_of(std::string_view name)
{
    const auto instance = static_cast<std::uint64_t>(name.back() - '0');
    switch (name.front()) {
    case 'b':
        return {1, 1, instance};
    case 'v':
        return name[1] == 'c' ? Engine{2 + instance, 2, instance} : Engine{4, 3, instance};
    case 'c':
        return {5, 4, instance};
    default:
        return {0, 0, instance};
    }
}

} // namespace

Event& Recorder::i915_event(Time time, Name gem, Name modern, Place place, std::uint32_t index,
                            Phase phase, std::size_t interval)
{
    const TrueJob& job = m_world.jobs[index];
    const Engine engine = engine_of(m_world.rings[job.ring].name);
    const bool is_gem = m_recording.i915 == I915Events::Gem;
    Event& event = add(time, is_gem ? gem : modern, place, index, phase, interval);
    event.tells_ring = true;
    event.with(Field::Dev, std::uint64_t{0})
        .with(Field::Ctx, job.context)
        .with(Field::Seqno, job.seqno);
    if (is_gem) {
        event.with(Field::Ring, engine.number);
    } else {
        event.with(Field::Class, engine.engine_class).with(Field::Instance, engine.instance);
    }
    if (m_recording.i915 != I915Events::Modern || m_recording.has_hardware_id) {
        event.with(Field::HwId, std::uint64_t{7});
    }
    return event;
}

void Recorder::i915_job(std::uint32_t index, const Place& submitting, const Place& ending)
{
    const TrueJob& job = m_world.jobs[index];
    const Place tasklet{nobody, job.ring % m_stream.cpus, true};
    const Thread& client = m_world.clients[job.client];
    if (m_recording.fences != FenceEvents::None) {
        const std::string_view driver =
            m_recording.i915 == I915Events::Modern ? "0000:00:02.0" : "i915";
        const std::string_view timeline =
            text(client.name + "[" + std::to_string(client.pid) + "]");
        Event& init = fence_event(job.queued - 400, Name::GpuFenceInit, submitting, driver,
                                  timeline, job.context, job.seqno);
        init.job = index;
        init.phase = Phase::Queued;
        init.is_weak = m_recording.i915 != I915Events::None;
        m_signaled[index] = job.completed + m_random.between(50, 800);
        Event& signaled = fence_event(m_signaled[index], Name::GpuFenceSignaled, ending, driver,
                                      "signaled", job.context, job.seqno);
        signaled.job = index;
        signaled.phase = Phase::Completed;
    }
    if (m_recording.i915 == I915Events::None) {
        return;
    }
    Event& queue = i915_event(job.queued - 200, Name::GemQueue, Name::I915Queue, submitting, index,
                              Phase::Queued);
    queue.with(Field::Flags, std::uint64_t{0});
    if (m_recording.has_device_name) {
        queue.with(Field::DevName, std::string_view{m_world.rings[job.ring].device});
    }
    i915_event(job.queued, Name::GemAdd, Name::I915Add, submitting, index, Phase::Queued);
    i915_event(job.completed + m_random.spread(2000, 200'000), Name::GemRetire, Name::I915Retire,
               ending, index, Phase::None);
    if (!m_recording.has_low_level) {
        return;
    }
    i915_event(job.runnable, Name::GemSubmit, Name::I915Submit, tasklet, index, Phase::Runnable);
    for (std::size_t interval = 0; interval < job.intervals.size(); ++interval) {
        const Interval& part = job.intervals[interval];
        Event& execute = i915_event(part.submitted, Name::GemExecute, Name::I915Execute, tasklet,
                                    index, Phase::Submitted, interval);
        execute.is_weak = part.carrier == index || m_recording.is_firmware;
        if (m_recording.is_firmware) {
            i915_event(part.submitted, Name::GemIn, Name::I915In, tasklet, index, Phase::Submitted,
                       interval)
                .with(Field::Port, std::uint64_t{0})
                .with(Field::Prio, trace::FieldValue{std::int64_t{job.priority}});
            i915_event(part.submitted, Name::GemSubmit, Name::I915GucSubmit, tasklet, index,
                       Phase::Submitted, interval);
        }
    }
}

/// execlists_schedule_in(), execlists_schedule_out() and the breadcrumbs that end
/// requests by their global seqno (up to 5.0).
void Recorder::i915_ports()
{
    if (m_recording.i915 == I915Events::None || !m_recording.has_low_level) {
        return;
    }
    const bool has_global = m_recording.i915 != I915Events::Modern;
    std::vector<std::uint64_t> globals(m_world.rings.size(), 0);
    std::vector<std::uint64_t> global_of(m_world.jobs.size(), 0);
    for (const PortEvent& change : m_world.port_events) {
        const TrueJob& job = m_world.jobs[change.job];
        const Place tasklet{nobody, job.ring % m_stream.cpus, true};
        // The interval that the change belongs to.
        std::size_t interval = 0;
        while (interval + 1 < job.intervals.size() &&
               (change.is_in ? job.intervals[interval + 1].submitted <= change.time
                             : job.intervals[interval].ended < change.time)) {
            ++interval;
        }
        const bool is_end = job.intervals[interval].ended == change.time;
        const Phase out_phase = change.is_completed ? Phase::Completed
                                : is_end            ? Phase::Preempted
                                                    : Phase::None;
        Event& event = i915_event(change.time, change.is_in ? Name::GemIn : Name::GemOut,
                                  change.is_in ? Name::I915In : Name::I915Out, tasklet, change.job,
                                  change.is_in ? Phase::Submitted : out_phase, interval);
        if (change.is_in) {
            if (has_global) {
                global_of[change.job] = ++globals[job.ring];
            }
            event.with(Field::Port, std::uint64_t{change.port})
                .with(Field::Prio, trace::FieldValue{std::int64_t{job.priority}});
            // Given anew while it went on running: nothing begins.
            const bool is_first = job.intervals[interval].submitted == change.time;
            event.is_weak = !is_first;
        } else {
            event.with(Field::Completed, std::uint64_t{change.is_completed ? 1U : 0U});
        }
        if (has_global) {
            event.with(Field::Global, global_of[change.job]);
        }
    }
    if (!has_global) {
        return;
    }
    for (std::uint32_t index = 0; index < m_world.jobs.size(); ++index) {
        const TrueJob& job = m_world.jobs[index];
        const Engine engine = engine_of(m_world.rings[job.ring].name);
        Event& notify = add(job.completed + 10, Name::EngineNotify,
                            Place{nobody, job.ring % m_stream.cpus, true}, index, Phase::Completed);
        notify.with(Field::Dev, std::uint64_t{0})
            .with(Field::Seqno, global_of[index])
            .with(Field::Waiters, std::uint64_t{1});
        if (m_recording.i915 == I915Events::Gem) {
            notify.with(Field::Ring, engine.number);
        } else {
            notify.with(Field::Class, engine.engine_class).with(Field::Instance, engine.instance);
        }
    }
}

} // namespace lttng_gpu::simulator
