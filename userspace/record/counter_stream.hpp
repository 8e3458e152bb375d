// SPDX-License-Identifier: MIT
//
// A CTF 1.8 trace with one event, lttng_gpu_counters:sample, on the clock that LTTng's traces have
// (CLOCK_MONOTONIC and its distance from real time, with the boot's number as its UUID), so that
// readers put it beside them. No tracer is needed: nothing but `record` writes it.
#pragma once

#include "../correlate/base/expected.hpp"
#include "descriptor.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace lttng_gpu::record {

struct CounterSample {
    std::uint64_t time; // of CLOCK_MONOTONIC
    std::string_view device;
    std::string_view counter;
    std::string_view unit;
    std::int64_t value;
};

class CounterStream {
public:
    /// Makes the folder and its metadata.
    static Expected<CounterStream> create(const std::filesystem::path& folder);

    CounterStream(CounterStream&&) noexcept = default;
    CounterStream& operator=(CounterStream&&) = delete;
    ~CounterStream() { flush(); }

    void write(const CounterSample& sample);
    /// What was written is in the file.
    void flush();
    bool has_failed() const { return m_has_failed; }

private:
    explicit CounterStream(Descriptor file) : m_file{std::move(file)} {}

    Descriptor m_file;
    std::string m_events; // of the packet that is being filled
    std::uint64_t m_first = 0;
    std::uint64_t m_last = 0;
    bool m_has_failed = false;
};

} // namespace lttng_gpu::record
