// SPDX-License-Identifier: MIT
//
// See suggestions.hpp.
#include "suggestions.hpp"

#include <algorithm>

namespace lttng_gpu::cli {
namespace {

/// How many letters to put in, take out, replace or swap with their neighbour (optimal string
/// alignment).
std::size_t distance(std::string_view left, std::string_view right)
{
    std::vector<std::vector<std::size_t>> steps(left.size() + 1,
                                                std::vector<std::size_t>(right.size() + 1));
    for (std::size_t at = 0; at <= left.size(); ++at) {
        steps[at][0] = at;
    }
    for (std::size_t at = 0; at <= right.size(); ++at) {
        steps[0][at] = at;
    }
    for (std::size_t i = 1; i <= left.size(); ++i) {
        for (std::size_t j = 1; j <= right.size(); ++j) {
            const std::size_t is_other = left[i - 1] == right[j - 1] ? 0 : 1;
            steps[i][j] = std::min(
                {steps[i - 1][j] + 1, steps[i][j - 1] + 1, steps[i - 1][j - 1] + is_other});
            const bool is_swap =
                i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1];
            if (is_swap) {
                steps[i][j] = std::min(steps[i][j], steps[i - 2][j - 2] + 1);
            }
        }
    }
    return steps[left.size()][right.size()];
}

} // namespace

std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates)
{
    constexpr std::size_t longest = 64; // no name is longer, and the work grows with the square
    if (word.empty() || word.size() > longest) {
        return {};
    }
    std::size_t least = word.size() / 3 + 1;
    std::optional<std::string> found;
    for (const std::string& candidate : candidates) {
        const std::size_t steps = distance(word, candidate);
        if (steps < least) {
            least = steps;
            found = candidate;
        }
    }
    return found;
}

} // namespace lttng_gpu::cli
