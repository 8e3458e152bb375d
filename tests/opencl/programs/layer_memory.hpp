// SPDX-License-Identifier: MIT
//
// How much memory the layer asks for, and what it does when it gets none: this program's malloc and
// calloc stand in front of the C library's and look at who calls them. Exact, while the memory of
// the whole process also has what drivers take, each of their threads when it first runs.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <link.h>

extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* __libc_calloc(std::size_t count, std::size_t size);

namespace layer_memory {

inline std::uintptr_t begins = 0, ends = 0;
inline std::atomic<std::size_t> asked_for{0};
/// The layer's allocations are numbered from 1; those from `first_refused` up to `last_refused`
/// fail.
inline std::atomic<long> asked{0};
inline long first_refused = 0, last_refused = 0;

/// Looks for the layer among what is loaded; without it nothing is counted.
inline void find_layer()
{
    dl_iterate_phdr(
        [](dl_phdr_info* object, std::size_t, void*) {
            if (!std::strstr(object->dlpi_name, "liblttng-gpu-opencl.so"))
                return 0;
            begins = object->dlpi_addr;
            for (int i = 0; i < object->dlpi_phnum; ++i) {
                const auto& part = object->dlpi_phdr[i];
                if (part.p_type == PT_LOAD)
                    ends = begins + part.p_vaddr + part.p_memsz;
            }
            return 1;
        },
        nullptr);
}

/// False: this one fails.
inline bool count(void* caller, std::size_t bytes)
{
    const auto address = reinterpret_cast<std::uintptr_t>(caller);
    if (address < begins || address >= ends)
        return true;
    asked_for.fetch_add(bytes, std::memory_order_relaxed);
    const long number = asked.fetch_add(1, std::memory_order_relaxed) + 1;
    return number < first_refused || number > last_refused;
}

} // namespace layer_memory

extern "C" void* malloc(std::size_t size) noexcept
{
    return layer_memory::count(__builtin_return_address(0), size) ? __libc_malloc(size) : nullptr;
}

extern "C" void* calloc(std::size_t count, std::size_t size) noexcept
{
    return layer_memory::count(__builtin_return_address(0), count * size)
               ? __libc_calloc(count, size)
               : nullptr;
}
