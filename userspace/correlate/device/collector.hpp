// SPDX-License-Identifier: MIT
//
// Takes the events of the device-trace layer, and the OpenCL layer's kernel commands, to which
// launches belong.
#pragma once

#include "../trace/event_source.hpp"
#include "device_trace.hpp"
#include "warps.hpp"

namespace lttng_gpu::device {

class Collector final : public trace::EventConsumer {
public:
    static std::vector<trace::WantedEvent> wanted();

    void on_event(const trace::RawEvent& event) override;
    void on_loss(const trace::Loss&) override { ++x_losses; }

    /// Gaps that the tracer announced.
    std::uint64_t losses() const { return x_losses; }
    DeviceTrace finish();

private:
    struct Open {
        LaunchSum launch;
        std::map<std::uint32_t, LocationSum> locations;
        Warps warps;
        std::uint64_t next_part = 0;
        std::uint64_t parts_seen = 0;
    };
    class Adder;

    void on_location(const trace::RawEvent& event);
    void on_untraced(const trace::RawEvent& event);
    void on_launch(const trace::RawEvent& event);
    void on_records(const trace::RawEvent& event);
    void on_end(const trace::RawEvent& event);
    void on_command(const trace::RawEvent& event);
    void close(Open& open);
    KernelSum& kernel_of(const LaunchSum& launch);
    void map_times();

    DeviceTrace x_result;
    std::map<std::pair<std::uint64_t, std::uint32_t>, LocationSum> x_named; // by program
    std::map<std::pair<std::uint64_t, std::string>, std::size_t> x_kernels;
    std::map<std::uint64_t, Open> x_open; // by launch
    /// The launch that a thread's next kernel command is; its kernel's handle.
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::pair<std::uint64_t, std::uint64_t>>
        x_called;
    std::map<std::uint64_t, std::size_t> x_closed; // launches already in the result
    std::vector<std::uint8_t> x_bytes;
    std::uint64_t x_losses = 0;
};

} // namespace lttng_gpu::device
