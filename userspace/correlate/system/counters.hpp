// SPDX-License-Identifier: MIT
//
// What a device's counters and clocks were: frequencies, temperatures, power, load. A counter has a
// value from when it is told until it is told again, so means are over time. Some come as events
// when they change, others were sampled beside the queues (userspace/record/counter_sampler.hpp).
#pragma once

#include "../base/ids.hpp"
#include "../base/string_pool.hpp"
#include "../base/time.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace lttng_gpu::model {

/// Over the whole trace.
struct CounterAccount {
    std::string device; // empty: the events do not say it
    std::string name;
    std::string unit;
    bool is_sampled = false; // it may have had other values between
    std::uint64_t count = 0;
    std::int64_t least = 0;
    std::int64_t most = 0;
    std::int64_t last = 0;
    double mean = 0; // over the time from begin to end; of one value that value
    Timestamp begin;
    Timestamp end;
};

class CounterSink;

class Counters {
public:
    struct Name {
        TraceId trace;
        StringId device;
        StringId name;
        StringId unit;
        bool is_sampled;

        friend bool operator==(const Name&, const Name&) = default;
    };

    /// Gets each value from now on; it outlives this.
    void set_sink(CounterSink& sink) { m_sink = &sink; }
    void add(const Name& name, Timestamp time, std::int64_t value);
    /// In the order of their devices and names.
    std::vector<CounterAccount> accounts(const StringPool& strings) const;

private:
    struct Counter {
        Name name;
        std::uint64_t count = 0;
        std::int64_t least = 0;
        std::int64_t most = 0;
        std::int64_t last = 0;
        double value_time = 0;
        Timestamp begin;
        Timestamp end;
    };

    std::vector<Counter> m_counters; // few
    CounterSink* m_sink = nullptr;
};

class CounterSink {
public:
    CounterSink() = default;
    CounterSink(const CounterSink&) = delete;
    CounterSink& operator=(const CounterSink&) = delete;
    virtual ~CounterSink() = default;

    /// `number`: which of the counters, from 0, in the order in which they are met.
    virtual void on_counter(std::size_t number, const Counters::Name& name, Timestamp time,
                            std::int64_t value) = 0;
};

} // namespace lttng_gpu::model
