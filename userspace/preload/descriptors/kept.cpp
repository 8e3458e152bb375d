// SPDX-License-Identifier: MIT
#include "kept.hpp"

#include <fcntl.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lttng_ust.hpp"
#include "next_function.hpp"

namespace lttng_gpu {

/// LTTng has two per processor and channel. One with a larger number is not protected.
static constexpr unsigned most = 1 << 16;
static uint64_t kept[most / 64];
static pid_t owner = 0;

static void set(unsigned descriptor, bool is_kept)
{
    if (descriptor >= most)
        return;
    const uint64_t bit = uint64_t(1) << descriptor % 64;
    uint64_t& word = kept[descriptor / 64];
    word = is_kept ? word | bit : word & ~bit;
}

/// A copy of the descriptor with a number that programs do not ask for, or the same one. The
/// program's own get the numbers that they have without LTTng.
static int move_up(int descriptor)
{
    rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return descriptor;
    const int least = limit.rlim_cur < 2048 ? int(limit.rlim_cur / 2) : 1024;
    if (descriptor >= least)
        return descriptor;
    const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, least);
    if (moved < 0)
        return descriptor;
    close(descriptor); // LTTng holds the lock
    return moved;
}

bool has_kept_descriptors()
{
    return __atomic_load_n(&owner, __ATOMIC_RELAXED) == getpid();
}

KeptDescriptors::KeptDescriptors()
{
    lttng_ust_lock_fd_tracker();
}

KeptDescriptors::~KeptDescriptors()
{
    lttng_ust_unlock_fd_tracker();
}

bool KeptDescriptors::has(unsigned descriptor) const
{
    return descriptor < most && (kept[descriptor / 64] >> descriptor % 64 & 1);
}

unsigned KeptDescriptors::next(unsigned descriptor, unsigned end, bool is_kept) const
{
    while (descriptor < end && has(descriptor) != is_kept) {
        if (descriptor >= most)
            return end;
        ++descriptor;
    }
    return descriptor;
}

static int (*track)(int) = nullptr;
static void (*untrack)(int) = nullptr;

[[gnu::constructor]] static void find_tracker()
{
    find_next(track, "lttng_ust_add_fd_to_tracker");
    find_next(untrack, "lttng_ust_delete_fd_from_tracker");
}

static void note(int descriptor)
{
    const pid_t self = getpid();
    if (owner != self)
        __builtin_memset(kept, 0, sizeof(kept));
    __atomic_store_n(&owner, self, __ATOMIC_RELAXED);
    set(unsigned(descriptor), true);
}

} // namespace lttng_gpu

using namespace lttng_gpu;

/// LTTng calls it with the lock held, and uses the descriptor that it returns (it may be another
/// one in LTTng, too: never 0, 1 or 2).
EXPORTED int lttng_ust_add_fd_to_tracker(int descriptor)
{
    if (!track) // LTTng was linked to the program, and comes first
        find_tracker();
    const int tracked = track(descriptor < 0 ? descriptor : move_up(descriptor));
    if (tracked >= 0)
        note(tracked);
    return tracked;
}

EXPORTED void lttng_ust_delete_fd_from_tracker(int descriptor)
{
    untrack(descriptor);
    set(unsigned(descriptor), false);
}
