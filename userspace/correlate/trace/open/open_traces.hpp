// SPDX-License-Identifier: MIT
//
// Opens whatever the command line names with the reader that fits: LTTng
// directories with our own decoder, ftrace files with theirs, sessions of a relay
// daemon, and anything on request, through babeltrace2. Several inputs are merged
// by time.
#pragma once

#include "../event_source.hpp"
#include "../read_options.hpp"

#include <filesystem>
#include <memory>

namespace lttng_gpu::trace {

/// Wanted names may be patterns (wanted_pattern.hpp). For tests and tools the event "*" is
/// every event that no other entry names, the field "*" every leaf value of
/// common context, specific context and payload in order of decoding (texts and
/// arrays of characters as one text), and the field "$name" the event's name.
Expected<std::unique_ptr<EventSource>> open_traces(const std::vector<std::filesystem::path>& inputs,
                                                   const std::vector<WantedEvent>& wanted,
                                                   const ReadOptions& options);

} // namespace lttng_gpu::trace
