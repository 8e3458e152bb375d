// SPDX-License-Identifier: MIT
#include "destructors.hpp"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

namespace lttng_gpu {

static const link_map* libraries[2] = {nullptr, nullptr};
static pid_t owner = 0;
static bool is_child = false;

static const link_map* library_of(void* handle)
{
    link_map* library = nullptr;
    return handle && dlinfo(handle, RTLD_DI_LINKMAP, &library) == 0 ? library : nullptr;
}

/// The dynamic linker reads the number of destructors when it runs them. It is read-only memory by
/// now; where it cannot be changed, everything stays as it is.
static void omit_destructors(const link_map& library)
{
    for (ElfW(Dyn)* entry = library.l_ld; entry->d_tag != DT_NULL; ++entry) {
        if (entry->d_tag != DT_FINI_ARRAYSZ)
            continue;
        const auto page = uintptr_t(sysconf(_SC_PAGESIZE));
        const auto begin = reinterpret_cast<uintptr_t>(entry) & ~(page - 1);
        const auto end = reinterpret_cast<uintptr_t>(entry + 1);
        if (mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_READ | PROT_WRITE) == 0)
            entry->d_un.d_val = 0;
    }
}

/// Handlers run before all destructors of libraries.
static void at_exit()
{
    if (!is_child && getpid() == owner)
        return;
    for (const link_map* library : libraries) {
        if (library)
            omit_destructors(*library);
    }
}

void watch_exits_of_children(void* provider)
{
    owner = getpid();
    libraries[0] = library_of(provider);
    libraries[1] = library_of(dlopen("liblttng-ust.so.1", RTLD_NOW | RTLD_NOLOAD));
    atexit(at_exit);
}

void note_that_this_is_a_child()
{
    is_child = true;
}

} // namespace lttng_gpu
