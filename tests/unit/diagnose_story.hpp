// SPDX-License-Identifier: MIT
//
// Rows of jobs and states of threads for a diagnoser, one line each; times are plain numbers.
#pragma once

#include "diagnose/diagnoser.hpp"
#include "diagnose/summary.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <string>

namespace lttng_gpu::test {

struct StoryJob {
    std::int64_t pid = 100; // 0: unknown; its jobs have this fence context
    std::int64_t tid = 0;   // 0: as pid
    const char* comm = "app";
    const char* ring = "a";
    std::int64_t queued = 0; // 0: unknown, as all times
    std::int64_t submitted = 0;
    std::int64_t started = 0; // 0: inferred as submitted
    std::int64_t completed = 0;
    bool is_start_known = true;
    bool is_alive = false;
    std::int64_t clock_error = 0;
    model::Fault fault = model::Fault::None;
    std::int64_t submitter = 0; // a thread; 0: unknown
};

class DiagnoseStory {
public:
    void driver(const char* name) { m_driver = name; }

    void job(const StoryJob& told)
    {
        const RingId ring = m_rings.intern(TraceId{}, "device", told.ring);
        m_rings.set_driver(ring, m_driver);
        model::Job job;
        job.ring = ring;
        job.fence = fence(told.pid, ++m_seqnos[told.pid]);
        job.actor.comm = m_strings.intern(told.comm);
        if (told.pid != 0) {
            job.actor.pid = Pid{told.pid};
            job.actor.tid = Tid{told.tid != 0 ? told.tid : told.pid};
        }
        job.queued = time(told.queued);
        job.submitted = time(told.submitted);
        job.completed = time(told.completed);
        if (told.is_start_known && told.completed != 0 && told.submitted != 0) {
            job.started = told.started != 0 ? time(told.started) : job.submitted;
            job.started_basis = model::Basis::Inferred;
        }
        job.completed_basis = model::Basis::Observed;
        job.is_alive_at_end = told.is_alive;
        job.fault = told.fault;
        if (told.submitter != 0) {
            job.submitter = Tid{told.submitter};
        }
        if (told.clock_error != 0) {
            job.clock_error = Duration{told.clock_error};
        }
        m_jobs.push_back(job);
    }
    void depend(std::int64_t pid, std::uint64_t seqno, std::int64_t on, std::uint64_t on_seqno,
                std::int64_t since, std::int64_t until)
    {
        model::Dependency made;
        made.ring = ring_of(pid);
        made.job = fence(pid, seqno);
        made.waits_for = fence(on, on_seqno);
        made.since = Timestamp{since};
        made.until = Timestamp{until};
        m_dependencies.push_back(made);
    }
    void wait(std::int64_t tid, std::int64_t of, std::int64_t begin, std::int64_t end,
              std::int64_t signaled, std::uint64_t seqno = 1)
    {
        model::Wait made;
        made.actor.tid = Tid{tid};
        made.fence = fence(of == 1 ? tid : of, seqno);
        made.begin = Timestamp{begin};
        made.end = Timestamp{end};
        made.signaled = Timestamp{signaled};
        m_waits.push_back(made);
    }
    /// The hog runs on that CPU from `preempted` on, the thread again from `time` on; before, the
    /// thread ran.
    void run(std::int64_t tid, std::uint32_t cpu, std::int64_t time, std::int64_t preempted)
    {
        change(1, cpu, 0, 0, tid);
        change(preempted, cpu, tid, 0, 900);
        change(time, cpu, 900, 0, tid);
    }
    /// It is woken, and runs a microsecond later. No waker: an interrupt.
    void sleep(std::int64_t tid, std::int64_t from, std::int64_t to, std::int64_t waker = 0,
               const char* waker_name = "")
    {
        if (waker != 0) {
            change(2, 2, 0, 0, waker, waker_name);
        }
        sleep_in_state(1, tid, from, to, waker);
    }
    /// Until an interrupt says that the disk is done.
    void sleep_for_disk(std::int64_t tid, std::int64_t from, std::int64_t to)
    {
        sleep_in_state(2, tid, from, to, 0);
    }
    /// The scheduler's events tell that the thread is of this process.
    void process_of(std::int64_t tid, std::int64_t pid) { m_pids[tid] = pid; }
    /// On CPU 1 from that time on; 0: nobody.
    void runs(std::int64_t time, std::int64_t prev, std::int64_t next, const char* name)
    {
        change(time, 1, prev, 1, next, name);
    }
    void wake(std::int64_t time, std::int64_t tid)
    {
        m_events.push_back({time, 2, Kind::Wakeup, {tid, 1, 0, 0}, "", 0});
    }
    void lose(std::int64_t begin, std::int64_t end)
    {
        m_threads.on_loss(
            {Timestamp{begin}, Timestamp{end}, TraceId{}, Cpu{0}, trace::LossUnit::Events, 1});
    }
    void end(std::int64_t time) { m_end = time; }
    void window(std::int64_t begin, std::int64_t end)
    {
        m_window = {report::TimeBound{false, begin}, report::TimeBound{false, end}};
    }
    diagnose::Summary summary()
    {
        diagnose_all();
        diagnose::Summary summary;
        for (const auto& diagnosis : m_sink.all) {
            summary.add(diagnosis);
        }
        return summary;
    }

