// SPDX-License-Identifier: MIT
//
// Owning references to babeltrace2 objects; everywhere else a plain pointer is borrowed and a
// Bt2Ref owns. An object is changed before it becomes const, so both kinds are here.
#pragma once

#include <babeltrace2/babeltrace.h>
#include <memory>

namespace lttng_gpu::trace {

template <auto put_ref> struct Bt2PutRef {
    template <typename Object> void operator()(Object* object) const { put_ref(object); }
};

template <typename Object, auto put_ref> using Bt2Ref = std::unique_ptr<Object, Bt2PutRef<put_ref>>;

using Bt2PluginRef = Bt2Ref<const bt_plugin, bt_plugin_put_ref>;
using Bt2MessageRef = Bt2Ref<const bt_message, bt_message_put_ref>;
using Bt2MessageIteratorRef = Bt2Ref<bt_message_iterator, bt_message_iterator_put_ref>;
using Bt2ValueRef = Bt2Ref<bt_value, bt_value_put_ref>;
using Bt2GraphRef = Bt2Ref<bt_graph, bt_graph_put_ref>;
using Bt2FilterClassRef = Bt2Ref<bt_component_class_filter, bt_component_class_filter_put_ref>;
using Bt2IteratorClassRef = Bt2Ref<bt_message_iterator_class, bt_message_iterator_class_put_ref>;
using Bt2FieldClassRef = Bt2Ref<bt_field_class, bt_field_class_put_ref>;
using Bt2ClockClassRef = Bt2Ref<bt_clock_class, bt_clock_class_put_ref>;
using Bt2TraceClassRef = Bt2Ref<bt_trace_class, bt_trace_class_put_ref>;
using Bt2StreamClassRef = Bt2Ref<bt_stream_class, bt_stream_class_put_ref>;
using Bt2EventClassRef = Bt2Ref<bt_event_class, bt_event_class_put_ref>;
using Bt2TraceRef = Bt2Ref<bt_trace, bt_trace_put_ref>;
using Bt2StreamRef = Bt2Ref<bt_stream, bt_stream_put_ref>;
using Bt2PacketRef = Bt2Ref<bt_packet, bt_packet_put_ref>;

/// One more reference to an object that is shared and not changed any more.
using Bt2KeptTraceRef = Bt2Ref<const bt_trace, bt_trace_put_ref>;
using Bt2KeptTraceClassRef = Bt2Ref<const bt_trace_class, bt_trace_class_put_ref>;

} // namespace lttng_gpu::trace
