// SPDX-License-Identifier: MIT
#include "provider_library.hpp"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

namespace lttng_gpu {

/// Beside the layer's own file: it was built with this layer, and a path that the user cannot set
/// is followed only. To be freed; null without memory.
static char* library_path(const char* file_name)
{
    Dl_info self;
    if (!dladdr(reinterpret_cast<void*>(&open_provider_library), &self) || !self.dli_fname)
        return nullptr;
    const char* slash = strrchr(self.dli_fname, '/');
    const size_t folder = slash ? slash + 1 - self.dli_fname : 0;
    const size_t name_size = strlen(file_name) + 1;
    auto* path = static_cast<char*>(malloc(folder + name_size));
    if (!path)
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
    char* path = library_path(file_name);
    void* opened = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
    free(path);
    return opened;
}

} // namespace lttng_gpu
