// SPDX-License-Identifier: MIT
//
// Which thread ran on which CPU, as the kernel's own events in Perfetto's form: its viewer makes of
// them slices of CPUs and states of threads.
#pragma once

#include "../../correlate/system/thread_observer.hpp"
#include "output_file.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

namespace lttng_gpu::exporting {

class PerfettoSched final : public model::ThreadObserver {
public:
    explicit PerfettoSched(OutputFile& output) : m_output{output} {}

    void on_switch(const trace::RawEvent& event) override;
    /// The waker, which Perfetto wants, is known of sched_waking only, and this may be another.
    void on_wakeup(const trace::RawEvent&) override {}
    void on_loss(const trace::Loss& loss) override;

private:
    static constexpr std::size_t most_cpus = 8192;
    static constexpr std::size_t most_threads = 65536;

    bool is_of_trace(TraceId trace);
    std::string_view name_of(std::int64_t tid) const;
    void note_name(std::int64_t tid, std::string_view name);
    /// Since the last event of the CPU.
    bool take_loss(std::uint32_t cpu);

    OutputFile& m_output;
    /// Numbers of CPUs and threads mean something within one trace only.
    std::optional<TraceId> m_trace;
    std::vector<bool> m_has_loss;                          // by CPU
    std::unordered_map<std::int64_t, std::string> m_names; // of threads
};

} // namespace lttng_gpu::exporting
