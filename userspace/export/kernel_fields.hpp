// SPDX-License-Identifier: MIT
//
// The payload of the events of what was recorded inside of kernels.
#pragma once

#include "../correlate/trace/bt2/ref.hpp"
#include "kernel_event.hpp"

namespace lttng_gpu::exporting {

/// Null when memory is short.
trace::Bt2FieldClassRef make_kernel_class(bt_trace_class* trace_class, KernelStage stage);
/// False when memory is short.
bool set_kernel_fields(bt_field* payload, const KernelEvent& event);

} // namespace lttng_gpu::exporting
