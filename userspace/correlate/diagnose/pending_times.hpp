// SPDX-License-Identifier: MIT
//
// The earliest of times that come and go.
#pragma once

#include "../base/time.hpp"

#include <functional>
#include <optional>
#include <queue>
#include <vector>

namespace lttng_gpu::diagnose {

class PendingTimes {
public:
    void add(Timestamp time) { m_times.push(time); }
    /// One that was added before.
    void remove(Timestamp time) { m_removed.push(time); }
    std::optional<Timestamp> earliest()
    {
        while (!m_removed.empty() && m_removed.top() == m_times.top()) {
            m_removed.pop();
            m_times.pop();
        }
        return m_times.empty() ? std::nullopt : std::optional{m_times.top()};
    }

private:
    using EarliestFirst = std::priority_queue<Timestamp, std::vector<Timestamp>, std::greater<>>;

    EarliestFirst m_times;
    EarliestFirst m_removed; // of these
};

} // namespace lttng_gpu::diagnose
