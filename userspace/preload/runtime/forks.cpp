// SPDX-License-Identifier: MIT
#include "forks.hpp"

#include <pthread.h>

#include "clock.hpp"
#include "destructors.hpp"
#include "thread_state.hpp"

namespace lttng_gpu {

static const ForkHandlers* handlers = nullptr;
static bool child_records = false;

static void before_fork()
{
    ++thread_state.sections; // until the locks are open again
    handlers->lock();
}

static void after_fork()
{
    handlers->unlock();
    --thread_state.sections;
}

static void after_fork_in_child()
{
    handlers->unlock();
    renew_clock_in_child();
    if (!child_records) {
        handlers->stop_recording();
        note_that_this_is_a_child();
    }
    handlers->renew_in_child();
    --thread_state.sections;
}

void watch_forks(bool does_child_record, void* provider, const ForkHandlers& layer)
{
    child_records = does_child_record;
    handlers = &layer;
    if (!does_child_record)
        watch_exits_of_children(provider);
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

} // namespace lttng_gpu
