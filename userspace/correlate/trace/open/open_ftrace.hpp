// SPDX-License-Identifier: MIT
//
// Opens one file of ftrace, whatever its form.
#pragma once

#include "../event_source.hpp"
#include "../read_options.hpp"

#include <filesystem>
#include <memory>

namespace lttng_gpu::trace {

/// A file that is none is an error, kind UnreadableTrace. Of the patterns in wanted
/// fields (see open_traces.hpp) a text trace gives for "*" the printed text as one value,
/// trace.dat all single values of the record but common_*.
Expected<std::unique_ptr<EventSource>> open_ftrace(const std::filesystem::path& path,
                                                   const std::vector<WantedEvent>& wanted,
                                                   const ReadOptions& options);

} // namespace lttng_gpu::trace
