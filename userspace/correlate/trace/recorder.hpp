// SPDX-License-Identifier: MIT
//
// What recorded a trace: how to record more depends on it.
#pragma once

#include <cstdint>

namespace lttng_gpu::trace {

enum class Recorder : std::uint8_t {
    Lttng,
    TraceCmd, // trace.dat
    Perfetto,
    Text, // of ftrace, whatever printed it
};

} // namespace lttng_gpu::trace
