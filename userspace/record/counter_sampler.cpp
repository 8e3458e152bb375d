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
    : x_counters{std::move(counters)}, x_stream{std::move(stream)}, x_interval{interval}
{
    x_cost.counters = x_counters.size();
    x_thread = thread_without_signals([this] { run(); });
}

CounterSampler::~CounterSampler()
{
    stop();
}

CounterSampler::Cost CounterSampler::stop()
{
    if (x_thread.joinable()) {
        {
            const std::lock_guard lock{x_mutex};
            x_is_stopping = true;
        }
        x_wake_up.notify_one();
        x_thread.join();
        x_stream.flush();
        x_cost.has_failed = x_stream.has_failed();
    }
    return x_cost;
}

void CounterSampler::run()
{
    std::unique_lock lock{x_mutex};
    Clock::time_point next = Clock::now();
    do {
        read_all();
        next += x_interval;
        if (const auto now = Clock::now(); next < now) {
            const auto late = (now - next) / x_interval + 1;
            x_cost.missed += static_cast<std::uint64_t>(late);
            next += late * x_interval;
        }
    } while (!x_wake_up.wait_until(lock, next, [this] { return x_is_stopping; }));
    read_all(); // so that each counter has a value at the end
    x_cost.processor = processor_time();
}

/// Each value has the time of its own reading: some drivers ask their device.
void CounterSampler::read_all()
{
    for (const GpuCounter& counter : x_counters) {
        if (const auto value = counter.read(x_cost.rounds + 1)) {
            const auto now = Clock::now().time_since_epoch();
            x_stream.write({static_cast<std::uint64_t>(now / std::chrono::nanoseconds{1}),
                            counter.device(), counter.name(), counter.unit(), *value});
        }
    }
    ++x_cost.rounds;
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
