// SPDX-License-Identifier: MIT
#include "bounded_wait.hpp"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

namespace lttng_gpu {

/// Outlives the wait: the thread may still need it.
struct Work {
    void (*function)();
    sem_t is_done;
};
static Work work;

static void* do_work(void*)
{
    work.function();
    sem_post(&work.is_done);
    return nullptr;
}

static timespec after(uint64_t ns)
{
    timespec end;
    clock_gettime(CLOCK_REALTIME, &end); // what sem_timedwait() wants
    ns += uint64_t(end.tv_nsec);
    end.tv_sec += time_t(ns / 1'000'000'000);
    end.tv_nsec = long(ns % 1'000'000'000);
    return end;
}

bool run_within(uint64_t ns, void (*function)())
{
    work.function = function;
    sem_init(&work.is_done, 0, 0);
    // The program's signals are for its own threads.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    const bool is_made = pthread_create(&thread, nullptr, do_work, nullptr) == 0;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (!is_made)
        return false;
    pthread_detach(thread);
    const timespec end = after(ns);
    while (sem_timedwait(&work.is_done, &end) != 0 && errno == EINTR) {
    }
    return true;
}

} // namespace lttng_gpu
