// SPDX-License-Identifier: MIT
#include "preload.hpp"

#include <dlfcn.h>
#include <pthread.h>

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

static void resolve()
{
    for (unsigned i = 0; i < entries_count; ++i) {
        const EntryWrapper& entry = entry_wrappers[i];
        if (entry.wrapper)
            function_at(drivers, entry.offset) = dlsym(RTLD_NEXT, entry_names[i]);
    }
    if (!ways_given)
        attach_provider();
    Guard guard(lock);
    set_symbols();
    is_resolved = true;
}

void renew_symbols_in_child()
{
    lock.unlock();
}

void resolve_symbols()
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, resolve);
}

/// Inside of the first call as a rule: that is when a loader looks for its layers.
static void give_way()
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
    lttng_gpu::opencl::give_way();
}
