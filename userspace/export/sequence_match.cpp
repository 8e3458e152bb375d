// SPDX-License-Identifier: MIT
//
// See sequence_match.hpp. A diagonal is the index in the first sequence less that in
// the second; for each number of differences the furthest point on each diagonal is kept.
#include "sequence_match.hpp"

#include <algorithm>

namespace lttng_gpu::exporting {
namespace {

using Signed = std::ptrdiff_t;
using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

class Matcher {
public:
    Matcher(std::span<const std::uint32_t> first, std::span<const std::uint32_t> second)
        : m_first{first}, m_second{second}
    {
    }

    /// True when both ends are reached with so many differences.
    bool advance(Signed differences)
    {
        std::vector<Signed> furthest(static_cast<std::size_t>(2 * differences + 1));
        bool is_over = false;
        for (Signed diagonal = -differences; diagonal <= differences; diagonal += 2) {
            Signed x = begin_of(differences, diagonal);
            Signed y = x - diagonal;
            while (x < size(m_first) && y < size(m_second) && y >= 0 &&
                   m_first[at(x)] == m_second[at(y)]) {
                ++x;
                ++y;
            }
            furthest[at(diagonal + differences)] = x;
            is_over = is_over || (x >= size(m_first) && y >= size(m_second));
        }
        m_rounds.push_back(std::move(furthest));
        return is_over;
    }

    Pairs trace_back() const
    {
        Pairs pairs;
        Signed x = size(m_first);
        Signed y = size(m_second);
        for (auto round = static_cast<Signed>(m_rounds.size()) - 1; round >= 0; --round) {
            const Signed begin = begin_of(round, x - y);
            while (x > begin) {
                --x;
                --y;
                pairs.emplace_back(at(x), at(y));
            }
            if (round > 0) {
                const bool came_down = is_from_above(round, x - y);
                x -= came_down ? 0 : 1;
                y -= came_down ? 1 : 0;
            }
        }
        std::reverse(pairs.begin(), pairs.end());
        return pairs;
    }

private:
    static std::size_t at(Signed index) { return static_cast<std::size_t>(index); }
    static Signed size(std::span<const std::uint32_t> sequence)
    {
        return static_cast<Signed>(sequence.size());
    }
    Signed before(Signed differences, Signed diagonal) const
    {
        return m_rounds[at(differences - 1)][at(diagonal + differences - 1)];
    }
    /// The difference that leads here leaves out an element of the second sequence.
    bool is_from_above(Signed differences, Signed diagonal) const
    {
        return diagonal == -differences ||
               (diagonal != differences &&
                before(differences, diagonal - 1) < before(differences, diagonal + 1));
    }
    /// Where the common stretch of this round begins on the diagonal.
    Signed begin_of(Signed differences, Signed diagonal) const
    {
        if (differences == 0) {
            return 0;
        }
        return is_from_above(differences, diagonal) ? before(differences, diagonal + 1)
                                                    : before(differences, diagonal - 1) + 1;
    }

    std::span<const std::uint32_t> m_first;
    std::span<const std::uint32_t> m_second;
    std::vector<std::vector<Signed>> m_rounds; // by number of differences
};

} // namespace

std::optional<Pairs> match_sequences(std::span<const std::uint32_t> first,
                                     std::span<const std::uint32_t> second,
                                     std::size_t most_differences)
{
    Matcher matcher{first, second};
    for (std::size_t differences = 0; differences <= most_differences; ++differences) {
        if (matcher.advance(static_cast<Signed>(differences))) {
            return matcher.trace_back();
        }
    }
    return {};
}

} // namespace lttng_gpu::exporting
