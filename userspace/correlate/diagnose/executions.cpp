// SPDX-License-Identifier: MIT
//
// See executions.hpp.
#include "executions.hpp"

#include <algorithm>
#include <utility>

namespace lttng_gpu::diagnose {
namespace {

constexpr std::size_t executions_kept = 255;
constexpr std::size_t executions_at_least = 8;
constexpr std::size_t one_is_rare_in = 32; // executions: such a length is not usual

} // namespace

void Executions::add(std::int64_t length)
{
    if (m_lengths.size() < executions_kept) {
        m_lengths.push_back(length);
    } else {
        const std::int64_t oldest = std::exchange(m_lengths[m_next++ % executions_kept], length);
        m_sorted.erase(std::ranges::lower_bound(m_sorted, oldest));
    }
    m_sorted.insert(std::ranges::upper_bound(m_sorted, length), length);
}

/// Jobs of which a frame has several, short and long ones, are all usual: which of them this one is
/// like, no event tells.
KnownDuration Executions::usual() const
{
    const std::size_t count = m_sorted.size();
    return count >= executions_at_least
               ? KnownDuration{Duration{m_sorted[count - 1 - count / one_is_rare_in]}}
               : KnownDuration{};
}

} // namespace lttng_gpu::diagnose
