// SPDX-License-Identifier: MIT
//
// Jobs in a queue overlap, but viewers stack slices of one track and want them nested. So each
// queue of a ring has as many lanes as it needs, and a slice takes the first one that is free at
// its time.
#pragma once

#include "../../correlate/base/time.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace lttng_gpu::exporting {

class SliceLanes {
public:
    /// Searching more would take longer than writing.
    static constexpr std::size_t most = 1024;

    /// Nothing: all are taken.
    std::optional<std::size_t> take(Timestamp begin, Timestamp end)
    {
        const auto free = std::find_if(m_ends.begin(), m_ends.end(),
                                       [begin](Timestamp last) { return last <= begin; });
        if (free != m_ends.end()) {
            *free = end;
            return static_cast<std::size_t>(free - m_ends.begin());
        }
        if (m_ends.size() == most) {
            return {};
        }
        m_ends.push_back(end);
        return m_ends.size() - 1;
    }
    std::size_t size() const { return m_ends.size(); }

private:
    std::vector<Timestamp> m_ends; // of the last slice of each
};

} // namespace lttng_gpu::exporting
