// SPDX-License-Identifier: MIT
//
// The field pattern "*" (see open/open_traces.hpp): every leaf value of an event in
// the order in which it was decoded. For tests and tools that compare or sum whole
// events; plans that name their fields do without.
#pragma once

#include "../raw_event.hpp"

#include <babeltrace2/babeltrace.h>
#include <vector>

namespace lttng_gpu::trace {

/// Appends the leaves of common context, specific context and payload. Texts
/// belong to the event. A leaf that is no number and no text (a blob, a field
/// nested deeper than anything reasonable) is a value of kind None.
void append_leaves(const bt_event* event, std::vector<FieldValue>& values);

} // namespace lttng_gpu::trace
