// SPDX-License-Identifier: MIT
//
// See helper_program.hpp. Whoever comes first in time goes on: a thread with its next call, or a
// helper with the work that waits.
#include "helper_program.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>

namespace lttng_gpu::test {

using namespace model;

namespace {

constexpr std::int64_t us = 1'000;
constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t length = 1'500 * ms;
constexpr std::int64_t never = INT64_MAX;
constexpr std::uint32_t flush_name = 900;
constexpr std::uint32_t names = 4;

} // namespace

HelperProgram::HelperProgram(unsigned seed, HelperHabit habit, HelperTrace trace)
    : m_random{seed}, m_device_random{1'000 + seed}, m_habit{habit}, m_trace{trace},
      m_is_shared{seed % 2 == 0}, m_burst{1.0 + seed % 8}, m_pause{static_cast<double>(1 +
                                                                                       seed % 15)},
      m_threads(1 + seed % 3), m_helpers(m_is_shared ? 1 : m_threads.size())
{
    for (Thread& thread : m_threads) {
        thread.next = any(1.0 * ms);
        thread.left_of_burst = static_cast<unsigned>(any(m_burst));
    }
    while (true) {
        std::int64_t soonest = never;
        std::size_t who = 0;
        for (std::size_t thread = 0; thread < m_threads.size(); ++thread) {
            if (m_threads[thread].next < soonest) {
                soonest = m_threads[thread].next;
                who = thread;
            }
        }
        bool is_helper = false;
        for (std::size_t helper = 0; helper < m_helpers.size(); ++helper) {
            const Helper& each = m_helpers[helper];
            if (!each.queue.empty() && std::max(each.free, each.queue.front().given) <= soonest) {
                soonest = std::max(each.free, each.queue.front().given);
                who = helper;
                is_helper = true;
            }
        }
        if (soonest == never || (!is_helper && soonest >= length)) {
            break;
        }
        is_helper ? work(who) : make_call(who);
    }
}

/// A call holds the driver's lock around the moment in which it gives its work. A helper that wants
/// it meanwhile sleeps until the call lets go.
void HelperProgram::make_call(std::size_t number)
{
    Thread& thread = m_threads[number];
    Helper& helper = m_helpers[helper_of(number)];
    const bool is_last = thread.left_of_burst <= 1;
    const std::int64_t begin = thread.next;
    const std::int64_t given = begin + any(5.0 * us);
    const std::int64_t let_go = given + any(2.0 * us);
    const std::int64_t end = let_go + any(5.0 * us);
    const bool is_flush = !is_last && is_chosen(0.15);
    const auto name = static_cast<std::uint32_t>(10 * number) +
                      std::uniform_int_distribution<std::uint32_t>{1, names}(m_random);
    SubmitCall call{tid_of(number),
                    Timestamp{begin},
                    Timestamp{end},
                    StringId{is_flush ? flush_name : name},
                    is_flush ? SubmitRole::Other : SubmitRole::Command,
                    {is_flush ? 0 : 1 + number, false}};
    if (begin < helper.free && helper.free < let_go) {
        m_sched.push_back({helper.free, 0, tid_of_helper(helper_of(number))});
        m_sched.push_back({let_go, tid_of(number), tid_of_helper(helper_of(number))});
        helper.free = let_go + any(3.0 * us);
    }
    thread.next = end + any(is_chosen(0.3) ? 400.0 * us : 10.0 * us);
    if (!is_flush) {
        const bool is_first = helper.queue.empty() || given < helper.queue.front().given;
        if (helper.queue.empty() && helper.free < given) {
            m_sched.push_back({helper.free, 0, tid_of_helper(helper_of(number))});
            m_sched.push_back({given, tid_of(number), tid_of_helper(helper_of(number))});
            helper.woken = m_sched.size() - 1;
        } else if (is_first && helper.free < given && helper.woken < m_sched.size()) {
            m_sched[helper.woken].time = given; // this call comes before the one that began first
            m_sched[helper.woken].waker = tid_of(number);
        }
        const auto place = std::ranges::upper_bound(helper.queue, given, {}, &Task::given);
        helper.queue.insert(place, {number, m_calls.size(), given});
        thread.left_of_burst -= 1;
    }
    if (is_last) {
        thread.left_of_burst = static_cast<unsigned>(any(m_burst));
        if (m_trace.has_syncs) {
            call.detail.is_sync = true;
            thread.last_call = m_calls.size();
            thread.next = never;
        } else {
            thread.next += any(m_pause * static_cast<double>(ms));
        }
    }
    m_calls.push_back(call);
    m_executions.emplace_back();
}

unsigned HelperProgram::parts_of(const SubmitCall& call)
{
    switch (m_habit) {
    case HelperHabit::SplittingByName:
        return call.name.value() % 10 == 2 ? 3 : 1;
    case HelperHabit::SplittingAtRandom:
        return is_chosen(0.3) ? 2 : 1;
    case HelperHabit::Mixed:
        return is_chosen(0.1) ? 2 : 1;
    default:
        return 1;
    }
}

void HelperProgram::work(std::size_t number)
{
    Helper& helper = m_helpers[number];
    const std::int64_t time = std::max(helper.free, helper.queue.front().given) + any(10.0 * us);
    const bool takes_all =
        m_habit == HelperHabit::Merging || (m_habit == HelperHabit::Mixed && is_chosen(0.1));
    std::vector<Task> taken;
    while (!helper.queue.empty() && (taken.empty() || takes_all) &&
           helper.queue.front().given <= time &&
           (taken.empty() || helper.queue.front().thread == taken.front().thread)) {
        taken.push_back(helper.queue.front());
        helper.queue.erase(helper.queue.begin());
    }
    helper.free = time;
    submit(helper, number, taken);
}

void HelperProgram::submit(Helper& helper, std::size_t number, const std::vector<Task>& taken)
{
    Thread& thread = m_threads[taken.front().thread];
    const unsigned parts = taken.size() == 1 ? parts_of(m_calls[taken.front().call]) : 1;
    for (unsigned part = 0; part < parts; ++part) {
        // Now and then it is preempted, or waits for memory.
        const std::int64_t began = helper.free;
        helper.free += any(is_chosen(0.02) ? 3.0 * ms : 40.0 * us);
        Made made;
        made.job.actor.pid = Pid{100};
        made.job.actor.tid = Tid{tid_of_helper(number)};
        made.job.fence.context = FenceContext{1 + taken.front().thread};
        made.job.queued = Timestamp{helper.free};
        const std::int64_t ring_free = thread.ring_free;
        thread.ring_free = std::max(thread.ring_free, helper.free) + any(50.0 * us);
        made.job.completed = Timestamp{thread.ring_free};
        for (const Task& task : taken) {
            made.calls.push_back(task.call);
        }
        // It builds what it submits, and then the kernel takes it.
        const std::int64_t delay = helper.free - began;
        made.ioctl = began + std::uniform_int_distribution<std::int64_t>{0, delay}(m_device_random);
        execute(made, ring_free, part == 0);
        m_jobs.push_back(made);
        helper.free += any(2.0 * us);
        m_jobs.back().returned = helper.free;
    }
    if (thread.last_call == taken.back().call) {
        const std::int64_t end = std::max(thread.ring_free, helper.free) + any(20.0 * us);
        m_calls[thread.last_call].end = Timestamp{end};
        thread.last_call = SIZE_MAX;
        thread.next = end + any(is_chosen(0.5) ? m_pause * static_cast<double>(ms) : 10.0 * us);
    }
}

/// The kernel learns of the end of a job a little later, and by that takes the next one to have
/// started.
void HelperProgram::execute(Made& made, std::int64_t ring_free, bool is_first)
{
    const std::int64_t end = made.job.completed->value();
    const std::int64_t told_start = std::max(made.job.queued->value(), ring_free);
    made.job.started = Timestamp{told_start};
    const std::int64_t late =
        std::min(1 + static_cast<std::int64_t>(
                         std::exponential_distribution<>{1.0 / (2.0 * us)}(m_device_random)),
                 (end - told_start) / 4);
    made.ended = end - late;
    std::int64_t start = told_start;
    if (!m_jobs.empty() && m_jobs.back().job.completed == made.job.started) {
        start = std::max(made.job.queued->value(), m_jobs.back().ended);
    }
    const auto count = static_cast<std::int64_t>(made.calls.size());
    for (std::int64_t part = 0; part < count; ++part) {
        Execution& execution = m_executions[made.calls[static_cast<std::size_t>(part)]];
        if (is_first) {
            execution.started = start + (made.ended - start) * part / count;
        }
        execution.completed = start + (made.ended - start) * (part + 1) / count;
    }
}

/// As the device's clock tells it, which is off by as much all the time, but for its drift.
TimedCommand HelperProgram::timed(std::size_t call) const
{
    const std::int64_t off =
        m_trace.clock_error * (static_cast<std::int64_t>(m_jobs.size() % 3) - 1) / 2;
    const auto told = [&](std::int64_t time) {
        return Timestamp{time + off +
                         static_cast<std::int64_t>(static_cast<double>(time) * m_trace.drift)};
    };
    return {m_calls[call], told(m_executions[call].started), told(m_executions[call].completed),
            Duration{m_trace.clock_error}};
}

HelperScore HelperProgram::score() const
{
    std::vector<std::size_t> calls(m_calls.size()); // in order of return
    std::iota(calls.begin(), calls.end(), std::size_t{0});
    std::ranges::stable_sort(calls, {}, [&](std::size_t call) { return m_calls[call].end; });
    std::vector<Made> jobs = m_jobs;
    std::ranges::stable_sort(jobs, {}, [](const Made& made) { return *made.job.queued; });
    std::vector<Sched> sched = m_sched;
    std::ranges::stable_sort(sched, {}, &Sched::time);
    SubmitQueue queue;
    ExecutionMatch executions;
    std::size_t next_call = 0;
    std::size_t next_sched = 0;
    std::size_t next_job = 0;
    // As a reader has them: a row is asked for a second after it.
    const auto tell_until = [&](Timestamp horizon) {
        for (; next_call < calls.size() && m_calls[calls[next_call]].end < horizon; ++next_call) {
            const std::size_t call = calls[next_call];
            queue.add_call(m_calls[call]);
            if (m_trace.has_times && m_calls[call].role == SubmitRole::Command) {
                executions.add_command(timed(call));
            }
        }
        for (; m_trace.has_naps && next_sched < sched.size() &&
               Timestamp{sched[next_sched].time} < horizon;
             ++next_sched) {
            const Sched& each = sched[next_sched];
            each.waker == 0 ? queue.add_sleep(Timestamp{each.time}, each.helper)
                            : queue.add_wake(Timestamp{each.time}, each.waker, each.helper);
        }
        for (; next_job < jobs.size() && *jobs[next_job].job.queued < horizon; ++next_job) {
            const Made& made = jobs[next_job];
            if (m_trace.has_ioctls) {
                queue.add_ioctl(made.job.actor.tid->value(), Timestamp{made.ioctl},
                                Timestamp{made.returned});
            }
            queue.announce(made.job, next_job);
            executions.add_job(made.job, next_job);
        }
    };
    HelperScore score;
    for (std::size_t index = 0; index < jobs.size(); ++index) {
        const Timestamp horizon = *jobs[index].job.queued + Duration{1'000 * ms};
        tell_until(horizon + Duration{100 * ms}); // what began before has returned
        const auto match = queue.match(jobs[index].job, index, horizon);
        std::optional<SubmitCall> named = match.call;
        const auto by_times = executions.match(jobs[index].job, index);
        if (!named && by_times) {
            named = by_times->call;
        }
        const bool is_right =
            named && std::ranges::any_of(jobs[index].calls, [&](auto call) {
                return m_calls[call].begin == named->begin && m_calls[call].tid == named->tid;
            });
        ++score.jobs;
        score.named += named ? 1 : 0;
        score.right += is_right ? 1 : 0;
    }
    return score;
}

HelperScore score_of(HelperHabit habit, HelperTrace trace, const char* name)
{
    HelperScore sum;
    for (unsigned seed = 1; seed <= 15; ++seed) {
        const HelperScore score = HelperProgram{seed, habit, trace}.score();
        sum.jobs += score.jobs;
        sum.named += score.named;
        sum.right += score.right;
    }
    const std::string times = trace.has_times ? ", device's times, known to " +
                                                    std::to_string(trace.clock_error / us) + " us"
                                              : "";
    std::printf("helper threads, %s, %s, %s%s%s: %llu jobs, precision %.3f %%, recall %.3f %%\n",
                name, trace.has_syncs ? "program waits" : "program never waits",
                trace.has_naps ? "sched recorded" : "no sched",
                trace.has_ioctls ? ", ioctls recorded" : "", times.c_str(),
                static_cast<unsigned long long>(sum.jobs), 100 * sum.precision(),
                100 * sum.recall());
    return sum;
}

} // namespace lttng_gpu::test
