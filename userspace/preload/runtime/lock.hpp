// SPDX-License-Identifier: MIT
//
// A lock for sections of a few dozen instructions in which nothing else is called, but now and then
// for memory: no driver, no tracer. Half the price of a pthread mutex where nobody else wants it,
// and it needs no destructor at exit.
#pragma once

#include <sched.h>
#include <time.h>

#include "thread_state.hpp"

namespace lttng_gpu {

class SpinLock {
public:
    void lock()
    {
        for (unsigned spins = 0; __atomic_exchange_n(&m_is_taken, true, __ATOMIC_ACQUIRE); ++spins)
            wait(spins);
    }
    void unlock() { __atomic_store_n(&m_is_taken, false, __ATOMIC_RELEASE); }

private:
    /// The holder may have lost its processor, also to this very thread if that is a real-time one:
    /// to yield would not give it back.
    void wait(unsigned spins)
    {
        const timespec pause = {0, 50'000};
        if (spins > 1000)
            nanosleep(&pause, nullptr);
        else if (spins > 100)
            sched_yield();
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
    }

    bool m_is_taken = false;
};

class Guard {
public:
    explicit Guard(SpinLock& lock) : m_lock(lock) { m_lock.lock(); }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    ~Guard() { m_lock.unlock(); }

private:
    Section m_section;
    SpinLock& m_lock;
};

} // namespace lttng_gpu
