// SPDX-License-Identifier: MIT
//
// The layer's side of its LTTng-UST provider, which is a library of its own beside the layer's, so
// that a program runs with the layer where LTTng-UST is not installed. A layer has its provider's
// table (instrumentation/events/lttng_gpu_records.h): which events somebody records now, and the
// functions that write them. Before the provider is attached, and for ever where there is none, no
// event is enabled.
#pragma once

#include <stdint.h>

#include "clock.hpp"
#include "forks.hpp"
#include "session_check.hpp"

/// Of the table `events` of the layer's namespace.
#define EVENT_ENABLED(name) (::lttng_gpu::is_enabled(events.name##_state))

namespace lttng_gpu {

struct Provider {
    void* library;     ///< of dlopen(); never closed
    const void* table; ///< null: there is none
};

/// Loads the library of that file name. There is no provider where it, or LTTng-UST, is not
/// installed, which is no reason to say anything, in a program that runs with more privileges than
/// its user has, in one that has a filter of seccomp, unless the library is there already, and for
/// a layer with other records.
Provider find_provider(const char* file_name, uint32_t records_version);

/// From here on `events` are recorded. `forks` must live as long as the program.
template <class Table>
void begin_recording(Table& events, const Provider& provider, const ForkHandlers& forks)
{
    find_counter();
    events = *static_cast<const Table*>(provider.table);
    watch_forks(events.follows_fork(), provider.library, forks);
}

/// The first call with that `is_done` does all of it, before the first call that could be recorded.
template <class Table>
void attach_once(bool& is_done, Table& events, const char* file_name, uint32_t records_version,
                 const ForkHandlers& forks)
{
    if (__atomic_exchange_n(&is_done, true, __ATOMIC_ACQ_REL))
        return;
    const Provider provider = find_provider(file_name, records_version);
    if (provider.table)
        begin_recording(events, provider, forks);
}

} // namespace lttng_gpu
