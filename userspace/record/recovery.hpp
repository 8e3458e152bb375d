// SPDX-License-Identifier: MIT
//
// Cleans up after recordings that were killed.
#pragma once

#include "notes.hpp"
#include "tool.hpp"

namespace lttng_gpu::record {

/// Destroys the sessions of dead recordings (what they recorded stays), and unloads and
/// stops what they had brought in when no recording lives. What cannot be undone stays noted
/// for the next time. Under the notes' lock. Returns how many recordings there were.
std::size_t recover(Tool& tool, const Notes& notes);

} // namespace lttng_gpu::record
