// SPDX-License-Identifier: MIT
#include "preload.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>

#include "calls.hpp"
#include "provider.hpp"
#include "runtime/lock.hpp"
#include "tables.hpp"

namespace lttng_gpu::opencl {

static SpinLock lock;
static bool is_resolved = false;
static Functions drivers; ///< what the symbols would be without this library

static void set_symbols()
{
    auto& symbols = *static_cast<Functions*>(preloaded_symbols());
    Functions missing = *static_cast<const Functions*>(missing_symbols());
    for (unsigned i = 0; i < entries_count; ++i) {
        const EntryWrapper& entry = entry_wrappers[i];
        if (!entry.wrapper)
            continue;
        void* driver = function_at(drivers, entry.offset);
        void* symbol = ways_given ? driver : entry.wrapper;
        if (!ways_given)
            function_at(functions[0], entry.offset) = driver;
        if (!driver)
            symbol = function_at(missing, entry.offset);
        __atomic_store_n(&function_at(symbols, entry.offset), symbol, __ATOMIC_RELEASE);
    }
}

/// For a moment. A signal handler may make the program's first call of OpenCL in the middle of it.
class BlockedSignals {
public:
    BlockedSignals()
    {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &m_before);
    }
    BlockedSignals(const BlockedSignals&) = delete;
    BlockedSignals& operator=(const BlockedSignals&) = delete;
    ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }

private:
    sigset_t m_before;
};

static void find_drivers()
{
    for (unsigned i = 0; i < entries_count; ++i) {
        const EntryWrapper& entry = entry_wrappers[i];
        if (entry.wrapper)
            function_at(drivers, entry.offset) = dlsym(RTLD_NEXT, entry_names[i]);
    }
}

static void publish_symbols()
{
    const BlockedSignals blocked;
    Guard guard(lock);
    set_symbols();
    is_resolved = true;
}

static void resolve()
{
    if (!ways_given)
        attach_provider();
    publish_symbols();
}

void renew_symbols_in_child()
{
    lock.unlock();
}

void resolve_symbols()
{
    static pthread_once_t drivers_once = PTHREAD_ONCE_INIT, once = PTHREAD_ONCE_INIT;
    {
        const BlockedSignals blocked;
        pthread_once(&drivers_once, find_drivers);
    }
    // LTTng may take long to begin, and this thread waits for it below the handler.
    if (is_in_section()) {
        publish_symbols();
        return;
    }
    const Section section;
    pthread_once(&once, resolve);
}

/// Inside of the first call as a rule: that is when a loader looks for its layers.
static void evict_oldest()
{
    Guard guard(lock);
    if (ways_given)
        return;
    ways_given = 1;
    if (is_resolved)
        set_symbols();
}

} // namespace lttng_gpu::opencl

void lttng_gpu_opencl_give_way()
{
    lttng_gpu::opencl::evict_oldest();
}
