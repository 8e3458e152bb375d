// SPDX-License-Identifier: MIT
//
// The payload of the event `gpu_job`: its class, and its values for one job.
#pragma once

#include "../correlate/jobs/job.hpp"
#include "../correlate/rings/ring_names.hpp"

#include <babeltrace2/babeltrace.h>

namespace lttng_gpu::plugin {

/// Owned by the caller; null when memory is short.
bt_field_class* make_job_class(bt_trace_class* trace_class);

/// False when memory is short.
bool set_job_fields(bt_field* payload, const model::Job& job, model::RingNames& names);

} // namespace lttng_gpu::plugin
