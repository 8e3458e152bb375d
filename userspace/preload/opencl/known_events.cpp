// SPDX-License-Identifier: MIT
#include "known_events.hpp"

#include "runtime/handle_table.hpp"

namespace lttng_gpu::opencl {

static HandleTable<KnownEvent> known_events;
static uint64_t commands_given = 0;

bool add_event(cl_event event, const KnownEvent& known)
{
    return known_events.set(event, known);
}

bool find_event(cl_event event, KnownEvent& known)
{
    return known_events.with(event, [&](const KnownEvent& value) { known = value; });
}

void event_was_retained(cl_event event)
{
    known_events.with(event, [](KnownEvent& known) { ++known.references; });
}

void event_was_released(cl_event event)
{
    known_events.remove_if(event, [](KnownEvent& known) {
        return known.references && --known.references == 0 && !known.is_pending;
    });
}

void event_is_reported(cl_event event)
{
    known_events.remove_if(event, [](KnownEvent& known) {
        known.is_pending = false;
        return known.references == 0;
    });
}

uint64_t command_of(cl_event event)
{
    KnownEvent known;
    return find_event(event, known) ? known.command : 0;
}

uint64_t next_command()
{
    return __atomic_add_fetch(&commands_given, 1, __ATOMIC_RELAXED);
}

uint64_t newest_command()
{
    return __atomic_load_n(&commands_given, __ATOMIC_RELAXED);
}

void forget_events()
{
    known_events.clear();
}

void lock_events()
{
    known_events.lock_all();
}

void unlock_events()
{
    known_events.unlock_all();
}

} // namespace lttng_gpu::opencl
