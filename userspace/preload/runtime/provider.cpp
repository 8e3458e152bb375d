// SPDX-License-Identifier: MIT
#include "provider.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

namespace lttng_gpu {

/// Until the end of its life no handler of the program's runs in this thread. One may call the API,
/// whose loader opens libraries then: dlopen() inside of dlopen(), whose end unmaps the cache of
/// library names in which the outer one still looks (_dl_unload_cache(), glibc 2.36). Without the
/// layer the program was in no dlopen() there. Signals without a handler do what they always do,
/// and handlers of those that ask a program to end are left alone, because LTTng may take long to
/// begin; so are errors of the thread's own.
class DelayedHandlers {
public:
    DelayedHandlers()
    {
        sigset_t delayed;
        sigemptyset(&delayed);
        for (int number = 1; number <= SIGRTMAX; ++number) {
            struct sigaction action;
            if (!is_left_alone(number) && sigaction(number, nullptr, &action) == 0 &&
                action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN)
                sigaddset(&delayed, number);
        }
        pthread_sigmask(SIG_BLOCK, &delayed, &before);
    }
    ~DelayedHandlers() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
    DelayedHandlers(const DelayedHandlers&) = delete;
    DelayedHandlers& operator=(const DelayedHandlers&) = delete;

private:
    static bool is_left_alone(int number)
    {
        switch (number) {
        case SIGINT:
        case SIGTERM:
        case SIGHUP:
        case SIGQUIT:
        case SIGSEGV:
        case SIGBUS:
        case SIGILL:
        case SIGFPE:
        case SIGTRAP:
        case SIGSYS:
        case SIGABRT:
            return true;
        default:
            return false;
        }
    }

    sigset_t before;
};

/// Beside the layer's own file: it was built with this layer, and a path that the user cannot set
/// is followed only. Null if it is too long for the system.
static const char* library_path(const char* file_name)
{
    static char path[PATH_MAX];
    Dl_info self;
    if (!dladdr(reinterpret_cast<void*>(&find_provider), &self) || !self.dli_fname)
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

/// The number after "Seccomp:" in /proc/self/status; 0 where a kernel has none, negative where it
/// cannot be read.
static int seccomp_mode()
{
    static constexpr char key[] = "\nSeccomp:\t";
    const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    char text[512];
    size_t matched = 0;
    int mode = file < 0 ? -1 : 0;
    for (ssize_t size; file >= 0 && (size = read(file, text, sizeof(text))) > 0;) {
        for (const char* at = text; at < text + size && matched < sizeof(key); ++at) {
            if (matched == sizeof(key) - 1) {
                mode = *at - '0';
                ++matched;
            } else {
                matched = *at == key[matched] ? matched + 1 : *at == key[0];
            }
        }
    }
    if (file >= 0)
        close(file);
    return mode;
}

/// Whether LTTng may begin here: it would be the program's end where a filter of seccomp kills for
/// what it does (socket(), clone(), open()), and a filter cannot be asked. prctl(PR_GET_SECCOMP)
/// may be forbidden, too; a driver opens files as well where a program begins to use it.
static bool is_free()
{
    return seccomp_mode() == 0;
}

/// Another copy of the layer may have loaded a provider already; with two, LTTng would write each
/// event twice.
static void* open_library(const char* file_name)
{
    if (getauxval(AT_SECURE))
        return nullptr;
    const DelayedHandlers delayed;
    if (void* loaded = dlopen(file_name, RTLD_NOW | RTLD_NOLOAD))
        return loaded; // or it was attached early (descriptors/early_attach.hpp)
    if (!is_free())
        return nullptr;
    const char* const path = library_path(file_name);
    return path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
}

Provider find_provider(const char* file_name, uint32_t records_version)
{
    void* const library = open_library(file_name);
    const auto find = reinterpret_cast<const void* (*)(uint32_t)>(
        library ? dlsym(library, "lttng_gpu_provider") : nullptr);
    return {library, find ? find(records_version) : nullptr};
}

} // namespace lttng_gpu
