// SPDX-License-Identifier: MIT
//
// The stream that filter.gpu.jobs adds: a trace `gpu_jobs` with one stream without
// packets, whose only event class `gpu_job` has the columns of `lttng-gpu jobs`. What
// may be unknown is an option. Its clock counts nanoseconds and has the origin of the
// clock it is made like, so that both can be merged.
#pragma once

#include "../correlate/base/expected.hpp"
#include "../correlate/base/time.hpp"
#include "../correlate/rings/ring_names.hpp"
#include "../correlate/trace/bt2/ref.hpp"

#include <memory>

namespace lttng_gpu::model {
struct Job;
}

namespace lttng_gpu::plugin {

class JobStream {
public:
    /// No later time may be before `first`.
    static Expected<std::unique_ptr<JobStream>> create(bt_self_component* component,
                                                       const bt_clock_class* like, Timestamp first);

    /// The messages; empty references when memory is short.
    trace::Bt2MessageRef make_beginning(bt_self_message_iterator* iterator) const;
    trace::Bt2MessageRef make_end(bt_self_message_iterator* iterator) const;
    trace::Bt2MessageRef make_event(bt_self_message_iterator* iterator, Timestamp time,
                                    const model::Job& job, model::RingNames& names) const;

private:
    JobStream() = default;

    bool build(bt_self_component* component, const bt_clock_class* like, Timestamp first);
    bool build_clock(bt_self_component* component, const bt_clock_class* like, Timestamp first);

    trace::Bt2Ref<bt_clock_class, bt_clock_class_put_ref> m_clock_ref;
    trace::Bt2TraceClassRef m_trace_class_ref;
    trace::Bt2Ref<bt_stream_class, bt_stream_class_put_ref> m_stream_class_ref;
    trace::Bt2Ref<bt_event_class, bt_event_class_put_ref> m_event_class_ref;
    trace::Bt2Ref<bt_trace, bt_trace_put_ref> m_trace_ref;
    trace::Bt2Ref<bt_stream, bt_stream_put_ref> m_stream_ref;
    bt_clock_class* m_clock = nullptr; // borrowed, as are the next two
    bt_event_class* m_event_class = nullptr;
    bt_stream* m_stream = nullptr;
    std::int64_t m_origin = 0; // ns of the clock's value 0
};

} // namespace lttng_gpu::plugin
