// SPDX-License-Identifier: MIT
#include "provider_library.hpp"

#include <dlfcn.h>
#include <limits.h>
#include <string.h>
#include <sys/auxv.h>

namespace lttng_gpu {

/// Beside the layer's own file: it was built with this layer, and a path that the user cannot set
/// is followed only. Null if it is too long for the system.
static const char* library_path(const char* file_name)
{
    static char path[PATH_MAX];
    Dl_info self;
    if (!dladdr(reinterpret_cast<void*>(&open_provider_library), &self) || !self.dli_fname)
        return nullptr;
    const char* slash = strrchr(self.dli_fname, '/');
    const size_t folder = slash ? slash + 1 - self.dli_fname : 0;
    const size_t name_size = strlen(file_name) + 1;
    if (folder + name_size > sizeof(path))
        return nullptr;
    memcpy(path, self.dli_fname, folder);
    memcpy(path + folder, file_name, name_size);
    return path;
}

/// Another copy of the layer may have loaded a provider already; with two, LTTng would write each
/// event twice.
void* open_provider_library(const char* file_name)
{
    if (getauxval(AT_SECURE))
        return nullptr;
    if (void* loaded = dlopen(file_name, RTLD_NOW | RTLD_NOLOAD))
        return loaded;
    const char* const path = library_path(file_name);
    return path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
}

} // namespace lttng_gpu
