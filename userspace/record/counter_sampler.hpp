// SPDX-License-Identifier: MIT
//
// `record --counters`: a thread that reads the counters of GPUs at an interval, as long as it
// lives, and writes them beside LTTng's traces.
#pragma once

#include "counter_stream.hpp"
#include "gpu_counters.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace lttng_gpu::record {

class CounterSampler {
public:
    CounterSampler(std::vector<GpuCounter> counters, CounterStream stream,
                   std::chrono::nanoseconds interval);
    CounterSampler(const CounterSampler&) = delete;
    CounterSampler& operator=(const CounterSampler&) = delete;
    ~CounterSampler();

    struct Cost {
        std::size_t counters = 0;
        std::uint64_t rounds = 0;
        std::uint64_t missed = 0;              // the interval was over before the round was
        std::chrono::nanoseconds processor{0}; // of the thread
        bool has_failed = false;               // something was not written
    };
    /// Ends the thread.
    Cost stop();

private:
    void run();
    void read_all();

    std::vector<GpuCounter> m_counters;
    CounterStream m_stream;
    std::chrono::nanoseconds m_interval;
    std::mutex m_mutex;
    std::condition_variable m_wake_up;
    bool m_is_stopping = false;
    Cost m_cost;
    std::thread m_thread; // the last: it uses the others
};

/// What became of it, for people.
std::string cost_text(const CounterSampler::Cost& cost, std::chrono::nanoseconds interval);

} // namespace lttng_gpu::record
