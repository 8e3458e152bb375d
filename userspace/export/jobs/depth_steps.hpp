// SPDX-License-Identifier: MIT
//
// How many jobs are in a queue, as steps in order of time. Jobs come in order of their first
// times and their ends lie ahead, so steps wait until nothing earlier can come.
#pragma once

#include "../../correlate/base/time.hpp"

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace lttng_gpu::exporting {

class DepthSteps {
public:
    void add(Timestamp begin, Timestamp end)
    {
        m_begins.push(begin);
        m_ends.push(end);
    }

    /// Calls `tell(time, depth)` once for each time before `safe` at which the depth changes.
    template <typename Tell> void release(Timestamp safe, Tell tell)
    {
        for (;;) {
            const Timestamp time = next();
            if (time >= safe) {
                return;
            }
            const std::int64_t before = m_depth;
            for (; !m_begins.empty() && m_begins.top() == time; m_begins.pop()) {
                ++m_depth;
            }
            for (; !m_ends.empty() && m_ends.top() == time; m_ends.pop()) {
                --m_depth;
            }
            if (m_depth != before) {
                tell(time, m_depth);
            }
        }
    }

private:
    Timestamp next() const
    {
        const Timestamp never{INT64_MAX};
        const Timestamp begin = m_begins.empty() ? never : m_begins.top();
        return !m_ends.empty() && m_ends.top() < begin ? m_ends.top() : begin;
    }

    using Times = std::priority_queue<Timestamp, std::vector<Timestamp>, std::greater<>>;

    Times m_begins;
    Times m_ends;
    std::int64_t m_depth = 0;
};

} // namespace lttng_gpu::exporting