    diagnose::Diagnosis of(std::int64_t pid, std::uint64_t seqno)
    {
        diagnose_all();
        for (const auto& diagnosis : m_sink.all) {
            if (diagnosis.job.fence.context->value() == static_cast<std::uint64_t>(pid) &&
                diagnosis.job.fence.seqno->value() == seqno) {
                Duration sum;
                for (const auto& part : diagnosis.parts) {
                    CHECK(part.length.value() > 0);
                    sum = sum + (part.is_before ? Duration{} : part.length);
                }
                CHECK(sum == diagnosis.latency());
                return diagnosis;
            }
        }
        FAIL("no such job");
        return {};
    }
    diagnose::Diagnosis only()
    {
        REQUIRE(m_jobs.size() == 1);
        return of(static_cast<std::int64_t>(m_jobs[0].fence.context->value()), 1);
    }
    /// From `begin` on; its only call ends it. Its jobs are all those of the thread.
    void frame(std::int64_t tid, std::int64_t begin, std::int64_t call_begin, std::int64_t end)
    {
        model::Frame made;
        made.actor.pid = Pid{tid};
        made.actor.tid = Tid{tid};
        made.actor.comm = m_strings.intern("app");
        made.number = m_frames.size() + 1;
        made.begin = Timestamp{begin};
        made.call_begin = Timestamp{call_begin};
        made.end = Timestamp{end};
        made.calls = {{made.call_begin, made.end}};
        made.in_calls = made.end - made.call_begin;
        for (const model::Job& job : m_jobs) {
            if (job.actor.tid == made.actor.tid) {
                made.made.push_back({job.ring, job.fence});
                made.completed = job.completed;
            }
        }
        made.jobs = made.made.size();
        m_frames.push_back(made);
    }
    diagnose::FrameDiagnosis only_frame()
    {
        diagnose_all();
        REQUIRE(m_sink.frames.size() == 1);
        Duration sum;
        for (const auto& part : m_sink.frames[0].parts) {
            CHECK(part.length.value() > 0);
            sum = sum + part.length;
        }
        CHECK(sum == m_sink.frames[0].latency());
        return m_sink.frames[0];
    }
    const model::RingTable& rings() const { return m_rings; }
    static std::int64_t time(const diagnose::Diagnosis& diagnosis, diagnose::Reason reason)
    {
        std::int64_t sum = 0;
        for (const auto& part : diagnosis.parts) {
            sum += part.reason == reason ? part.length.value() : 0;
        }
        return sum;
    }

private:
    enum class Kind : std::uint8_t { Switch, Wakeup };
    struct Event {
        std::int64_t time = 0;
        std::uint32_t cpu = 0;
        Kind kind = Kind::Switch;
        std::array<std::int64_t, 4> numbers{};
        std::string name;
        std::int64_t tid = 0; // of the context
    };
    struct Sink final : diagnose::DiagnosisSink {
        void on_diagnosis(diagnose::Diagnosis&& diagnosis) override
        {
            all.push_back(std::move(diagnosis));
        }
        void on_frame(diagnose::FrameDiagnosis&& diagnosis) override
        {
            frames.push_back(std::move(diagnosis));
        }
        std::vector<diagnose::Diagnosis> all;
        std::vector<diagnose::FrameDiagnosis> frames;
    };

