// SPDX-License-Identifier: MIT
//
// Runs lttng-gpu-instrument, a program of its own: the compiler's library does not come into the
// application, whose driver may have another one. The text goes there and back in files without
// names, so that neither side waits for the other; a pipe shows the end.
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device.hpp"

namespace lttng_gpu::device {

/// Beside the layer. Null: the path is too long.
static const char* instrumenter_path()
{
    static char path[PATH_MAX];
    Dl_info self;
    if (!dladdr(reinterpret_cast<void*>(&run_instrumenter), &self) || !self.dli_fname)
        return nullptr;
    const char* slash = strrchr(self.dli_fname, '/');
    const int folder = slash ? int(slash + 1 - self.dli_fname) : 0;
    const int bytes =
        snprintf(path, sizeof(path), "%.*slttng-gpu-instrument", folder, self.dli_fname);
    return bytes > 0 && size_t(bytes) < sizeof(path) ? path : nullptr;
}

static bool write_all(int file, const char* text, size_t bytes)
{
    while (bytes) {
        const ssize_t written = write(file, text, bytes);
        if (written <= 0)
            return false;
        text += written;
        bytes -= size_t(written);
    }
    return lseek(file, 0, SEEK_SET) == 0;
}

/// Null without memory, or if it is empty.
static char* read_all(int file)
{
    const off_t bytes = lseek(file, 0, SEEK_END);
    char* text = bytes > 0 ? static_cast<char*>(malloc(size_t(bytes) + 1)) : nullptr;
    if (!text)
        return nullptr;
    off_t used = 0;
    while (used < bytes) {
        const ssize_t got = pread(file, text + used, size_t(bytes - used), used);
        if (got <= 0)
            break;
        used += got;
    }
    text[used] = 0;
    if (used == bytes)
        return text;
    free(text);
    return nullptr;
}

/// The environment without what would load our layers, or others, into the instrumenter.
static char** own_environment()
{
    size_t count = 0;
    while (environ[count])
        ++count;
    char** kept = static_cast<char**>(calloc(count + 1, sizeof(char*)));
    for (size_t i = 0, used = 0; kept && i < count; ++i) {
        if (strncmp(environ[i], "LD_PRELOAD=", 11))
            kept[used++] = environ[i];
    }
    return kept;
}

struct Files {
    int source = -1, output = -1, ends[2] = {-1, -1};

    bool open()
    {
        source = memfd_create("program", MFD_CLOEXEC);
        output = memfd_create("instrumented", MFD_CLOEXEC);
        return source >= 0 && output >= 0 && !pipe2(ends, O_CLOEXEC);
    }
    ~Files()
    {
        const int files[] = {source, output, ends[0], ends[1]};
        for (const int file : files) {
            if (file >= 0)
                close(file);
        }
    }
};

namespace {
struct Spawn {
    const char* path;
    const posix_spawn_file_actions_t* actions;
    const posix_spawnattr_t* attributes; ///< no signal is blocked in it
    char* const* words;
    char** environment;
    int error;
};
} // namespace

static int spawn(void* data)
{
    Spawn& one = *static_cast<Spawn*>(data);
    pid_t pid = 0;
    one.error =
        posix_spawn(&pid, one.path, one.actions, one.attributes, one.words, one.environment);
    _exit(0);
}

/// The instrumenter is no child of the application, which may wait for any child of its own and
/// counts them by SIGCHLD. A process between them is its parent and ends at once; it ends without
/// a signal, and only __WCLONE waits for it (clone(2)). As after vfork(), this thread stands still
/// while it runs in our memory.
static bool spawn_as_no_child(Spawn& one)
{
    constexpr size_t stack_bytes = size_t(64) << 10;
    void* stack = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED)
        return false;
    sigset_t all, none, before;
    posix_spawnattr_t attributes;
    if (posix_spawnattr_init(&attributes)) {
        munmap(stack, stack_bytes);
        return false;
    }
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    one.attributes = &attributes;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); // no handler of the application runs there
    one.error = -1;
    const pid_t between =
        clone(&spawn, static_cast<char*>(stack) + stack_bytes, CLONE_VM | CLONE_VFORK, &one);
    if (between > 0)
        waitpid(between, nullptr, __WCLONE);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    posix_spawnattr_destroy(&attributes);
    munmap(stack, stack_bytes);
    return between > 0 && !one.error;
}

/// Returns when it has ended, which the pipe shows.
static bool run(const char* path, char* const* words, Files& files)
{
    char** environment = own_environment();
    posix_spawn_file_actions_t actions;
    if (!environment || posix_spawn_file_actions_init(&actions)) {
        free(environment);
        return false;
    }
    posix_spawn_file_actions_adddup2(&actions, files.source, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, files.output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    // Stays open in the instrumenter, and shows by its end that this one has ended.
    constexpr int witness = 9;
    posix_spawn_file_actions_adddup2(&actions, files.ends[1], witness);
    Spawn one = {path, &actions, nullptr, words, environment, 0};
    const bool is_running = spawn_as_no_child(one);
    posix_spawn_file_actions_destroy(&actions);
    free(environment);
    if (!is_running)
        return false;
    close(files.ends[1]);
    files.ends[1] = -1;
    char byte;
    while (read(files.ends[0], &byte, 1) > 0) {
    }
    return true;
}

bool run_instrumenter(const char* source, size_t bytes, const char* options, const char* extensions,
                      Warps warps, Instrumented& made)
{
    made = {};
    const char* path = instrumenter_path();
    Files files;
    if (!path || access(path, X_OK) || !files.open() || !write_all(files.source, source, bytes))
        return false;
    const char* words[16] = {path,
                             "--points",
                             settings.points,
                             "--kernels",
                             settings.kernels,
                             "--options",
                             options ? options : "",
                             "--extensions",
                             extensions};
    unsigned count = 9;
    if (warps.are_there)
        words[count++] = "--warps";
    if (warps.have_reductions)
        words[count++] = "--reductions";
    if (settings.has_times)
        words[count++] = "--times";
    if (!run(path, const_cast<char* const*>(words), files))
        return false;
    made.output = read_all(files.output);
    if (!made.output || strncmp(made.output, "lttng-gpu-instrument 1\n", 23))
        return false;
    const char* line = made.output;
    while (line && strncmp(line, "source ", 7))
        line = (line = strchr(line, '\n')) ? line + 1 : nullptr;
    if (!line)
        return false;
    made.source_bytes = strtoull(line + 7, nullptr, 10);
    const char* text = strchr(line, '\n');
    if (text && made.source_bytes && strlen(text + 1) >= made.source_bytes)
        made.source = text + 1;
    return true;
}

} // namespace lttng_gpu::device
