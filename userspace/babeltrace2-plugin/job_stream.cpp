// SPDX-License-Identifier: MIT
//
// See job_stream.hpp. babeltrace2's objects are built in one go: whatever cannot be
// made ends it, and what was made goes with its references.
#include "job_stream.hpp"

#include "../correlate/trace/bt2/mip.hpp"
#include "job_fields.hpp"

namespace lttng_gpu::plugin {
namespace {

constexpr std::uint64_t nanoseconds = 1'000'000'000;

/// From the clock's origin to its value 0; nothing when 64 bits do not hold it.
std::optional<std::int64_t> nanoseconds_of(std::int64_t seconds, std::uint64_t cycles)
{
    std::int64_t whole = 0;
    std::int64_t sum = 0;
    if (__builtin_mul_overflow(seconds, static_cast<std::int64_t>(nanoseconds), &whole) ||
        __builtin_add_overflow(whole, cycles, &sum)) {
        return {};
    }
    return sum;
}

constexpr const char* short_memory = "not enough memory for the stream of jobs";

} // namespace

Expected<std::unique_ptr<JobStream>> JobStream::create(bt_self_component* component,
                                                       const bt_clock_class* like, Timestamp first)
{
    std::unique_ptr<JobStream> stream{new JobStream};
    if (!stream->build(component, like, first)) {
        return Failure{{ErrorKind::Output, short_memory}};
    }
    return stream;
}

/// Like the other clock in all but a frequency other than 1 GHz.
bool JobStream::build_clock(bt_self_component* component, const bt_clock_class* like,
                            Timestamp first)
{
    m_clock = bt_clock_class_create(component);
    m_clock_ref = decltype(m_clock_ref){m_clock};
    if (m_clock == nullptr) {
        return false;
    }
    std::int64_t seconds = 0;
    std::uint64_t cycles = 0;
    bt_clock_class_get_offset(like, &seconds, &cycles);
    cycles = bt_clock_class_get_frequency(like) == nanoseconds ? cycles : 0;
    auto origin = nanoseconds_of(seconds, cycles);
    if (!origin || *origin > first.value()) {
        constexpr auto second = static_cast<std::int64_t>(nanoseconds);
        seconds = first.value() / second - (first.value() % second < 0 ? 1 : 0);
        cycles = 0;
        origin = seconds * second;
    }
    m_origin = *origin;
    bt_clock_class_set_frequency(m_clock, nanoseconds);
    bt_clock_class_set_offset(m_clock, seconds, cycles);
    bt_clock_class_set_origin_is_unix_epoch(m_clock, bt_clock_class_origin_is_unix_epoch(like));
    // Later versions have no UUID; there, only clocks since the Unix epoch can be merged.
    const bool has_uuid = trace::mip_version_of(m_trace_class_ref.get()) == 0;
    if (const bt_uuid uuid = has_uuid ? bt_clock_class_get_uuid(like) : nullptr) {
        bt_clock_class_set_uuid(m_clock, uuid);
    }
    const char* name = bt_clock_class_get_name(like);
    return name == nullptr ||
           bt_clock_class_set_name(m_clock, name) == BT_CLOCK_CLASS_SET_NAME_STATUS_OK;
}

bool JobStream::build(bt_self_component* component, const bt_clock_class* like, Timestamp first)
{
    bt_trace_class* trace_class = bt_trace_class_create(component);
    m_trace_class_ref = trace::Bt2TraceClassRef{trace_class};
    if (trace_class == nullptr || !build_clock(component, like, first)) {
        return false;
    }
    bt_stream_class* stream_class = bt_stream_class_create(trace_class);
    m_stream_class_ref = decltype(m_stream_class_ref){stream_class};
    if (stream_class == nullptr ||
        bt_stream_class_set_name(stream_class, "gpu_jobs") != BT_STREAM_CLASS_SET_NAME_STATUS_OK ||
        bt_stream_class_set_default_clock_class(stream_class, m_clock) !=
            BT_STREAM_CLASS_SET_DEFAULT_CLOCK_CLASS_STATUS_OK) {
        return false;
    }
    m_event_class = bt_event_class_create(stream_class);
    m_event_class_ref = decltype(m_event_class_ref){m_event_class};
    bt_field_class* payload = m_event_class == nullptr ? nullptr : make_job_class(trace_class);
    const bool has_class =
        payload != nullptr &&
        bt_event_class_set_name(m_event_class, "gpu_job") == BT_EVENT_CLASS_SET_NAME_STATUS_OK &&
        bt_event_class_set_payload_field_class(m_event_class, payload) ==
            BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK;
    bt_field_class_put_ref(payload);
    bt_trace* trace = has_class ? bt_trace_create(trace_class) : nullptr;
    m_trace_ref = decltype(m_trace_ref){trace};
    if (trace == nullptr || bt_trace_set_name(trace, "gpu_jobs") != BT_TRACE_SET_NAME_STATUS_OK) {
        return false;
    }
    m_stream = bt_stream_create(stream_class, trace);
    m_stream_ref = decltype(m_stream_ref){m_stream};
    return m_stream != nullptr;
}

trace::Bt2MessageRef JobStream::make_beginning(bt_self_message_iterator* iterator) const
{
    return trace::Bt2MessageRef{bt_message_stream_beginning_create(iterator, m_stream)};
}

trace::Bt2MessageRef JobStream::make_end(bt_self_message_iterator* iterator) const
{
    return trace::Bt2MessageRef{bt_message_stream_end_create(iterator, m_stream)};
}

trace::Bt2MessageRef JobStream::make_event(bt_self_message_iterator* iterator, Timestamp time,
                                           const model::Job& job, model::RingNames& names) const
{
    const auto value = static_cast<std::uint64_t>(time.value()) -
                       static_cast<std::uint64_t>(m_origin); // never negative
    bt_message* message = bt_message_event_create_with_default_clock_snapshot(
        iterator, m_event_class, m_stream, value);
    trace::Bt2MessageRef owned{message};
    if (message == nullptr ||
        !set_job_fields(bt_event_borrow_payload_field(bt_message_event_borrow_event(message)), job,
                        names)) {
        return {};
    }
    return owned;
}

} // namespace lttng_gpu::plugin
