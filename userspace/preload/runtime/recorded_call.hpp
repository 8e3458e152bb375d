// SPDX-License-Identifier: MIT
//
// One call of an API function that is recorded. Its entry stands in the event of its return, which
// costs one event less; a function that may block says by an event of its own that it was entered.
#pragma once

#include "clock.hpp"
#include "session_check.hpp"
#include "thread_state.hpp"

namespace lttng_gpu {

/// Counts when a preloaded layer gives way to one that a loader took: a call that began before is
/// recorded by that one.
inline unsigned char ways_given = 0;

/// `Api` has the types Function (numbered as the provider's enumeration) and Result, and the static
/// functions call_state(), call_begin_state() (tracepoint states), write_call(begin_ns, result,
/// function) and write_call_begin(function).
template <class Api> class RecordedCall {
public:
    using Function = typename Api::Function;

    explicit RecordedCall(Function function)
        : m_begin_ns(now_ns()), m_function(function), m_ways_given(ways_given)
    {
        ++thread_state.calls;
        thread_state.has_called = true;
    }
    RecordedCall(const RecordedCall&) = delete;
    RecordedCall& operator=(const RecordedCall&) = delete;
    ~RecordedCall() { --thread_state.calls; }

    /// Nanoseconds of CLOCK_MONOTONIC.
    uint64_t begin_ns() const { return m_begin_ns; }
    Function function() const { return m_function; }

    void may_block() const
    {
        if (is_enabled(Api::call_begin_state()))
            Api::write_call_begin(m_function);
    }

    /// Whether this layer is the one that records it.
    bool is_ours() const { return m_ways_given == ways_given; }

    void returned(typename Api::Result result) const
    {
        if (is_enabled(Api::call_state()) && is_ours())
            Api::write_call(m_begin_ns, result, m_function);
    }

private:
    uint64_t m_begin_ns;
    Function m_function;
    unsigned char m_ways_given;
};

} // namespace lttng_gpu
