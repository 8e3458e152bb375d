// SPDX-License-Identifier: MIT
//
// One call of an OpenCL function that is recorded. Its entry stands in the event of its return,
// which costs one event less; a function that may block says by an event of its own that it was
// entered.
#pragma once

#include "clock.hpp"
#include "functions.hpp"
#include "provider.hpp"

namespace lttng_gpu::opencl {

/// Counts when a preloaded layer gives way to the loader's: a call that began before is recorded by
/// that one.
extern unsigned char ways_given;

class Call {
public:
    explicit Call(Name function)
        : x_begin_ns(now_ns()), x_function(function), x_ways_given(ways_given)
    {
    }

    uint64_t begin_ns() const { return x_begin_ns; }
    Name function() const { return x_function; }

    void may_block() const
    {
        if (!EVENT_ENABLED(call_begin))
            return;
        const lttng_gpu_opencl_call_begin record = {uint16_t(x_function)};
        events.call_begin(&record);
    }

    /// Whether this layer is the one that records it.
    bool is_ours() const { return x_ways_given == ways_given; }

    void returned(cl_int result) const
    {
        if (!EVENT_ENABLED(call) || !is_ours())
            return;
        const lttng_gpu_opencl_call record = {x_begin_ns, result, uint16_t(x_function)};
        events.call(&record);
    }

private:
    uint64_t x_begin_ns;
    Name x_function;
    unsigned char x_ways_given;
};

} // namespace lttng_gpu::opencl
