// SPDX-License-Identifier: MIT
//
// Losses that no trace tells of, but the recordings that traces are part of (loss_note.hpp).
#pragma once

#include "../base/expected.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace lttng_gpu::run {

/// Gaps of unknown size. `traces` as the user names them: traces, recordings, folders of either.
std::uint64_t noted_losses(std::vector<std::filesystem::path> traces);

/// A trace that is made of these says the same.
Expected<void> copy_noted_losses(std::vector<std::filesystem::path> traces,
                                 const std::filesystem::path& trace);

} // namespace lttng_gpu::run
