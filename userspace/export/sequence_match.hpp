// SPDX-License-Identifier: MIT
//
// Which elements of two sequences belong together, in order: the longest common
// subsequence after Myers (1986), "An O(ND) difference algorithm".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace lttng_gpu::exporting {

/// Indices into both, ascending. Nothing when they differ in more places than
/// `most_differences`: time and memory grow with its square.
std::optional<std::vector<std::pair<std::size_t, std::size_t>>>
match_sequences(std::span<const std::uint32_t> first, std::span<const std::uint32_t> second,
                std::size_t most_differences);

} // namespace lttng_gpu::exporting
