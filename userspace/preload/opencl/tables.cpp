// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <string.h>

#include "runtime/lock.hpp"

namespace lttng_gpu::opencl {

Functions functions[1 + extension_slots];
static SpinLock lock;

void renew_tables_in_child()
{
    lock.unlock();
}

static const ExtensionWrapper* find_extension(const char* name)
{
    unsigned begin = 0, end = extension_wrappers_count;
    while (begin < end) {
        const unsigned middle = (begin + end) / 2;
        const int order = strcmp(name, extension_wrappers[middle].name);
        if (!order)
            return &extension_wrappers[middle];
        (order < 0 ? end : begin) = order < 0 ? middle : middle + 1;
    }
    return nullptr;
}

static bool is_wrapper(const ExtensionWrapper& extension, const void* function)
{
    for (void* wrapper : extension.wrappers) {
        if (wrapper == function)
            return true;
    }
    for (const EntryWrapper& entry : entry_wrappers) {
        if (entry.wrapper == function)
            return true;
    }
    return false;
}

void* wrap_extension(const char* name, void* real)
{
    const ExtensionWrapper* extension = name && real ? find_extension(name) : nullptr;
    if (!extension || is_wrapper(*extension, real))
        return real;
    Guard guard(lock);
    for (unsigned slot = 1; slot <= extension_slots; ++slot) {
        void*& function = function_at(functions[slot], extension->offset);
        if (!function)
            function = real;
        if (function == real)
            return extension->wrappers[slot - 1];
    }
    return real;
}

} // namespace lttng_gpu::opencl
