// SPDX-License-Identifier: MIT
//
// fork() in a program with a layer: the child gets no lock that another thread of the parent held,
// and no half-changed table. Without liblttng-ust-fork the child would write into the parent's
// buffers under the parent's name, so it records nothing.
#pragma once

namespace lttng_gpu {

/// What one layer does around fork(). Nothing here may call the dynamic linker: LTTng holds a lock
/// in fork() within which it must not be called.
struct ForkHandlers {
    void (*lock)();
    void (*unlock)();         ///< in the parent and in the child
    void (*stop_recording)(); ///< only in a child that must not record, before it is renewed
    void (*renew_in_child)();
};

/// Called once, when there is something to record with. `child_records`: liblttng-ust-fork is
/// preloaded, or it is never there. `provider`: its library, of dlopen(). `handlers` must live as
/// long as the program.
void watch_forks(bool child_records, void* provider, const ForkHandlers& handlers);

} // namespace lttng_gpu
