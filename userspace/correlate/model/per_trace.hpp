// SPDX-License-Identifier: MIT
//
// A small value per trace: readers hand out a few traces, numbered as they like.
#pragma once

#include "../base/ids.hpp"

#include <deque>

namespace lttng_gpu::model {

template <typename Value> class PerTrace {
public:
    Value& operator[](TraceId trace)
    {
        if (x_last < x_entries.size() && x_entries[x_last].trace == trace) {
            return x_entries[x_last].value;
        }
        for (x_last = 0; x_last < x_entries.size(); ++x_last) {
            if (x_entries[x_last].trace == trace) {
                return x_entries[x_last].value;
            }
        }
        x_entries.push_back({trace, Value{}});
        return x_entries.back().value;
    }

private:
    struct Entry {
        TraceId trace;
        Value value;
    };

    std::deque<Entry> x_entries; // a deque never moves its elements
    std::size_t x_last = 0;
};

} // namespace lttng_gpu::model
