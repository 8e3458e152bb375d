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
        x_begins.push(begin);
        x_ends.push(end);
    }

    /// Calls `tell(time, depth)` once for each time before `safe` at which the depth changes.
    template <typename Tell> void release(Timestamp safe, Tell tell)
    {
        for (;;) {
            const Timestamp time = next();
            if (time >= safe) {
                return;
            }
            const std::int64_t before = x_depth;
            for (; !x_begins.empty() && x_begins.top() == time; x_begins.pop()) {
                ++x_depth;
            }
            for (; !x_ends.empty() && x_ends.top() == time; x_ends.pop()) {
                --x_depth;
            }
            if (x_depth != before) {
                tell(time, x_depth);
            }
        }
    }

private:
    Timestamp next() const
    {
        const Timestamp never{INT64_MAX};
        const Timestamp begin = x_begins.empty() ? never : x_begins.top();
        return !x_ends.empty() && x_ends.top() < begin ? x_ends.top() : begin;
    }

    using Times = std::priority_queue<Timestamp, std::vector<Timestamp>, std::greater<>>;

    Times x_begins;
    Times x_ends;
    std::int64_t x_depth = 0;
};

} // namespace lttng_gpu::exporting
