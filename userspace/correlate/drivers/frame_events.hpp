// SPDX-License-Identifier: MIT
//
// The event `frame`, which layers of APIs that show frames write when a call that ends one
// returns. It is registered for every API of apis.def.
#pragma once

#include "common_events.hpp"

namespace lttng_gpu::model {

/// The first two are where they are in call_fields: the event is that of the call.
namespace any_frame = layers::vulkan::frame; // as of all APIs
inline constexpr std::array frame_fields{
    any_frame::function, any_frame::begin_ns,   any_frame::result,
    any_frame::frame,    any_frame::surface,    any_frame::context,
    any_frame::draws,    any_frame::dispatches, any_frame::uploads};

void on_frame(ApiEvents& state, const trace::RawEvent& event, const ApiTraits& traits);

} // namespace lttng_gpu::model
