// SPDX-License-Identifier: MIT
//
// See device_stream.hpp.
#include "device_stream.hpp"

#include "device_fields.hpp"
#include "kernel_fields.hpp"

#include <algorithm>

namespace lttng_gpu::exporting {
namespace {

constexpr std::uint64_t second = 1'000'000'000;

constexpr std::array command_names{
    "lttng_gpu_device:command_queued", "lttng_gpu_device:command_submit",
    "lttng_gpu_device:command_start", "lttng_gpu_device:command_end"};
constexpr std::array job_names{"lttng_gpu_device:job_queued", "lttng_gpu_device:job_submitted",
                               "lttng_gpu_device:job_started", "lttng_gpu_device:job_completed",
                               "lttng_gpu_device:job_preempted"};
constexpr std::array<const char*, kernel_stages> kernel_names{
    "lttng_gpu_device:kernel_begin",    "lttng_gpu_device:warp_begin",
    "lttng_gpu_device:kernel_record",   "lttng_gpu_device:warp_end",
    "lttng_gpu_device:kernel_location", "lttng_gpu_device:kernel_end"};
static_assert(job_names.size() == preempted_stage + 1);

Failure out_of_memory()
{
    return Failure{{ErrorKind::Output, "not enough memory for the device's events"}};
}

/// In ns; nothing when it is none that a time could have.
std::optional<std::int64_t> origin_of(const bt_clock_class* clock)
{
    std::int64_t seconds = 0;
    std::uint64_t cycles = 0;
    bt_clock_class_get_offset(clock, &seconds, &cycles);
    cycles = bt_clock_class_get_frequency(clock) == second ? cycles : 0;
    std::int64_t origin = 0;
    const bool is_absurd =
        __builtin_mul_overflow(seconds, static_cast<std::int64_t>(second), &origin) ||
        __builtin_add_overflow(origin, cycles, &origin);
    return is_absurd ? std::nullopt : std::optional{origin};
}

/// Null when memory is short; the stream class keeps it.
bt_event_class* make_event_class(bt_stream_class* stream_class, const char* name,
                                 bt_field_class* payload)
{
    const trace::Bt2EventClassRef owner{bt_event_class_create(stream_class)};
    const bool is_good =
        owner && payload != nullptr &&
        bt_event_class_set_name(owner.get(), name) == BT_EVENT_CLASS_SET_NAME_STATUS_OK &&
        bt_event_class_set_payload_field_class(owner.get(), payload) ==
            BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK;
    return is_good ? owner.get() : nullptr;
}

} // namespace

Expected<std::unique_ptr<DeviceStream>>
DeviceStream::create(bt_self_component* component, OutputTrace& output, bool has_kernel_events)
{
    std::unique_ptr<DeviceStream> made{new DeviceStream};
    if (output.earliest_clock() == nullptr) {
        return Failure{{ErrorKind::UnreadableTrace, "the trace has no clock"}};
    }
    const auto origin = origin_of(output.earliest_clock());
    if (!origin) {
        return Failure{
            {ErrorKind::UnreadableTrace, "the offset of the trace's clock is too large"}};
    }
    made->m_origin = *origin;
    if (!made->build(component, output, has_kernel_events)) {
        return out_of_memory();
    }
    return made;
}

bool DeviceStream::build(bt_self_component* component, OutputTrace& output, bool has_kernel_events)
{
    m_trace = output.trace();
    m_class.reset(bt_stream_class_create(output.trace_class()));
    if (!m_class ||
        bt_stream_class_set_name(m_class.get(), "lttng_gpu_device") !=
            BT_STREAM_CLASS_SET_NAME_STATUS_OK ||
        !build_clock(component, output)) {
        return false;
    }
    bt_stream_class_set_supports_packets(m_class.get(), BT_TRUE, BT_TRUE, BT_TRUE);
    return build_event_classes(output.trace_class(), has_kernel_events);
}

/// Like that of the trace, but counting nanoseconds. A clock of its own, because
/// sink.ctf.fs writes the clock of each stream class.
bool DeviceStream::build_clock(bt_self_component* component, OutputTrace& output)
{
    const bt_clock_class* like = output.earliest_clock();
    m_clock.reset(bt_clock_class_create(component));
    bt_clock_class* clock = m_clock.get();
    std::int64_t seconds = 0;
    std::uint64_t cycles = 0;
    bt_clock_class_get_offset(like, &seconds, &cycles);
    cycles = bt_clock_class_get_frequency(like) == second ? cycles : 0;
    if (clock == nullptr ||
        bt_clock_class_set_name(clock, "lttng_gpu_device") != BT_CLOCK_CLASS_SET_NAME_STATUS_OK) {
        return false;
    }
    bt_clock_class_set_frequency(clock, second);
    bt_clock_class_set_offset(clock, seconds, cycles);
    bt_clock_class_set_origin_is_unix_epoch(clock, bt_clock_class_origin_is_unix_epoch(like));
    if (const bt_uuid uuid = bt_clock_class_get_uuid(like)) {
        bt_clock_class_set_uuid(clock, uuid);
    }
    return bt_stream_class_set_default_clock_class(m_class.get(), clock) ==
           BT_STREAM_CLASS_SET_DEFAULT_CLOCK_CLASS_STATUS_OK;
}

bool DeviceStream::build_event_classes(bt_trace_class* trace_class, bool has_kernel_events)
{
    const auto build = [&](auto& classes, const auto& names, auto make_payload_class) {
        for (std::size_t stage = 0; stage < names.size(); ++stage) {
            const trace::Bt2FieldClassRef payload = make_payload_class(trace_class);
            classes[stage] = make_event_class(m_class.get(), names[stage], payload.get());
            if (classes[stage] == nullptr) {
                return false;
            }
        }
        return true;
    };
    const auto build_kernels = [&] {
        for (std::size_t stage = 0; stage < kernel_stages; ++stage) {
            const auto payload = make_kernel_class(trace_class, static_cast<KernelStage>(stage));
            m_kernel_classes[stage] =
                make_event_class(m_class.get(), kernel_names[stage], payload.get());
            if (m_kernel_classes[stage] == nullptr) {
                return false;
            }
        }
        return true;
    };
    return build(m_command_classes, command_names, make_command_class) &&
           build(m_job_classes, job_names, make_job_class) &&
           (!has_kernel_events || build_kernels());
}

/// Nothing for a time before the clock's zero, which it cannot say.
std::optional<std::uint64_t> DeviceStream::value_of(Timestamp time) const
{
    return time.value() < m_origin ? std::nullopt
                                   : std::optional{static_cast<std::uint64_t>(time.value()) -
                                                   static_cast<std::uint64_t>(m_origin)};
}

template <typename Set>
Expected<DeviceStream::Messages>
DeviceStream::write_event(bt_self_message_iterator* iterator, Timestamp time,
                          bt_event_class* event_class, const Set& set)
{
    Messages messages;
    const auto value = value_of(time);
    if (!value || !has_lane_for(*value)) {
        ++m_left_out;
        return messages;
    }
    Lane* lane = lane_for(iterator, *value, messages);
    if (lane == nullptr) {
        return out_of_memory();
    }
    bt_message* made = bt_message_event_create_with_packet_and_default_clock_snapshot(
        iterator, event_class, lane->packet.get(), *value);
    if (made == nullptr) {
        return out_of_memory();
    }
    messages.emplace_back(made);
    if (!set(bt_event_borrow_payload_field(bt_message_event_borrow_event(made)))) {
        return out_of_memory();
    }
    lane->last = *value;
    if (++lane->events >= packet_events && !end_packet(iterator, *lane, messages)) {
        return out_of_memory();
    }
    return messages;
}

Expected<DeviceStream::Messages> DeviceStream::write(bt_self_message_iterator* iterator,
                                                     const DeviceEvent& event,
                                                     model::RingNames& names)
{
    return write_event(iterator, event.time,
                       event.is_command ? m_command_classes.at(event.stage)
                                        : m_job_classes.at(event.stage),
                       [&](bt_field* payload) { return set_device_fields(payload, event, names); });
}

Expected<DeviceStream::Messages> DeviceStream::write(bt_self_message_iterator* iterator,
                                                     const KernelEvent& event)
{
    return write_event(iterator, event.record.time,
                       m_kernel_classes.at(static_cast<std::size_t>(event.record.stage)),
                       [&](bt_field* payload) { return set_kernel_fields(payload, event); });
}

bool DeviceStream::has_lane_for(std::uint64_t value) const
{
    return m_lanes.size() < most_lanes ||
           std::ranges::any_of(m_lanes, [value](const Lane& lane) { return lane.last <= value; });
}

DeviceStream::Lane* DeviceStream::lane_for(bt_self_message_iterator* iterator, std::uint64_t value,
                                           Messages& messages)
{
    Lane* lane = nullptr;
    for (Lane& known : m_lanes) {
        if (known.last <= value) {
            lane = &known;
            break;
        }
    }
    if (lane == nullptr) {
        const std::string name = m_lanes.empty() ? std::string{"device"}
                                                 : "device-late-" + std::to_string(m_lanes.size());
        Lane made;
        made.stream.reset(bt_stream_create(m_class.get(), m_trace));
        if (!made.stream ||
            bt_stream_set_name(made.stream.get(), name.c_str()) != BT_STREAM_SET_NAME_STATUS_OK) {
            return nullptr;
        }
        messages.emplace_back(bt_message_stream_beginning_create(iterator, made.stream.get()));
        m_lanes.push_back(std::move(made));
        lane = &m_lanes.back();
    }
    m_late += lane == m_lanes.data() ? 0 : 1;
    const bool has_packet =
        lane->packet != nullptr || begin_packet(iterator, *lane, value, messages);
    return has_packet ? lane : nullptr;
}

bool DeviceStream::begin_packet(bt_self_message_iterator* iterator, Lane& lane, std::uint64_t value,
                                Messages& messages) const
{
    lane.packet.reset(bt_packet_create(lane.stream.get()));
    lane.events = 0;
    if (!lane.packet) {
        return false;
    }
    messages.emplace_back(bt_message_packet_beginning_create_with_default_clock_snapshot(
        iterator, lane.packet.get(), value));
    return static_cast<bool>(messages.back());
}

bool DeviceStream::end_packet(bt_self_message_iterator* iterator, Lane& lane,
                              Messages& messages) const
{
    messages.emplace_back(bt_message_packet_end_create_with_default_clock_snapshot(
        iterator, lane.packet.get(), lane.last));
    lane.packet.reset();
    return static_cast<bool>(messages.back());
}

Expected<DeviceStream::Messages> DeviceStream::finish(bt_self_message_iterator* iterator)
{
    Messages messages;
    for (Lane& lane : m_lanes) {
        if (lane.packet && !end_packet(iterator, lane, messages)) {
            return out_of_memory();
        }
        messages.emplace_back(bt_message_stream_end_create(iterator, lane.stream.get()));
        if (!messages.back()) {
            return out_of_memory();
        }
    }
    return messages;
}

} // namespace lttng_gpu::exporting
