// SPDX-License-Identifier: MIT
//
// Where a thread is in a layer. Programs call an API in signal handlers and in callbacks, so a call
// may begin while the same thread is in the middle of another one.
#pragma once

namespace lttng_gpu {

struct ThreadState {
    unsigned sections; ///< of the layer's own, which end in some nanoseconds and must not be
                       ///< entered again
    unsigned calls;    ///< of the API: one, or more if a handler or callback made another
    bool has_called;   ///< ever
};

// Not thread_local: no look whether it is initialised.
extern __thread ThreadState thread_state __attribute__((tls_model("initial-exec")));

/// In which a lock is held, or something of this thread's is half-changed.
class Section {
public:
    Section()
    {
        ++thread_state.sections;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    }
    Section(const Section&) = delete;
    Section& operator=(const Section&) = delete;
    ~Section()
    {
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        --thread_state.sections;
    }
};

/// Whether a signal came in a section, and its handler calls: such a call is passed on unrecorded.
inline bool is_in_section()
{
    return __builtin_expect(thread_state.sections != 0, 0);
}

/// Whether the next library may be at work below this one, with its locks held: then it must not be
/// asked anything that the program does not ask.
inline bool is_in_other_call(unsigned own_calls)
{
    return thread_state.calls > own_calls;
}

} // namespace lttng_gpu
