// SPDX-License-Identifier: MIT
//
// A reader takes other ways through an event depending on what is wanted of it:
// everything, some fields by name, nothing. A comparison therefore reads a trace
// once in each way. The names of events and fields come from the metadata.
#pragma once

#include "trace/event_source.hpp"

#include <filesystem>
#include <vector>

namespace lttng_gpu::test {

struct Pass {
    const char* name;
    std::vector<trace::WantedEvent> wanted; // "$name" is the first field of each
    /// The pattern "*" has the contexts among its values.
    bool shows_contexts = false;
};

Expected<std::vector<Pass>> make_passes(const std::vector<std::filesystem::path>& traces);

} // namespace lttng_gpu::test