    void sleep_in_state(std::int64_t state, std::int64_t tid, std::int64_t from, std::int64_t to,
                        std::int64_t waker)
    {
        change(1, 1, 0, 0, tid);
        change(from, 1, tid, state, 0);
        m_events.push_back({to, 2, Kind::Wakeup, {tid, 1, 0, 0}, "", waker});
        change(to + 1000, 1, 0, 0, tid);
    }
    static KnownTime time(std::int64_t number)
    {
        return number != 0 ? KnownTime{Timestamp{number}} : KnownTime{};
    }
    static model::FenceId fence(std::int64_t pid, std::uint64_t seqno)
    {
        return {FenceContext{static_cast<std::uint64_t>(pid)}, FenceSeqno{seqno}};
    }
    Known<RingId> ring_of(std::int64_t pid) const
    {
        const auto found = std::find_if(m_jobs.begin(), m_jobs.end(), [&](const model::Job& job) {
            return job.fence.context->value() == static_cast<std::uint64_t>(pid);
        });
        return found->ring;
    }
    void change(std::int64_t time, std::uint32_t cpu, std::int64_t prev, std::int64_t state,
                std::int64_t next, const char* name = "hog")
    {
        m_events.push_back({time, cpu, Kind::Switch, {next, 0, state, prev}, name, prev});
    }
    void give_events()
    {
        std::stable_sort(
            m_events.begin(), m_events.end(),
            [](const Event& left, const Event& right) { return left.time < right.time; });
        for (const Event& event : m_events) {
            std::vector<trace::FieldValue> fields;
            for (const std::int64_t number : event.numbers) {
                fields.emplace_back(number);
            }
            if (event.kind == Kind::Switch) {
                fields[model::switch_field::NextComm] =
                    trace::FieldValue{std::string_view{event.name}};
            }
            trace::RawEvent raw{Timestamp{event.time}, TraceId{}, Cpu{event.cpu}, 0, fields, {}};
            raw.context.tid = trace::FieldValue{event.tid};
            if (const auto pid = m_pids.find(event.tid); pid != m_pids.end()) {
                raw.context.pid = trace::FieldValue{pid->second};
            }
            give(event, raw);
        }
    }
    void give(const Event& event, const trace::RawEvent& raw)
    {
        switch (event.kind) {
        case Kind::Switch:
            m_threads.on_switch(raw);
            break;
        case Kind::Wakeup:
            m_threads.on_wakeup(raw);
            break;
        }
    }
    void diagnose_all()
    {
        if (!m_sink.all.empty()) {
            return;
        }
        const Timestamp last{m_end != 0 ? m_end : 1'000'000'000'000};
        report::Window window{m_window};
        window.start(Timestamp{0});
        diagnose::Diagnoser diagnoser{m_rings, window, m_threads, m_sink};
        give_events();
        for (const auto& dependency : m_dependencies) {
            diagnoser.on_dependency(dependency);
        }
        for (const auto& wait : m_waits) {
            diagnoser.on_wait(wait);
        }
        for (const auto& job : m_jobs) {
            diagnoser.on_job(job);
        }
        diagnoser.set_wants_frames();
        for (const auto& frame : m_frames) {
            diagnoser.on_frame(frame);
        }
        diagnoser.finish(last);
    }

    const char* m_driver = "amdgpu";
    StringPool m_strings;
    model::RingTable m_rings{m_strings};
    std::map<std::int64_t, std::uint64_t> m_seqnos;
    std::vector<model::Job> m_jobs;
    std::vector<model::Dependency> m_dependencies;
    std::vector<model::Wait> m_waits;
    std::vector<model::Frame> m_frames;
    std::vector<Event> m_events;
    std::map<std::int64_t, std::int64_t> m_pids;
    diagnose::ThreadStates m_threads;
    Sink m_sink;
    std::int64_t m_end = 0;
    report::WindowRequest m_window;
};

} // namespace lttng_gpu::test
