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
        return x_last != nullptr && x_last->trace == trace ? x_last->value : find(trace);
    }

    /// In the order in which they were asked for the first time.
    template <typename Function> void for_each(Function function) const
    {
        for (const Entry& entry : x_entries) {
            function(entry.trace, entry.value);
        }
    }

private:
    struct Entry {
        TraceId trace;
        Value value;
    };

    Value& find(TraceId trace)
    {
        for (Entry& entry : x_entries) {
            if (entry.trace == trace) {
                x_last = &entry;
                return entry.value;
            }
        }
        x_last = &x_entries.emplace_back(Entry{trace, Value{}});
        return x_last->value;
    }

    std::deque<Entry> x_entries; // a deque never moves its elements
    Entry* x_last = nullptr;
};

} // namespace lttng_gpu::model
