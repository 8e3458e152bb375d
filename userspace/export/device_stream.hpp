// SPDX-License-Identifier: MIT
//
// The streams and event classes of the device's events in an output trace, and the
// messages that write them. A stream never goes back in time: an event that would is
// written into another one.
#pragma once

#include "../correlate/rings/ring_names.hpp"
#include "device_event.hpp"
#include "kernel_event.hpp"
#include "output_trace.hpp"

#include <array>

namespace lttng_gpu::exporting {

class DeviceStream {
public:
    /// The output has a stream with a clock already.
    static Expected<std::unique_ptr<DeviceStream>>
    create(bt_self_component* component, OutputTrace& output, bool has_kernel_events);

    Expected<std::vector<trace::Bt2MessageRef>>
    write(bt_self_message_iterator* iterator, const DeviceEvent& event, model::RingNames& names);
    Expected<std::vector<trace::Bt2MessageRef>> write(bt_self_message_iterator* iterator,
                                                      const KernelEvent& event);
    Expected<std::vector<trace::Bt2MessageRef>> finish(bt_self_message_iterator* iterator);

    std::uint64_t late_events() const { return m_late; }
    /// Events from before the clock's zero, or so late again and again that they would
    /// need one stream after the other.
    std::uint64_t left_out() const { return m_left_out; }

private:
    static constexpr std::size_t command_stages = 4;
    static constexpr std::size_t job_stages = 5;
    /// All but the first are of late events; each is a file.
    static constexpr std::size_t most_lanes = 64;
    /// Packets are ended so that readers need not take a whole stream at once.
    static constexpr std::size_t packet_events = 4096;

    struct Lane {
        trace::Bt2StreamRef stream;
        trace::Bt2PacketRef packet;
        std::uint64_t last = 0; // of the clock
        std::size_t events = 0; // in the packet
    };
    using Messages = std::vector<trace::Bt2MessageRef>;

    DeviceStream() = default;

    bool build(bt_self_component* component, OutputTrace& output, bool has_kernel_events);
    bool build_clock(bt_self_component* component, OutputTrace& output);
    bool build_event_classes(bt_trace_class* trace_class, bool has_kernel_events);
    /// `set` sets the payload, and is false when memory is short.
    template <typename Set>
    Expected<Messages> write_event(bt_self_message_iterator* iterator, Timestamp time,
                                   bt_event_class* event_class, const Set& set);
    std::optional<std::uint64_t> value_of(Timestamp time) const;
    bool has_lane_for(std::uint64_t value) const;
    Lane* lane_for(bt_self_message_iterator* iterator, std::uint64_t value, Messages& messages);
    bool begin_packet(bt_self_message_iterator* iterator, Lane& lane, std::uint64_t value,
                      Messages& messages) const;
    bool end_packet(bt_self_message_iterator* iterator, Lane& lane, Messages& messages) const;

    trace::Bt2ClockClassRef m_clock;
    trace::Bt2StreamClassRef m_class;
    bt_trace* m_trace = nullptr; // borrowed from the output
    std::array<bt_event_class*, command_stages> m_command_classes{};
    std::array<bt_event_class*, job_stages> m_job_classes{};
    std::array<bt_event_class*, kernel_stages> m_kernel_classes{};
    std::vector<Lane> m_lanes;
    std::int64_t m_origin = 0; // ns of the clock's value 0
    std::uint64_t m_late = 0;
    std::uint64_t m_left_out = 0;
};

} // namespace lttng_gpu::exporting
