// SPDX-License-Identifier: MIT
//
// See scene.hpp. CPU 0 runs the game and the hog, CPU 1 the other programs, CPU 2 interrupts,
// CPU 3 the schedulers' workers.
#include "scene.hpp"

#include <algorithm>

namespace lttng_gpu::planted {
namespace {

constexpr unsigned interrupts = 2;
constexpr unsigned workers = 3;
constexpr std::int32_t hog = 900;
constexpr const char* hog_name = "hog";
constexpr const Process& game = processes[0];

std::uint64_t u(Time time)
{
    return static_cast<std::uint64_t>(time);
}

} // namespace

Scene::Scene(std::uint64_t seed) : m_random{seed}
{
    m_room = 3 + m_random.index(4);
}

test::CtfEvent& Scene::event(unsigned cpu, Time time, const char* name, std::int32_t pid,
                             std::int32_t tid, const char* comm)
{
    Kept& kept = m_events.emplace_back();
    kept.cpu = cpu;
    kept.event.time = u(time);
    kept.event.name = name;
    kept.event.pid = pid;
    kept.event.tid = tid;
    kept.event.procname = comm;
    return kept.event;
}

void Scene::job_event(const Job& job, Time time, const char* name)
{
    const bool is_queue = std::string_view{name} == "drm_sched_job_queue";
    const Process& process = processes[job.process];
    const auto worker = static_cast<std::int32_t>(50 + job.ring);
    test::CtfEvent& made =
        is_queue ? event(process.cpu, time, name, process.pid, process.tid, process.name)
                 : event(workers, time, name, worker, worker, "kworker/u8:1");
    made.fields = {{"name", std::string{ring_names[job.ring]}},
                   {"dev", std::string{device}},
                   {"driver", std::string{"amdgpu"}},
                   {"fence_context", job.context},
                   {"fence_seqno", job.seqno}};
}

void Scene::fence_event(const Job& job, Time time, const char* name, unsigned cpu,
                        const Process* process)
{
    test::CtfEvent& made = process != nullptr
                               ? event(cpu, time, name, process->pid, process->tid, process->name)
                               : event(cpu, time, name, 0, 0, "swapper/2");
    made.fields = {{"driver", std::string{"drm_sched"}},
                   {"timeline", std::string{ring_names[job.ring]}},
                   {"context", job.context},
                   {"seqno", job.seqno}};
}

Job Scene::add(const JobWish& wish)
{
    Job job;
    job.process = wish.process;
    job.ring = wish.ring;
    job.context = 10 * (wish.process + 1) + wish.ring;
    job.seqno = ++m_seqnos[wish.process][wish.ring];
    job.queued = wish.queued;
    job.is_hanging = wish.is_hanging;
    job.ready = std::max(job.queued, m_context_free[wish.process][wish.ring]);
    for (const Job& other : wish.depends_on) {
        job.ready = std::max(job.ready, other.completed + 400);
    }
    auto& on_ring = m_on_ring[job.ring];
    job.room = job.ready;
    if (on_ring.size() >= m_room) {
        job.room = std::max(job.ready, on_ring[on_ring.size() - m_room].completed);
    }
    job.submitted = std::max(job.room, m_last_submitted[job.ring]) + between(3'000, 15'000);
    job.submitted += wish.worker_delay;
    job.started = std::max(job.submitted, m_last_completed[job.ring]);
    job.completed = job.started + wish.execution;
    m_last_submitted[job.ring] = job.submitted;
    m_last_completed[job.ring] = job.completed;
    m_context_free[wish.process][wish.ring] = job.submitted;
    on_ring.push_back(job);

    job_event(job, job.queued, "drm_sched_job_queue");
    for (const Job& other : wish.depends_on) {
        const Process& process = processes[job.process];
        test::CtfEvent& made = event(process.cpu, job.queued + 1, "drm_sched_job_add_dep",
                                     process.pid, process.tid, process.name);
        made.fields = {{"fence_context", job.context},
                       {"fence_seqno", job.seqno},
                       {"ctx", other.context},
                       {"seqno", other.seqno}};
    }
    if (!wish.is_run_lost) {
        const auto worker = static_cast<std::int32_t>(50 + job.ring);
        if (wish.worker_delay > 0) {
            event(workers, job.room + 500, "sched_waking", 0, 0, "swapper/3").fields = {
                {"tid", std::int64_t{worker}}, {"target_cpu", std::uint64_t{workers}}};
            switch_to(workers, job.submitted - 2'000, hog, hog_name, 0, worker, "kworker/u8:1");
        }
        job_event(job, job.submitted, "drm_sched_job_run");
    }
    if (!job.is_hanging) {
        test::CtfEvent& done =
            event(interrupts, job.completed, "drm_sched_job_done", 0, 0, "swapper/2");
        done.fields = {{"fence_context", job.context}, {"fence_seqno", job.seqno}};
        fence_event(job, job.completed + 300, "gpu_fence_signaled", interrupts, nullptr);
    }
    return job;
}

void Scene::switch_to(unsigned cpu, Time time, std::int32_t prev, const char* prev_name,
                      std::int64_t prev_state, std::int32_t next, const char* next_name)
{
    test::CtfEvent& made =
        event(cpu, time, "sched_switch", prev == game.tid ? game.pid : prev, prev, prev_name);
    made.fields = {{"prev_comm", std::string{prev_name}},
                   {"prev_tid", std::int64_t{prev}},
                   {"prev_state", prev_state},
                   {"next_comm", std::string{next_name}},
                   {"next_tid", std::int64_t{next}}};
}

void Scene::run(Time time)
{
    switch_to(game.cpu, time, 0, "swapper/0", 0, game.tid, game.name);
}

void Scene::preempt(Time time)
{
    switch_to(game.cpu, time, game.tid, game.name, 0, hog, hog_name);
}

void Scene::sleep(Time time)
{
    switch_to(game.cpu, time, game.tid, game.name, 1, 0, "swapper/0");
}

void Scene::wake(Time time, Time in)
{
    event(interrupts, time, "sched_waking", 0, 0, "swapper/2").fields = {
        {"tid", std::int64_t{game.tid}}, {"target_cpu", std::uint64_t{game.cpu}}};
    run(in);
}

void Scene::wait_begin(Time time, const Job& job)
{
    fence_event(job, time, "gpu_fence_wait_start", game.cpu, &game);
}

void Scene::wait_end(Time time, const Job& job)
{
    fence_event(job, time, "gpu_fence_wait_end", game.cpu, &game);
}

void Scene::lose(Time begin, Time end, std::uint64_t count)
{
    m_losses.push_back({begin, end, count});
}

void Scene::tick(Time time)
{
    for (unsigned cpu = 0; cpu < 4; ++cpu) {
        event(cpu, time + cpu, "timer_start", 0, 0, "swapper").fields = {
            {"timer", std::uint64_t{1}}};
    }
}

void Scene::write(const std::filesystem::path& folder, bool has_sched_events)
{
    std::stable_sort(m_events.begin(), m_events.end(), [](const Kept& left, const Kept& right) {
        return left.event.time < right.event.time;
    });
    test::CtfWriter writer{folder, 4};
    auto loss = m_losses.begin();
    for (const Kept& kept : m_events) {
        for (; loss != m_losses.end() && u(loss->begin) <= kept.event.time; ++loss) {
            writer.discard(workers, u(loss->begin), u(loss->end), loss->count);
        }
        if (has_sched_events || !kept.event.name.starts_with("sched_")) {
            writer.add(kept.cpu, kept.event);
        }
    }
    writer.finish();
}

} // namespace lttng_gpu::planted
