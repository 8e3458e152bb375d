// SPDX-License-Identifier: MIT
//
// Opens one file of ftrace, whatever its form.
#pragma once

#include "../open_traces.hpp"

namespace lttng_gpu::trace {

/// A file that is none is an error, kind UnreadableTrace.
Expected<std::unique_ptr<EventSource>> open_ftrace(const std::filesystem::path& path,
                                                   std::vector<WantedEvent> wanted,
                                                   const ReadOptions& options);

} // namespace lttng_gpu::trace
