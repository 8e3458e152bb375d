// SPDX-License-Identifier: MIT
//
// What one API contributes to the normaliser. Each API of apis.def has a file
// model/NAME.cpp, which defines the function NAME_events().
#pragma once

#include "../../base/apis.hpp"
#include "../event_spec.hpp"

namespace lttng_gpu::model {

/// Of every API whose commands have device times, the event that brings them has this name.
inline constexpr std::string_view times_event = "command_times";

/// The events of all APIs.
std::vector<EventSpec> api_events();

} // namespace lttng_gpu::model
