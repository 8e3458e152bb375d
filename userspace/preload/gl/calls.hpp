// SPDX-License-Identifier: MIT
//
// One call of a function of OpenGL, EGL or GLX that is recorded.
#pragma once

#include <errno.h>

#include "functions.hpp"
#include "provider.hpp"
#include "runtime/recorded_call.hpp"

namespace lttng_gpu::gl {

/// What a function left in errno is the program's. LTTng's ring buffer makes system calls now and
/// then.
template <class Record> void write_event(void (*write)(const Record*), const Record& record)
{
    const int error = errno;
    write(&record);
    errno = error;
}

struct CallEvents {
    using Function = Name;
    using Result = int32_t;

    static const int* call_state() { return events.call_state; }
    static const int* call_begin_state() { return events.call_begin_state; }
    static void write_call(uint64_t begin_ns, int32_t result, Name function)
    {
        write_event(events.call, {begin_ns, result, uint16_t(function)});
    }
    static void write_call_begin(Name function)
    {
        write_event(events.call_begin, {uint16_t(function)});
    }
};

using Call = RecordedCall<CallEvents>;

/// A call that a library of OpenGL makes in a call of the program's: EGL's functions on top of
/// GLX's, or one implementation on top of another.
inline bool is_nested()
{
    return thread_state.calls != 0;
}

} // namespace lttng_gpu::gl
