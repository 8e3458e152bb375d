// SPDX-License-Identifier: MIT
//
// page-frames-trace DIR: writes the trace of a game and a compositor that draw. Each frame of the
// game calls OpenGL, gives a job, and sleeps until its fence is signaled. Some frames are late,
// each for another reason, and before one of them some were not recorded. What is in it is in every
// recording of such programs with the scheduler's events.
#include "ctf_writer.hpp"

#include <algorithm>
#include <cstdio>

using namespace lttng_gpu::test;

namespace {

constexpr std::uint64_t ms = 1'000'000;
constexpr std::uint64_t us = 1'000;

struct Program {
    std::int32_t pid;
    std::int32_t tid;
    const char* name;
    std::size_t cpu;
    const char* ring;
    std::uint64_t context;
    std::uint64_t surface;
};
constexpr Program game{100, 101, "game", 0, "gfx_0.0.0", 10, 0x5500};
constexpr Program compositor{200, 201, "compositor", 1, "comp_1.0.0", 20, 0x7700};
constexpr std::size_t interrupts = 2;

class Writer {
public:
    void add(std::size_t cpu, std::uint64_t time, const Program* program, const char* name,
             std::vector<CtfField> fields)
    {
        CtfEvent event{time, name, std::move(fields), 0, 0, "swapper"};
        if (program != nullptr) {
            event.pid = program->pid;
            event.tid = program->tid;
            event.procname = program->name;
        }
        m_events.push_back({cpu, std::move(event)});
    }

    void write(const char* folder)
    {
        std::stable_sort(m_events.begin(), m_events.end(), [](const Kept& left, const Kept& right) {
            return left.event.time < right.event.time;
        });
        CtfWriter writer{folder, 3};
        for (const Kept& kept : m_events) {
            writer.add(kept.cpu, kept.event);
        }
    }

private:
    struct Kept {
        std::size_t cpu;
        CtfEvent event;
    };
    std::vector<Kept> m_events;
};

void job(Writer& trace, const Program& program, std::uint64_t seqno, std::uint64_t queued,
         std::uint64_t submitted, std::uint64_t completed)
{
    const std::vector<CtfField> fields{{"name", program.ring},
                                       {"dev", "0000:04:00.0"},
                                       {"driver", "amdgpu"},
                                       {"fence_context", program.context},
                                       {"fence_seqno", seqno}};
    trace.add(program.cpu, queued, &program, "drm_sched_job_queue", fields);
    trace.add(interrupts, submitted, nullptr, "drm_sched_job_run", fields);
    trace.add(interrupts, completed, nullptr, "drm_sched_job_done",
              {{"fence_context", program.context}, {"fence_seqno", seqno}});
}

void fence(Writer& trace, const Program* program, std::size_t cpu, std::uint64_t time,
           const char* name, const Program& of, std::uint64_t seqno)
{
    trace.add(cpu, time, program, name,
              {{"driver", "drm_sched"},
               {"timeline", of.ring},
               {"context", of.context},
               {"seqno", seqno}});
}

void change(Writer& trace, const Program& program, std::uint64_t time, bool runs,
            std::int64_t state, const char* other)
{
    const std::int64_t other_tid = state == 0 && !runs ? 999 : 0;
    trace.add(program.cpu, time, runs ? nullptr : &program, "sched_switch",
              {{"prev_comm", runs ? std::string{other} : std::string{program.name}},
               {"prev_tid", runs ? std::int64_t{0} : std::int64_t{program.tid}},
               {"prev_state", state},
               {"next_comm", runs ? std::string{program.name} : std::string{other}},
               {"next_tid", runs ? std::int64_t{program.tid} : other_tid}});
}

void call(Writer& trace, const Program& program, std::uint64_t begin, std::uint64_t end,
          std::uint64_t function)
{
    trace.add(
        program.cpu, end, &program, "lttng_gpu_gl:call",
        {{"begin_ns", begin},
         {"function", CtfEnumerator{function, "glClear = 1, glDrawElements = 2, glFlush = 3"}}});
}

void frame(Writer& trace, const Program& program, std::uint64_t begin, std::uint64_t end,
           std::uint64_t number)
{
    trace.add(program.cpu, end, &program, "lttng_gpu_gl:frame",
              {{"begin_ns", begin},
               {"result", std::int64_t{1}},
               {"function", CtfEnumerator{7, "eglSwapBuffers = 7"}},
               {"frame", number},
               {"surface", program.surface},
               {"context", std::uint64_t{9}},
               {"draws", std::uint64_t{12}},
               {"dispatches", std::uint64_t{0}},
               {"uploads", std::uint64_t{number % 3}}});
}

/// Returns when the frame ended that began at `begin`.
std::uint64_t draw(Writer& trace, const Program& program, std::uint64_t begin, std::uint64_t number)
{
    const bool is_game = &program == &game;
    const std::uint64_t preempted = is_game && number == 20 ? 24 * ms : 0;
    const std::uint64_t queued_for = is_game && number == 30 ? 21 * ms : 800 * us;
    const std::uint64_t executed_for = (is_game ? 5 * ms : 2 * ms) +
                                       (is_game && number == 40 ? 26 * ms : 0) +
                                       number % 5 * 100 * us;
    std::uint64_t time = begin + 1 * ms;
    if (preempted > 0) {
        change(trace, program, time, false, 0, "cc1plus");
        change(trace, program, time + preempted, true, 0, "cc1plus");
    }
    time += preempted;
    call(trace, program, time, time + 200 * us, 1);
    call(trace, program, time + 500 * us, time + 1'500 * us, 2);
    const std::uint64_t flush = time + 2 * ms;
    call(trace, program, flush, flush + 400 * us, 3);
    const std::uint64_t queued = flush + 200 * us;
    const std::uint64_t submitted = queued + queued_for;
    const std::uint64_t completed = submitted + executed_for;
    job(trace, program, number, queued, submitted, completed);
    const std::uint64_t swap = flush + 1 * ms;
    const std::uint64_t woken = completed + 300 * us;
    fence(trace, &program, program.cpu, swap + 100 * us, "gpu_fence_wait_start", program, number);
    change(trace, program, swap + 110 * us, false, 1, "swapper/0");
    fence(trace, nullptr, interrupts, completed + 20 * us, "gpu_fence_signaled", program, number);
    trace.add(interrupts, completed + 30 * us, nullptr, "sched_waking",
              {{"tid", std::int64_t{program.tid}}, {"target_cpu", std::uint64_t{program.cpu}}});
    change(trace, program, woken, true, 1, "swapper/0");
    fence(trace, &program, program.cpu, woken + 10 * us, "gpu_fence_wait_end", program, number);
    const std::uint64_t end = std::max(begin + 16 * ms + number % 3 * 50 * us, woken + 200 * us);
    // Of what a program that was paused did, nothing was recorded: numbers do not follow each
    // other.
    frame(trace, program, swap, end, number > 45 && is_game ? number + 5 : number);
    return end;
}

} // namespace

int main(int count, char** words)
{
    if (count != 2) {
        std::fputs("usage: page-frames-trace DIR\n", stderr);
        return 2;
    }
    Writer trace;
    for (const Program* program : {&game, &compositor}) {
        std::uint64_t time = 1'000 * ms;
        change(trace, *program, time, true, 0, "swapper/0");
        for (std::uint64_t number = 1; number <= 60; ++number) {
            time = draw(trace, *program, time, number);
        }
    }
    trace.write(words[1]);
    return 0;
}
