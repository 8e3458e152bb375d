// SPDX-License-Identifier: MIT
//
// A small value per trace: readers hand out a few traces, numbered as they like.
#pragma once

#include "ids.hpp"

#include <deque>

namespace lttng_gpu::model {

template <typename Value> class PerTrace {
public:
    Value& operator[](TraceId trace)
    {
        return m_last != nullptr && m_last->trace == trace ? m_last->value : find(trace);
    }

    /// In the order in which they were asked for the first time.
    template <typename Function> void for_each(Function function) const
    {
        for (const Entry& entry : m_entries) {
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
        for (Entry& entry : m_entries) {
            if (entry.trace == trace) {
                m_last = &entry;
                return entry.value;
            }
        }
        m_last = &m_entries.emplace_back(Entry{trace, Value{}});
        return m_last->value;
    }

    std::deque<Entry> m_entries; // a deque never moves its elements
    Entry* m_last = nullptr;
};

} // namespace lttng_gpu::model
