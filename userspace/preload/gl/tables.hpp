// SPDX-License-Identifier: MIT
//
// The library's functions behind the wrappers. A name may have several: that of a library to which
// the program is linked, and those that it was given for the name by dlsym() or GetProcAddress.
// Each is called by a wrapper of its own.
#pragma once

#include <stddef.h>

#include "functions.hpp"

#define LTTNG_GPU_LINKED extern "C" __attribute__((visibility("default")))

namespace lttng_gpu::gl {

constexpr unsigned slots_count = 4;

/// [0]: behind the symbols that this library exports. At first those that look for the real ones.
extern Functions functions[1 + slots_count];

/// Another thread may be finding it.
template <class Function> Function load(const Function& function)
{
    return __atomic_load_n(&function, __ATOMIC_RELAXED);
}

struct Wrapper {
    const char* name;
    size_t offset; ///< in Functions
    void* symbol;  ///< that this library exports
    void* slots[slots_count];
};

/// Generated; by name, as Name numbers them.
extern const Wrapper wrappers[entries_count];

/// Null: not wrapped.
const Wrapper* find_wrapper(const char* name);
/// What the program gets in place of `real`: that itself where it is a wrapper already, or where
/// no slot is left.
void* wrap(const Wrapper& wrapper, void* real);
/// What the symbol stands before; from then on it is called without a look. Null: no library that
/// is loaded has it, and the next call looks again.
void* resolve_linked(unsigned name);
/// As resolve_linked(), but nothing is kept.
void* find_linked(const char* name);

} // namespace lttng_gpu::gl
