// SPDX-License-Identifier: MIT
//
// The functions below this layer, and the wrappers that stand above them. Slot 0 has the next
// layer's or the loader's functions. Extension functions come from a driver by name, and two
// drivers may give two functions for one name: each real function gets a slot, and the application
// that slot's wrapper, so that a wrapper needs no look-up.
#pragma once

#include <stddef.h>

#include "functions.hpp"

namespace lttng_gpu::opencl {

constexpr unsigned extension_slots = 4;

extern Functions functions[1 + extension_slots];

inline const Functions& core()
{
    return functions[0];
}

/// One per entry of the dispatch table, in its order; the wrapper is null where the entry is handed
/// through.
struct EntryWrapper {
    void* wrapper;
    size_t offset; ///< of the real function in Functions
};
extern const EntryWrapper entry_wrappers[entries_count];
extern const char* const entry_names[entries_count];

/// One per function that is wrapped, sorted by name.
struct ExtensionWrapper {
    const char* name;
    size_t offset;
    void* wrappers[extension_slots]; ///< of slots 1 and up
};
extern const ExtensionWrapper extension_wrappers[];
extern const unsigned extension_wrappers_count;

inline void*& function_at(Functions& table, size_t offset)
{
    return *reinterpret_cast<void**>(reinterpret_cast<char*>(&table) + offset);
}

/// The wrapper for a driver's function of that name, or the function itself when it is unknown or
/// no slot is free.
void* wrap_extension(const char* name, void* real);
/// Another thread of the parent may have been at work.
void renew_tables_in_child();

} // namespace lttng_gpu::opencl
