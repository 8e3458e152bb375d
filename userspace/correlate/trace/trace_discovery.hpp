// SPDX-License-Identifier: MIT
//
// Finds the CTF traces below the directories given on the command line: every
// directory that holds a file `metadata` is one trace. Looks at the first bytes
// of the metadata to tell CTF 1.8 from CTF 2; does not read events.
#pragma once

#include "../base/expected.hpp"

#include <filesystem>
#include <vector>

namespace lttng_gpu::trace {

enum class MetadataKind { Ctf1, Ctf2 };

struct TraceDirectory {
    std::filesystem::path path;
    MetadataKind kind;
};

/// All traces below `roots`, sorted by path, each once. A root without any
/// trace is an error.
Expected<std::vector<TraceDirectory>> find_traces(const std::vector<std::filesystem::path>& roots);

} // namespace lttng_gpu::trace
