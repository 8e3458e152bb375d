// SPDX-License-Identifier: MIT
//
// The C library's functions that close descriptors by number. LTTng's stay open, and the program is
// told what it would be told of numbers that are not open.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kept.hpp"
#include "lttng_ust.hpp"
#include "next_function.hpp"

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1U << 2)
#endif

namespace lttng_gpu {

extern "C" int __close(int descriptor); // the C library's

static int (*next_fclose)(FILE*) = nullptr;
static int (*next_dup2)(int, int) = nullptr;
static int (*next_dup3)(int, int, int) = nullptr;

/// Before main(), because programs call these in signal handlers and in children of fork(); earlier
/// if another library's constructor calls one of them.
[[gnu::constructor]] static void find_functions()
{
    find_next(next_fclose, "fclose");
    find_next(next_dup2, "dup2");
    find_next(next_dup3, "dup3");
}

/// The next library's function.
template <class Function> static Function* next(Function* const& found)
{
    if (!found)
        find_functions();
    return found;
}

static int close_in_kernel(unsigned first, unsigned last, int flags)
{
    return int(syscall(SYS_close_range, first, last, flags));
}

static int close_all_but_kept(unsigned first, unsigned last, int flags)
{
    const KeptDescriptors kept;
    while (true) {
        first = kept.next(first, last, false);
        const unsigned end = kept.next(first, last, true);
        const bool is_last = end == last && !kept.has(last);
        if ((first < end || is_last) &&
            close_in_kernel(first, is_last ? last : end - 1, flags) != 0)
            return -1;
        if (end == last)
            return 0;
        first = end;
    }
}

/// To replace one of LTTng's would be its end, and nobody asks for such a number without reason:
/// EBUSY is what dup2() says of a number that another thread is about to open.
static bool is_refused(int descriptor)
{
    return has_kept_descriptors() && KeptDescriptors().has(unsigned(descriptor));
}

} // namespace lttng_gpu

using namespace lttng_gpu;

EXPORTED int close(int descriptor)
{
    return has_kept_descriptors() ? lttng_ust_safe_close_fd(descriptor, __close)
                                  : __close(descriptor);
}

EXPORTED int fclose(FILE* stream)
{
    return has_kept_descriptors() ? lttng_ust_safe_fclose_stream(stream, next(next_fclose))
                                  : next(next_fclose)(stream);
}

EXPORTED int close_range(unsigned first, unsigned last, int flags)
{
    if (!has_kept_descriptors() || first > last || (unsigned(flags) & CLOSE_RANGE_CLOEXEC))
        return close_in_kernel(first, last, flags);
    return close_all_but_kept(first, last, flags);
}

EXPORTED void closefrom(int first)
{
    const int least = first > 0 ? first : 0;
    if (close_range(unsigned(least), UINT_MAX, 0) == 0)
        return;
    // The kernel has no such call (before Linux 5.9).
    const long limit = sysconf(_SC_OPEN_MAX);
    for (long descriptor = least; descriptor < limit; ++descriptor)
        close(int(descriptor));
}

EXPORTED int dup2(int from, int to)
{
    if (from != to && is_refused(to)) {
        errno = EBUSY;
        return -1;
    }
    return next(next_dup2)(from, to);
}

EXPORTED int dup3(int from, int to, int flags)
{
    if (from != to && is_refused(to)) {
        errno = EBUSY;
        return -1;
    }
    return next(next_dup3)(from, to, flags);
}
