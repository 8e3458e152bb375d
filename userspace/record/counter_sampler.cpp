// SPDX-License-Identifier: MIT
//
// See counter_sampler.hpp.
#include "counter_sampler.hpp"

#include <csignal>
#include <ctime>
#include <fmt/format.h>

namespace lttng_gpu::record {
namespace {

using Clock = std::chrono::steady_clock; // CLOCK_MONOTONIC

/// Signals belong to the thread that waits for them.
std::thread thread_without_signals(auto act)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread thread{act};
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return thread;
}

std::chrono::nanoseconds processor_time()
{
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

} // namespace

CounterSampler::CounterSampler(std::vector<GpuCounter> counters, CounterStream stream,
                               std::chrono::nanoseconds interval)
    : m_counters{std::move(counters)}, m_stream{std::move(stream)}, m_interval{interval}
{
    m_cost.counters = m_counters.size();
    m_thread = thread_without_signals([this] { run(); });
}

CounterSampler::~CounterSampler()
{
    stop();
}

CounterSampler::Cost CounterSampler::stop()
{
    if (m_thread.joinable()) {
        {
            const std::lock_guard lock{m_mutex};
            m_is_stopping = true;
        }
        m_wake_up.notify_one();
        m_thread.join();
        m_stream.flush();
        m_cost.has_failed = m_stream.has_failed();
    }
    return m_cost;
}

void CounterSampler::run()
{
    std::unique_lock lock{m_mutex};
    Clock::time_point next = Clock::now();
    do {
        read_all();
        next += m_interval;
        if (const auto now = Clock::now(); next < now) {
            const auto late = (now - next) / m_interval + 1;
            m_cost.missed += static_cast<std::uint64_t>(late);
            next += late * m_interval;
        }
    } while (!m_wake_up.wait_until(lock, next, [this] { return m_is_stopping; }));
    read_all(); // so that each counter has a value at the end
    m_cost.processor = processor_time();
}

/// Each value has the time of its own reading: some drivers ask their device.
void CounterSampler::read_all()
{
    for (const GpuCounter& counter : m_counters) {
        if (const auto value = counter.read(m_cost.rounds + 1)) {
            const auto now = Clock::now().time_since_epoch();
            m_stream.write({static_cast<std::uint64_t>(now / std::chrono::nanoseconds{1}),
                            counter.device(), counter.name(), counter.unit(), *value});
        }
    }
    ++m_cost.rounds;
}

std::string cost_text(const CounterSampler::Cost& cost, std::chrono::nanoseconds interval)
{
    using Milliseconds = std::chrono::duration<double, std::milli>;
    using Microseconds = std::chrono::duration<double, std::micro>;
    std::string text = fmt::format(
        "{} {} read {} times, every {:g} ms; a round took {:.0f} µs of processor time",
        cost.counters, cost.counters == 1 ? "counter was" : "counters were", cost.rounds,
        Milliseconds{interval}.count(),
        cost.rounds > 0 ? Microseconds{cost.processor}.count() / static_cast<double>(cost.rounds)
                        : 0.0);
    if (cost.missed > 0) {
        text += fmt::format("; {} rounds were left out, because the time for them had passed",
                            cost.missed);
    }
    if (cost.has_failed) {
        text += "; not all could be written";
    }
    return text;
}

} // namespace lttng_gpu::record
