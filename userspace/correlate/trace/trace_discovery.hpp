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
/// trace is an error, and so is metadata that is a link or no regular file; the roots may be links.
/// Beside others, a trace whose metadata a power cut has taken is `passed_over`: with buffers of
/// each process every program has one. run::noted_losses() counts them.
Expected<std::vector<TraceDirectory>>
find_traces(const std::vector<std::filesystem::path>& roots,
            std::vector<std::filesystem::path>* passed_over = nullptr);

struct TraceFiles {
    std::vector<std::filesystem::path> streams;
    // Links, by which one would read elsewhere, and pipes, sockets and devices, which may block.
    std::vector<std::filesystem::path> refused;
};

/// What may be a stream in the directory of a trace, sorted by path.
TraceFiles find_files(const TraceDirectory& trace);

/// Why a file inside a trace is refused.
Error refusal(ErrorKind kind, const std::filesystem::path& file);

} // namespace lttng_gpu::trace
