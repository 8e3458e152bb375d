// SPDX-License-Identifier: MIT
//
// Tells what an input is by its name or its first bytes, without the readers: whether it is live,
// and whether a file was recorded, so that nothing else is written over it.
#pragma once

#include "../recorder.hpp"

#include <filesystem>
#include <vector>

namespace lttng_gpu::trace {

/// A session of a relay daemon that is being recorded: net://HOST[:PORT]/host/TARGET/SESSION.
bool is_live(const std::filesystem::path& input);

/// What the file is, in words ("a stream of a CTF trace"); null when it is no recording, or cannot
/// be read. What `export` writes, Perfetto's form too, is none: it can be made again.
const char* recording_kind(const std::filesystem::path& file);

/// What recorded the kernel's events, as far as the inputs' forms tell it: of several the first
/// that is not LTTng, which then records the rest.
Recorder recorder_of(const std::vector<std::filesystem::path>& inputs);

/// The folder itself has a CTF trace; every other file in it is taken for a stream.
bool is_trace_folder(const std::filesystem::path& folder);

} // namespace lttng_gpu::trace
