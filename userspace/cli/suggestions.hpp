// SPDX-License-Identifier: MIT
//
// What a mistyped word may have been meant to be.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lttng_gpu::cli {

/// The candidate that is most like the word: at most one letter in three is another one, is
/// missing, is too many or has changed places with its neighbour. Nothing if no candidate is.
std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates);

} // namespace lttng_gpu::cli
