// SPDX-License-Identifier: MIT
//
// Wanted events that are named by a pattern: all events of such a name that no entry names itself.
#pragma once

#include "event_source.hpp"

#include <string_view>

namespace lttng_gpu::trace {

/// The first entry whose name is a pattern, with '*', and fits; patterns are those of fnmatch().
std::optional<std::size_t> find_pattern(const std::vector<WantedEvent>& wanted,
                                        std::string_view event);

} // namespace lttng_gpu::trace
