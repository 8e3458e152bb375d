// SPDX-License-Identifier: MIT
//
// The payload of the device's events: the classes of both kinds, and the values of one event.
#pragma once

#include "../correlate/rings/ring_names.hpp"
#include "../correlate/trace/bt2/ref.hpp"
#include "device_event.hpp"

namespace lttng_gpu::exporting {

/// Null when memory is short.
trace::Bt2FieldClassRef make_command_class(bt_trace_class* trace_class);
trace::Bt2FieldClassRef make_job_class(bt_trace_class* trace_class);

/// False when memory is short.
bool set_device_fields(bt_field* payload, const DeviceEvent& event, model::RingNames& names);

} // namespace lttng_gpu::exporting
