// SPDX-License-Identifier: MIT
//
// sink.gpu.report: reads all messages of a graph and writes the report that
// `lttng-gpu report` writes for the same events; notes about missing data
// go to standard error, as there. The functions are the methods that
// babeltrace2 calls.
#pragma once

#include <babeltrace2/babeltrace.h>

namespace lttng_gpu::plugin {

bt_component_class_initialize_method_status initialize_report(bt_self_component_sink* sink,
                                                              bt_self_component_sink_configuration*,
                                                              const bt_value* params,
                                                              void*) noexcept;
bt_component_class_sink_graph_is_configured_method_status
configure_report(bt_self_component_sink* sink) noexcept;
bt_component_class_sink_consume_method_status consume_report(bt_self_component_sink* sink) noexcept;
void finalize_report(bt_self_component_sink* sink) noexcept;

} // namespace lttng_gpu::plugin
