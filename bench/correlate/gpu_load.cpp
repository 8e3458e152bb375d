// SPDX-License-Identifier: MIT
//
// See gpu_load.hpp. An action may come late to a busy CPU but never early, and
// what follows from it is planned from when it really was: causes stay before effects.
#include "gpu_load.hpp"

#include <algorithm>
#include <string>

namespace lttng_gpu::bench {
namespace {

constexpr std::array<std::string_view, ring_count> ring_names{"gfx_0.0.0", "comp_1.0.0", "sdma0",
                                                              "vcn_dec_0"};
constexpr std::uint64_t first_time = 3'600'000'000'000; // an hour after boot, ns
constexpr std::uint32_t most_outstanding = 4;
constexpr std::size_t hw_limit = 2;
constexpr std::uint64_t jobs_between_pauses = 50'000;
constexpr std::uint64_t pause = 250'000'000; // ns: longer than 27 bits can tell
constexpr std::uint64_t first_hw_context = 10;
constexpr std::uint64_t first_fence_context = 101;

Task make_task(std::int32_t pid, std::int32_t tid, const char* name, std::size_t number)
{
    Task task{pid, tid, {}};
    const std::string comm = name + std::to_string(number);
    std::memcpy(task.comm.data(), comm.data(), std::min(comm.size(), task.comm.size() - 1));
    return task;
}

} // namespace

GpuLoad::GpuLoad(std::vector<KernelStream>& cpus, std::uint64_t jobs, std::uint64_t seed)
    : m_random{seed}, m_jobs_to_queue{jobs}
{
    for (std::size_t index = 0; index < cpus.size(); ++index) {
        const std::int32_t worker = 60 + static_cast<std::int32_t>(index);
        m_cpus.push_back({&cpus[index], first_time, make_task(0, 0, "swapper/", index),
                          make_task(worker, worker, "kworker/u8:", index)});
    }
    for (std::size_t index = 0; index < process_count; ++index) {
        const std::int32_t pid = 1000 + 10 * static_cast<std::int32_t>(index);
        m_processes[index].submitter = make_task(pid, pid, "render-", index);
        m_processes[index].waiter = make_task(pid, pid + 1, "waiter-", index);
        plan_queue(first_time, index);
    }
}

void GpuLoad::run()
{
    while (!m_actions.empty()) {
        const Action action = m_actions.top();
        m_actions.pop();
        switch (action.kind) {
        case Kind::Queue:
            on_queue(action.time, action.who);
            break;
        case Kind::Run:
            on_run(action.time, action.who);
            break;
        case Kind::Done:
            on_done(action.time, action.who);
            break;
        case Kind::Other:
            on_other(action.time);
            break;
        }
    }
    for (const Cpu& cpu : m_cpus) {
        m_last = std::max(m_last, cpu.last);
    }
    for (Cpu& cpu : m_cpus) {
        cpu.stream->close(m_last);
    }
}

void GpuLoad::plan(std::uint64_t time, Kind kind, std::size_t who)
{
    m_actions.push({time, m_order++, kind, static_cast<std::uint32_t>(who)});
}

/// The next job of a process, after some work of its own.
void GpuLoad::plan_queue(std::uint64_t now, std::size_t process)
{
    const std::uint64_t time = now + m_random.between(20'000, 180'000);
    plan(time < m_pause_end ? m_pause_end + time % 100'000 : time, Kind::Queue, process);
}

/// The worker runs soon when there is a job and room for it in the hardware.
void GpuLoad::plan_run(std::uint64_t now, std::size_t index)
{
    Ring& ring = m_rings[index];
    if (!ring.is_run_planned && !ring.host_queue.empty() && ring.device.size() < hw_limit) {
        ring.is_run_planned = true;
        plan(now + m_random.between(1'000, 5'000), Kind::Run, index);
    }
}

/// The next moment of a CPU.
std::uint64_t GpuLoad::step(Cpu& cpu, std::uint64_t not_before)
{
    cpu.last = std::max(not_before, cpu.last + 200 + (m_random.next() & 1023U));
    return cpu.last;
}

JobFacts GpuLoad::facts(std::size_t ring, const QueuedJob& job) const
{
    return {ring_names[ring],
            static_cast<std::uint32_t>(m_rings[ring].host_queue.size()),
            static_cast<std::int32_t>(m_rings[ring].device.size()),
            job.fence_context,
            job.fence_seqno,
            1 + job.process};
}

/// drm_sched_entity_push_job() in the process, which then sleeps.
void GpuLoad::on_queue(std::uint64_t time, std::size_t index)
{
    Process& process = m_processes[index];
    if (m_jobs_to_queue == 0) {
        return;
    }
    if (process.outstanding == most_outstanding) {
        process.is_waiting = true;
        return;
    }
    if (--m_jobs_to_queue % jobs_between_pauses == 0) {
        m_pause_end = time + pause;
    }
    ++process.outstanding;
    const std::size_t ring = m_random.next() % ring_count;
    QueuedJob job{static_cast<std::uint32_t>(index),
                  first_fence_context + 2 * (index * ring_count + ring), ++process.seqnos[ring], 0};
    Cpu& cpu = any_cpu();
    put_sched_switch(*cpu.stream, step(cpu, time), cpu.idle, process.submitter);
    put_job(*cpu.stream, JobQueue, step(cpu, time), process.submitter, facts(ring, job));
    job.reached = cpu.last;
    m_rings[ring].host_queue.push_back(job);
    put_sched_switch(*cpu.stream, step(cpu, time), process.submitter, cpu.idle);
    plan_run(job.reached, ring);
    plan_queue(cpu.last, index);
}

/// drm_sched_run_job_work(): the hardware gets the job, its scheduled fence signals.
void GpuLoad::on_run(std::uint64_t time, std::size_t index)
{
    Ring& ring = m_rings[index];
    ring.is_run_planned = false;
    QueuedJob job = ring.host_queue.front();
    ring.host_queue.pop_front();
    Cpu& cpu = any_cpu();
    const std::uint64_t begin = std::max({time, job.reached, ring.last_submitted});
    put_sched_switch(*cpu.stream, step(cpu, begin), cpu.idle, cpu.worker);
    put_job(*cpu.stream, JobRun, step(cpu, time), cpu.worker, facts(index, job));
    job.reached = cpu.last;
    ring.last_submitted = job.reached;
    ring.device.push_back(job);
    put_fence_signaled(*cpu.stream, step(cpu, time), cpu.worker, "drm_sched", ring_names[index],
                       job.fence_context - 1, job.fence_seqno);
    put_sched_switch(*cpu.stream, step(cpu, time), cpu.worker, cpu.idle);
    if (ring.device.size() == 1) {
        plan(job.reached + m_random.between(10'000, 60'000), Kind::Done, index);
    }
    plan_run(cpu.last, index);
}

/// The interrupt: the hardware's fence signals, whose callback is drm_sched_job_done().
void GpuLoad::on_done(std::uint64_t time, std::size_t index)
{
    Ring& ring = m_rings[index];
    const QueuedJob job = ring.device.front();
    ring.device.pop_front();
    Cpu& cpu = any_cpu();
    const std::uint64_t begin = std::max({time, job.reached, ring.last_completed});
    put_fence_signaled(*cpu.stream, step(cpu, begin), cpu.idle, driver_name, ring_names[index],
                       first_hw_context + index, ++ring.hw_seqno);
    const std::uint64_t completed = cpu.last;
    put_job_done(*cpu.stream, step(cpu, time), cpu.idle, facts(index, job));
    ring.last_completed = cpu.last;
    put_fence_signaled(*cpu.stream, step(cpu, time), cpu.idle, "drm_sched", ring_names[index],
                       job.fence_context, job.fence_seqno);
    Process& process = m_processes[job.process];
    put_sched_switch(*cpu.stream, step(cpu, time), cpu.idle, process.waiter);
    put_sched_switch(*cpu.stream, step(cpu, time), process.waiter, cpu.idle);
    --process.outstanding;
    if (process.is_waiting) {
        process.is_waiting = false;
        plan_queue(cpu.last, job.process);
    }
    if (!ring.device.empty()) {
        plan(completed + m_random.between(10'000, 60'000), Kind::Done, index);
    }
    plan_run(completed, index);
    plan(completed + m_random.between(0, 50'000), Kind::Other, 0);
}

/// Something that has nothing to do with the GPU.
void GpuLoad::on_other(std::uint64_t time)
{
    static const Task other = make_task(700, 700, "journald-", 0);
    Cpu& cpu = any_cpu();
    put_sched_switch(*cpu.stream, step(cpu, time), cpu.idle, other);
    put_sched_switch(*cpu.stream, step(cpu, time), other, cpu.idle);
}

} // namespace lttng_gpu::bench
