// SPDX-License-Identifier: MIT
//
// What was recorded inside of kernels, in order of time: each launch's begin, warps, decoded
// records, sums of its locations, and end (lttng_gpu_device:kernel_begin, warp_begin,
// kernel_record, warp_end, kernel_location, kernel_end).
//
// A time is `observed` where the device's timer says it (the launch's error_ns is how well that is
// known on the trace's clock). A record without a time of its own has that of the warp's chunk and
// is `inferred`: it was not earlier. A launch without times of the device has all its events at the
// moment at which it was known to be complete, and they are `unknown`.
//
// Reads the traces for itself. Records come after their launch, so all of a launch are in memory
// (32 bytes each) from its begin to its end, and those of launches that were read before it.
#pragma once

#include "../correlate/base/interruption.hpp"
#include "../correlate/device/record_reader.hpp"
#include "../correlate/run/device_reading.hpp"
#include "kernel_event.hpp"

#include <filesystem>
#include <memory>
#include <queue>

namespace lttng_gpu::exporting {

class KernelEvents final : private device::LaunchConsumer {
public:
    /// Null: nothing was recorded inside of kernels.
    static Expected<std::unique_ptr<KernelEvents>>
    open(const std::vector<std::filesystem::path>& paths, const Interruption& interruption);

    /// When the next event is; empty when there is none left.
    Expected<std::optional<Timestamp>> next_time();
    /// What it points to lives as long as this.
    KernelEvent take();

private:
    struct Records {
        const device::LaunchSum* launch = nullptr;
        std::vector<KernelRecord> all; // sorted when the launch is closed
        std::size_t next = 0;
        bool is_closed = false;

        const KernelRecord& front() const { return all[next]; }
    };
    struct Later {
        bool operator()(const Records* one, const Records* other) const
        {
            return one->front().time > other->front().time;
        }
    };

    KernelEvents(run::DeviceReading reading, const Interruption& interruption);

    void on_launch(std::uint64_t launch) override;
    void on_launch_end(std::uint64_t launch) override;
    void on_chunk(const device::Chunk& chunk) override;
    void on_record(const device::Chunk& chunk, const device::Record& record) override;

    void close(Records& records);
    void add(KernelStage stage, const device::Chunk& chunk, const device::Record& record,
             bool has_own_time);
    Expected<void> load(const device::LaunchSum& launch);

    run::DeviceReading m_reading;
    const Interruption& m_interruption;
    device::RecordReader m_reader{*this};
    std::unique_ptr<trace::EventSource> m_source;
    bool m_is_over = false;
    std::unordered_map<std::uint64_t, Records> m_records; // by launch
    Records* m_current = nullptr;
    std::vector<const device::LaunchSum*> m_order; // by their first times
    std::size_t m_loaded = 0;                      // of these
    std::priority_queue<Records*, std::vector<Records*>, Later> m_ready;
};

} // namespace lttng_gpu::exporting
