// SPDX-License-Identifier: MIT
//
// Tells by the first bytes of a file whether it is a Perfetto trace. Such a file has no
// mark of its own: it is a message of packets.
#pragma once

#include <string_view>

namespace lttng_gpu::trace::perfetto {

bool is_trace(std::string_view head);

/// A trace with packets that a tracer writes: no conversion of something else.
bool is_recording(std::string_view head);

} // namespace lttng_gpu::trace::perfetto
