// SPDX-License-Identifier: MIT
//
// How long the last jobs of one kind executed.
#pragma once

#include "../base/known.hpp"

#include <cstdint>
#include <vector>

namespace lttng_gpu::diagnose {

class Executions {
public:
    void add(std::int64_t length);
    /// Nearly all took no longer; empty: there were too few.
    KnownDuration usual() const;

private:
    std::vector<std::int64_t> m_lengths; // the next overwrites the oldest
    std::vector<std::int64_t> m_sorted;  // the same
    std::size_t m_next = 0;
};

} // namespace lttng_gpu::diagnose
