// SPDX-License-Identifier: MIT
#include "export/sequence_match.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using lttng_gpu::exporting::match_sequences;
using Sequence = std::vector<std::uint32_t>;

namespace {

/// Length of the longest common subsequence, by the table of all prefixes.
std::size_t longest_common(const Sequence& first, const Sequence& second)
{
    std::vector<std::vector<std::size_t>> lengths(first.size() + 1,
                                                  std::vector<std::size_t>(second.size() + 1));
    for (std::size_t i = 0; i < first.size(); ++i) {
        for (std::size_t j = 0; j < second.size(); ++j) {
            lengths[i + 1][j + 1] = first[i] == second[j]
                                        ? lengths[i][j] + 1
                                        : std::max(lengths[i][j + 1], lengths[i + 1][j]);
        }
    }
    return lengths[first.size()][second.size()];
}

} // namespace

TEST_CASE("sequences_when_random_then_the_longest_match_in_order")
{
    std::mt19937 random{7};
    for (int round = 0; round < 2000; ++round) {
        Sequence first(random() % 24);
        Sequence second(random() % 24);
        const std::uint32_t kinds = 1 + random() % 4;
        std::ranges::generate(first, [&] { return random() % kinds; });
        std::ranges::generate(second, [&] { return random() % kinds; });
        const auto pairs = match_sequences(first, second, 64);
        REQUIRE(pairs);
        CHECK(pairs->size() == longest_common(first, second));
        for (std::size_t index = 0; index < pairs->size(); ++index) {
            const auto& [i, j] = (*pairs)[index];
            CHECK(first.at(i) == second.at(j));
            CHECK(
                (index == 0 || ((*pairs)[index - 1].first < i && (*pairs)[index - 1].second < j)));
        }
    }
}

TEST_CASE("sequences_when_they_differ_too_much_then_nothing")
{
    const Sequence first(10, 1);
    const Sequence second(10, 2);
    CHECK_FALSE(match_sequences(first, second, 19));
    CHECK(match_sequences(first, second, 20)->empty());
}
