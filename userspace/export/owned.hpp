// SPDX-License-Identifier: MIT
//
// Owning pointers to babeltrace2 objects under construction: they are changed before
// they become const, which a trace::Bt2Ref is from the beginning.
#pragma once

#include <babeltrace2/babeltrace.h>
#include <memory>

namespace lttng_gpu::exporting {

template <auto put_ref> struct PutRef {
    template <typename Object> void operator()(Object* object) const { put_ref(object); }
};

using FieldClassOwner = std::unique_ptr<bt_field_class, PutRef<bt_field_class_put_ref>>;
using ClockClassOwner = std::unique_ptr<bt_clock_class, PutRef<bt_clock_class_put_ref>>;
using TraceClassOwner = std::unique_ptr<bt_trace_class, PutRef<bt_trace_class_put_ref>>;
using StreamClassOwner = std::unique_ptr<bt_stream_class, PutRef<bt_stream_class_put_ref>>;
using EventClassOwner = std::unique_ptr<bt_event_class, PutRef<bt_event_class_put_ref>>;
using TraceOwner = std::unique_ptr<bt_trace, PutRef<bt_trace_put_ref>>;
using StreamOwner = std::unique_ptr<bt_stream, PutRef<bt_stream_put_ref>>;
using PacketOwner = std::unique_ptr<bt_packet, PutRef<bt_packet_put_ref>>;

} // namespace lttng_gpu::exporting
