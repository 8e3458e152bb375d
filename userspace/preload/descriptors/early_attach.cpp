// SPDX-License-Identifier: MIT
#include "early_attach.hpp"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

namespace lttng_gpu {
namespace {

/// Names of loaders begin so. A program that opens one by itself has its name in it.
constexpr const char* loaders[] = {"libGL.so",     "libGLX.so",       "libEGL.so",
                                   "libOpenGL.so", "libGLESv1_CM.so", "libGLESv2.so",
                                   "libvulkan.so", "libOpenCL.so",    "libhsa-runtime64.so"};

constexpr const char* providers[] = {
#define LTTNG_GPU_API(name, title, loading, loader_variable) "liblttng-gpu-" #name "-provider.so",
#include "../../apis.def"
#undef LTTNG_GPU_API
};

bool is_loader(const char* path)
{
    const char* const slash = strrchr(path, '/');
    const char* const name = slash ? slash + 1 : path;
    for (const char* loader : loaders) {
        if (strncmp(name, loader, strlen(loader)) == 0)
            return true;
    }
    return false;
}

bool names_a_loader(const dl_phdr_info& object)
{
    for (int at = 0; at < object.dlpi_phnum; ++at) {
        const auto& segment = object.dlpi_phdr[at];
        if (segment.p_type != PT_LOAD || (segment.p_flags & (PF_R | PF_W)) != PF_R)
            continue;
        const auto* begin = reinterpret_cast<const char*>(object.dlpi_addr + segment.p_vaddr);
        for (const char* loader : loaders) {
            // What is beyond the end of the file is not mapped.
            if (memmem(begin, segment.p_filesz, loader, strlen(loader)))
                return true;
        }
    }
    return false;
}

pid_t program = 0; // as it was executed; before our constructor none has forked

[[gnu::constructor]] void note_program()
{
    program = getpid();
}

/// The program itself comes first.
int look_at_object(dl_phdr_info* object, size_t, void* count)
{
    const bool is_first = (*static_cast<int*>(count))++ == 0;
    return is_loader(object->dlpi_name) ||
           (is_first && (program == 0 || program == getpid()) && names_a_loader(*object));
}

bool can_use_an_api()
{
    int count = 0;
    return dl_iterate_phdr(look_at_object, &count) != 0;
}

/// Beside this library; those of APIs that are not installed are not there.
void open_providers()
{
    Dl_info self;
    static char path[PATH_MAX];
    if (!dladdr(reinterpret_cast<void*>(&attach_early), &self) || !self.dli_fname)
        return;
    const char* const slash = strrchr(self.dli_fname, '/');
    const size_t folder = slash ? size_t(slash + 1 - self.dli_fname) : 0;
    for (const char* provider : providers) {
        const size_t size = strlen(provider) + 1;
        if (folder + size > sizeof(path))
            return;
        memcpy(path, self.dli_fname, folder);
        memcpy(path + folder, provider, size);
        dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
}

} // namespace

void attach_early()
{
    static bool is_done = false;
    const int error = errno;
    const char* const wish = getenv("LTTNG_GPU_ATTACH_EARLY");
    const bool is_wanted = wish && strcmp(wish, "1") == 0 && !getauxval(AT_SECURE);
    if (is_wanted && can_use_an_api() && !__atomic_exchange_n(&is_done, true, __ATOMIC_ACQ_REL))
        open_providers();
    errno = error;
}

} // namespace lttng_gpu
