// SPDX-License-Identifier: MIT
#include "provider_library.hpp"

#include <dlfcn.h>
#include <limits.h>
#include <string.h>
#include <sys/auxv.h>

namespace lttng_gpu {

/// Beside the layer's own file: it was built with this layer, and a path that the user cannot set
/// is followed only.
static bool find_library(const char* file_name, char* path, size_t size)
{
    Dl_info self;
    if (!dladdr(reinterpret_cast<void*>(&open_provider_library), &self) || !self.dli_fname)
        return false;
    const char* slash = strrchr(self.dli_fname, '/');
    const size_t folder = slash ? slash + 1 - self.dli_fname : 0;
    const size_t name_size = strlen(file_name) + 1;
    if (folder + name_size > size)
        return false;
    memcpy(path, self.dli_fname, folder);
    memcpy(path + folder, file_name, name_size);
    return true;
}

/// Another copy of the layer may have loaded a provider already; with two, LTTng would write each
/// event twice.
void* open_provider_library(const char* file_name)
{
    if (getauxval(AT_SECURE))
        return nullptr;
    if (void* loaded = dlopen(file_name, RTLD_NOW | RTLD_NOLOAD))
        return loaded;
    char path[PATH_MAX];
    return find_library(file_name, path, sizeof(path)) ? dlopen(path, RTLD_NOW | RTLD_LOCAL)
                                                       : nullptr;
}

} // namespace lttng_gpu
