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
/// trace is an error, and so is metadata that is a symbolic link; the roots may be links.
Expected<std::vector<TraceDirectory>> find_traces(const std::vector<std::filesystem::path>& roots);

struct TraceFiles {
    std::vector<std::filesystem::path> streams;
    std::vector<std::filesystem::path> links; // to files; whoever reads them would read elsewhere
};

/// What may be a stream in the directory of a trace, sorted by path.
TraceFiles find_files(const TraceDirectory& trace);

/// Of a symbolic link inside a trace.
Error link_error(ErrorKind kind, const std::filesystem::path& link);

} // namespace lttng_gpu::trace
