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
    void on_loss(const trace::Loss&) override { ++m_losses; }
    /// Also of what the source knows before reading (EventSource::trace_facts()).
    void on_trace(TraceId trace, const trace::TraceFacts& facts) override
    {
        m_clock_offsets[trace] = facts.clock_offset;
    }

    /// Gaps that the tracer announced.
    std::uint64_t losses() const { return m_losses; }
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
    /// Of a time that an event has as a field; nothing where that is of no known clock.
    std::optional<Timestamp> moment(const trace::RawEvent& event, std::uint64_t ns) const;
    void close(Open& open);
    std::size_t kernel_of(const LaunchSum& launch);
    void sort_kernels();

    DeviceTrace m_result;
    std::map<std::pair<std::uint64_t, std::uint32_t>, LocationSum> m_named; // by program
    std::map<std::pair<std::uint64_t, std::string>, std::size_t> m_kernels;
    std::map<std::uint64_t, Open> m_open;                                       // by launch
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> m_devices; // of queues
    /// The launch that a thread's next kernel command is; its kernel's handle.
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::pair<std::uint64_t, std::uint64_t>>
        m_called;
    std::map<std::uint64_t, std::size_t> m_closed; // launches already in the result
    std::map<TraceId, std::optional<Duration>> m_clock_offsets;
    std::vector<std::uint8_t> m_bytes;
    std::uint64_t m_losses = 0;
};

} // namespace lttng_gpu::device
