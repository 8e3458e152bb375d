// SPDX-License-Identifier: MIT
//
// The event `frame`, which layers of APIs that show frames write when a call that ends one
// returns. It is registered for every API of apis.def.
#pragma once

#include "common_events.hpp"

namespace lttng_gpu::model {

/// The first two are where they are in call_fields: the event is that of the call.
inline constexpr std::array<std::string_view, 9> frame_fields{"function", "begin_ns",   "result",
                                                              "frame",    "surface",    "context",
                                                              "draws",    "dispatches", "uploads"};

void on_frame(ApiEvents& state, const trace::RawEvent& event, const ApiTraits& traits);

} // namespace lttng_gpu::model
