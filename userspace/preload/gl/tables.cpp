// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>

#include "real_dlsym.hpp"

namespace lttng_gpu::gl {

static void*& function_at(Functions& table, size_t offset)
{
    return *reinterpret_cast<void**>(reinterpret_cast<char*>(&table) + offset);
}

LTTNG_GPU_BEFORE_SANITIZERS const Wrapper* find_wrapper(const char* name)
{
    if (name[0] == 'e' ? name[1] != 'g' || name[2] != 'l' : name[0] != 'g' || name[1] != 'l')
        return nullptr;
    unsigned begin = 0, end = entries_count;
    while (begin < end) {
        const unsigned middle = (begin + end) / 2;
        const int order = strcmp(name, wrappers[middle].name);
        if (!order)
            return &wrappers[middle];
        (order < 0 ? end : begin) = order < 0 ? middle : middle + 1;
    }
    return nullptr;
}

struct Place {
    uintptr_t address;
    const char* library;
};

static int find_place(dl_phdr_info* info, size_t, void* data)
{
    auto& place = *static_cast<Place*>(data);
    for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& part = info->dlpi_phdr[i];
        const uintptr_t begin = info->dlpi_addr + part.p_vaddr;
        if (part.p_type == PT_LOAD && place.address - begin < part.p_memsz) {
            place.library = info->dlpi_name;
            return 1;
        }
    }
    return 0;
}

/// A wrapper is never taken back from the program, nor from libraries that are linked to it: what
/// it calls must stay where it is.
static void keep_library_of(const void* function)
{
    Place place = {reinterpret_cast<uintptr_t>(function), nullptr};
    if (dl_iterate_phdr(find_place, &place) && place.library && place.library[0])
        dlopen(place.library, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

static bool is_ours(const Wrapper& wrapper, const void* function)
{
    for (void* slot : wrapper.slots) {
        if (slot == function)
            return true;
    }
    return function == wrapper.symbol;
}

void* wrap(const Wrapper& wrapper, void* real)
{
    if (!real || is_ours(wrapper, real))
        return real;
    if (__atomic_load_n(&function_at(functions[0], wrapper.offset), __ATOMIC_ACQUIRE) == real)
        return wrapper.symbol;
    // Without a lock: a child of fork() finds none that another thread held.
    for (unsigned slot = 1; slot <= slots_count; ++slot) {
        void*& place = function_at(functions[slot], wrapper.offset);
        void* there = __atomic_load_n(&place, __ATOMIC_ACQUIRE);
        if (there == real)
            return wrapper.slots[slot - 1];
        if (there)
            continue;
        const int error = errno;
        keep_library_of(real);
        errno = error;
        if (__atomic_compare_exchange_n(&place, &there, real, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE) ||
            there == real)
            return wrapper.slots[slot - 1];
    }
    return real;
}

/// A library of a plugin that was opened for itself (RTLD_LOCAL) finds our symbol, but its own
/// libraries are not among those that follow us. libGL has all of OpenGL and GLX.
static void* find_in_loaded(const char* name)
{
    static const char* const libraries[] = {"libGL.so.1",  "libOpenGL.so.0", "libGLX.so.0",
                                            "libEGL.so.1", "libGLESv2.so.2", "libGLESv1_CM.so.1"};
    for (const char* library : libraries) {
        void* handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
        if (!handle)
            continue;
        void* found = real_dlsym(handle, name);
        dlclose(handle);
        const Wrapper* wrapper = find_wrapper(name);
        if (found && !(wrapper && is_ours(*wrapper, found)))
            return found;
    }
    return nullptr;
}

void* find_linked(const char* name)
{
    void* found = real_dlsym(RTLD_NEXT, name);
    return found ? found : find_in_loaded(name);
}

void* resolve_linked(unsigned name)
{
    const int error = errno;
    const Wrapper& wrapper = wrappers[name];
    void* found = find_linked(wrapper.name);
    if (found) {
        keep_library_of(found);
        __atomic_store_n(&function_at(functions[0], wrapper.offset), found, __ATOMIC_RELEASE);
    }
    errno = error;
    return found;
}

} // namespace lttng_gpu::gl
