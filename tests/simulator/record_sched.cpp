// SPDX-License-Identifier: MIT
//
// See recording.hpp: drivers on drm_sched (amdgpu, xe and others), and
// virtio_gpu. Sources: drivers/gpu/drm/scheduler/gpu_scheduler_trace.h and
// sched_main.c (v4.17, v5.7, v5.19, v6.17), amdgpu_trace.h and amdgpu_cs.c
// (v5.5, v6.1), xe_trace.h and xe_sched_job.c (v6.8), virtgpu_trace.h (v6.4).
#include "recording.hpp"

namespace lttng_gpu::simulator {
namespace {

bool is_by_pointer(SchedEvents events)
{
    return events == SchedEvents::ProcessOnly || events == SchedEvents::Pointers;
}

} // namespace

trace::FieldValue Recorder::ring_name(std::uint32_t ring, bool is_number) const
{
    return is_number ? trace::FieldValue{ring_number(ring)}
                     : trace::FieldValue{std::string_view{m_world.rings[ring].name}};
}

void Recorder::sched_job(std::uint32_t index, const Place& submitting, const Place& working,
                         const Place& ending)
{
    const TrueJob& job = m_world.jobs[index];
    if (m_recording.fences != FenceEvents::None) {
        sched_fences(index, submitting, working, ending);
    }
    if (m_recording.has_amdgpu_events) {
        amdgpu_job(index, submitting, working);
    }
    if (m_recording.has_xe_events) {
        xe_job(index, submitting, working, ending);
    }
    if (m_recording.sched == SchedEvents::None) {
        return;
    }
    const bool is_stable = m_recording.sched == SchedEvents::Stable;
    sched_event(job.queued, is_stable ? Name::JobQueue : Name::SchedJob, submitting, index,
                Phase::Queued);
    dependencies(index, submitting, working);
    if (job.is_killed) {
        return; // drm_sched_entity_kill_jobs_work() signals the fences only
    }
    if (m_recording.sched != SchedEvents::ProcessOnly) {
        sched_event(job.intervals[0].submitted, is_stable ? Name::JobRun : Name::RunJob, working,
                    index, Phase::Submitted);
    }
    Event& done = add(job.completed, is_stable ? Name::JobDone : Name::ProcessJob, ending, index,
                      Phase::Completed);
    done.is_by_pointer = is_by_pointer(m_recording.sched);
    if (!is_stable) {
        done.with(Field::Fence, job.pointer);
    }
    if (!done.is_by_pointer) {
        done.with(Field::FenceContext, job.context).with(Field::FenceSeqno, job.seqno);
    }
}

/// drm_sched_entity_push_job() and drm_sched_run_job_work().
void Recorder::sched_event(Time time, Name name, Place place, std::uint32_t index, Phase phase)
{
    const TrueJob& job = m_world.jobs[index];
    const RingConfig& ring = m_world.rings[job.ring];
    const bool is_run = phase == Phase::Submitted;
    const bool is_stable = m_recording.sched == SchedEvents::Stable;
    Event& event = add(time, name, place, index, phase);
    event.tells_ring = true;
    event.is_by_pointer = is_by_pointer(m_recording.sched);
    if (!is_stable) {
        event.with(Field::Entity, 0xffff'9990'0000'0000ULL + std::uint64_t{job.entity} * 0x200)
            .with(Field::Fence, job.pointer)
            .with(Field::Id, job.id);
    }
    event.with(Field::RingName, ring_name(job.ring, m_recording.has_sched_numbers))
        .with(Field::JobCount, std::uint64_t{job.entity_depth});
    // Credits since 6.8.
    const std::uint64_t depth = is_run ? job.ring_depth_at_submit : job.ring_depth_at_queue;
    event.with(Field::HwJobCount, is_stable ? depth * 3 : depth);
    if (!event.is_by_pointer) {
        event.with(Field::FenceContext, job.context).with(Field::FenceSeqno, job.seqno);
        if (m_recording.has_device) {
            event.with(Field::Dev, std::string_view{ring.device});
        }
        if (is_run) {
            event.with(Field::Driver, m_recording.driver_name);
        }
    }
    if (is_stable) {
        event.with(Field::ClientId, std::uint64_t{job.client});
    }
}

/// add_dep follows queue in the same call; unschedulable and wait_dep come from
/// drm_sched_entity_add_dependency_cb() and drm_sched_entity_pop_job().
void Recorder::dependencies(std::uint32_t index, const Place& submitting, const Place& working)
{
    const TrueJob& job = m_world.jobs[index];
    const auto put = [&](Event& event, const TrueJob& other) {
        event.with(Field::Ctx, other.context).with(Field::Seqno, other.seqno);
        if (!is_by_pointer(m_recording.sched)) {
            event.with(Field::FenceContext, job.context).with(Field::FenceSeqno, job.seqno);
        }
    };
    const bool is_stable = m_recording.sched == SchedEvents::Stable;
    if (is_stable) {
        for (const std::uint32_t other : job.depends_on) {
            put(add(job.queued, Name::AddDep, submitting, index, Phase::Dependency),
                m_world.jobs[other]);
        }
    }
    for (const Blocked& blocked : job.blocked) {
        const TrueJob& other = m_world.jobs[blocked.job];
        Event& event = add(blocked.since, is_stable ? Name::Unschedulable : Name::WaitDep, working,
                           index, Phase::Dependency);
        put(event, other);
        if (!is_stable) {
            event.with(Field::RingName, ring_name(job.ring, m_recording.has_sched_numbers))
                .with(Field::Id, job.id)
                .with(Field::Fence, other.pointer);
        }
    }
}

/// amdgpu_cs_submit() just before the push, amdgpu_job_run() just after the run.
void Recorder::amdgpu_job(std::uint32_t index, const Place& submitting, const Place& working)
{
    const TrueJob& job = m_world.jobs[index];
    const RingConfig& ring = m_world.rings[job.ring];
    const auto put = [&](Event& event) -> Event& {
        event.tells_ring = true;
        // Our probe and the kernel's record call it `ring`, the kernel's text `ring_name`.
        const Field name =
            m_recording.sched == SchedEvents::Pointers ? Field::RingNameText : Field::Ring;
        return event.with(Field::SchedJobId, job.id)
            .with(Field::Timeline, std::string_view{ring.name})
            .with(Field::Context, job.context)
            .with(Field::Seqno, job.seqno)
            .with(name, ring_name(job.ring, m_recording.has_amdgpu_numbers))
            .with(Field::NumIbs, std::uint64_t{2});
    };
    put(add(job.queued - 150, Name::AmdgpuCsIoctl, submitting, index, Phase::Queued));
    if (job.is_killed) {
        return;
    }
    Event& run = put(add(job.intervals[0].submitted + 80, Name::AmdgpuSchedRunJob, working, index,
                         Phase::Submitted));
    if (m_recording.has_device) {
        run.with(Field::Dev, std::string_view{ring.device});
    }
}

/// xe_sched_job_push(), guc_exec_queue_run_job(), xe_hw_fence_irq_run_cb().
void Recorder::xe_job(std::uint32_t index, const Place& submitting, const Place& working,
                      const Place& ending)
{
    const TrueJob& job = m_world.jobs[index];
    const RingConfig& ring = m_world.rings[job.ring];
    const std::uint64_t hardware_pointer = job.pointer ^ 0x0000'0777'0000'0000ULL;
    const auto put = [&](Event& event) -> Event& {
        event.tells_ring = true;
        return event.with(Field::Dev, std::string_view{ring.device})
            .with(Field::Ctx, hardware_fence_base + job.entity)
            .with(Field::Seqno, job.seqno)
            .with(Field::LrcSeqno, job.seqno)
            .with(Field::GtId, std::uint64_t{0})
            .with(Field::GucId, std::uint64_t{job.entity})
            .with(Field::Fence, hardware_pointer)
            .with(Field::FenceContext, job.context)
            .with(Field::FenceSeqno, job.seqno);
    };
    put(add(job.queued - 100, Name::XeExec, submitting, index, Phase::Queued));
    put(add(job.intervals[0].submitted + 100, Name::XeRun, working, index, Phase::Submitted));
    if (job.is_hanging) {
        put(add(job.completed - 300, Name::XeTimedOut, working, index));
    }
    Event& end = add(job.completed - 50, Name::XeFenceSignal, ending, index, Phase::Completed);
    end.is_weak = m_recording.sched != SchedEvents::None;
    end.with(Field::Dev, std::string_view{ring.device})
        .with(Field::Ctx, hardware_fence_base + job.entity)
        .with(Field::Seqno, job.seqno)
        .with(Field::Fence, hardware_pointer);
}

/// The scheduled and the finished fence of a job, and the hardware's between them.
void Recorder::sched_fences(std::uint32_t index, const Place& submitting, const Place& working,
                            const Place& ending)
{
    const TrueJob& job = m_world.jobs[index];
    const std::string_view ring = m_world.rings[job.ring].name;
    const std::string_view driver =
        m_recording.fences == FenceEvents::Old ? "amd_sched" : "drm_sched";
    const bool has_queue = m_recording.sched != SchedEvents::None ||
                           m_recording.has_amdgpu_events || m_recording.has_xe_events;
    const bool has_run = has_queue && m_recording.sched != SchedEvents::ProcessOnly;
    const auto tell = [&](Event& event, Phase phase, bool is_weak) {
        event.job = index;
        event.phase = phase;
        event.is_weak = is_weak;
        event.tells_ring = true;
    };
    fence_event(job.queued - 300, Name::GpuFenceInit, submitting, driver, ring, job.context - 1,
                job.seqno)
        .job = index;
    tell(fence_event(job.queued - 299, Name::GpuFenceInit, submitting, driver, ring, job.context,
                     job.seqno),
         Phase::Queued, has_queue);
    const Time finished = job.completed + 300;
    if (job.is_killed) {
        fence_event(job.completed + 200, Name::GpuFenceSignaled, working, driver, ring,
                    job.context - 1, job.seqno);
        tell(fence_event(finished, Name::GpuFenceSignaled, working, driver, ring, job.context,
                         job.seqno),
             Phase::Completed, false);
        m_signaled[index] = finished;
        return;
    }
    const Time submitted = job.intervals[0].submitted;
    if (m_recording.driver == Driver::Amdgpu) {
        fence_event(submitted + 150, Name::GpuFenceInit, working, "amdgpu", ring,
                    m_world.hardware_contexts[job.ring], index + 1);
        fence_event(job.completed - 20, Name::GpuFenceSignaled, ending, "amdgpu", ring,
                    m_world.hardware_contexts[job.ring], index + 1);
    }
    tell(fence_event(submitted + 300, Name::GpuFenceSignaled, working, driver, ring,
                     job.context - 1, job.seqno),
         Phase::Submitted, has_run);
    const bool has_done = m_recording.sched != SchedEvents::None;
    tell(
        fence_event(finished, Name::GpuFenceSignaled, ending, driver, ring, job.context, job.seqno),
        Phase::Completed, has_done || m_recording.has_xe_events);
    m_signaled[index] = has_done ? job.completed : finished;
}

/// virtio_gpu_fence_alloc(), virtio_gpu_fence_emit(), virtio_gpu_queue_ctrl_sgs()
/// in the submitting thread; virtio_gpu_dequeue_ctrl_func() in a worker.
void Recorder::virtio_job(std::uint32_t index, const Place& submitting, const Place& ending)
{
    const TrueJob& job = m_world.jobs[index];
    const std::string& device = m_world.rings[job.ring].device;
    const bool has_fences = m_recording.fences != FenceEvents::None;
    const Time sent = job.intervals[0].submitted;
    const std::uint64_t fence_id = job.sent;
    const auto put = [&](Event& event) {
        event.with(Field::Dev, static_cast<std::uint64_t>(device.back() - '0'))
            .with(Field::VirtqueueNumber, std::uint64_t{0})
            .with(Field::RingName, std::string_view{m_world.rings[job.ring].name})
            .with(Field::Type, std::uint64_t{519})
            .with(Field::Flags, std::uint64_t{1})
            .with(Field::FenceId, fence_id)
            .with(Field::CtxId, std::uint64_t{job.client})
            .with(Field::NumFree, std::uint64_t{500});
        if (m_recording.has_virtqueue_seqno) {
            event.with(Field::Seqno, std::uint64_t{2} * fence_id);
        }
    };
    if (has_fences) {
        Event& init = fence_event(sent - 400, Name::GpuFenceInit, submitting, "virtio_gpu",
                                  "controlq", job.context, 0);
        init.job = index;
        init.phase = Phase::Queued;
        Event& emit = fence_event(sent - 60, Name::GpuFenceEmit, submitting, "virtio_gpu",
                                  "controlq", job.context, fence_id);
        emit.job = index;
        emit.phase = Phase::Submitted;
        emit.is_weak = true;
    }
    Event& command = add(sent, Name::VirtioCommand, submitting, index, Phase::Submitted);
    command.tells_ring = true;
    put(command);
    Event& response = add(job.completed, Name::VirtioResponse, ending, index, Phase::Completed);
    response.tells_ring = true;
    put(response);
    if (has_fences) {
        Event& signaled = fence_event(job.completed + 200, Name::GpuFenceSignaled, ending,
                                      "virtio_gpu", "controlq", job.context, fence_id);
        signaled.job = index;
        signaled.phase = Phase::Completed;
        signaled.is_weak = true;
    }
}

} // namespace lttng_gpu::simulator
