// SPDX-License-Identifier: MIT
//
// The C library's functions by which a program gives up what LTTng needs to begin.
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>

#include "early_attach.hpp"
#include "next_function.hpp"

namespace lttng_gpu {

static int (*next_prctl)(int, ...) = nullptr;
static int (*next_chroot)(const char*) = nullptr;
static int (*next_setuid)(uid_t) = nullptr;
static int (*next_setreuid)(uid_t, uid_t) = nullptr;
static int (*next_setresuid)(uid_t, uid_t, uid_t) = nullptr;

[[gnu::constructor]] static void find_functions()
{
    find_next(next_prctl, "prctl");
    find_next(next_chroot, "chroot");
    find_next(next_setuid, "setuid");
    find_next(next_setreuid, "setreuid");
    find_next(next_setresuid, "setresuid");
}

/// The next library's function, also before our constructor.
template <class Function> static Function* next(Function* const& found)
{
    if (!found)
        find_functions();
    return found;
}

} // namespace lttng_gpu

using namespace lttng_gpu;

EXPORTED int prctl(int option, ...)
{
    unsigned long values[4];
    va_list list;
    va_start(list, option);
    for (unsigned long& value : values)
        value = va_arg(list, unsigned long);
    va_end(list);
    if (option == PR_SET_SECCOMP)
        attach_early();
    return next(next_prctl)(option, values[0], values[1], values[2], values[3]);
}

EXPORTED int chroot(const char* path)
{
    attach_early();
    return next(next_chroot)(path);
}

EXPORTED int setuid(uid_t user)
{
    attach_early();
    return next(next_setuid)(user);
}

EXPORTED int setreuid(uid_t real, uid_t effective)
{
    attach_early();
    return next(next_setreuid)(real, effective);
}

EXPORTED int setresuid(uid_t real, uid_t effective, uid_t saved)
{
    attach_early();
    return next(next_setresuid)(real, effective, saved);
}

#ifdef __x86_64__

/// By which libseccomp sets a filter. Arguments of any kind and number go on as they are, so the
/// registers are left alone, and no frame of ours is below a call that returns twice.
extern "C" {
[[gnu::used, gnu::visibility("hidden")]] void* lttng_gpu_next_syscall = nullptr;

[[gnu::used, gnu::visibility("hidden")]] void lttng_gpu_before_syscall(long number)
{
    if (!lttng_gpu_next_syscall)
        lttng_gpu_next_syscall = dlsym(RTLD_NEXT, "syscall");
    if (number == SYS_seccomp)
        attach_early();
}
}

asm(".pushsection .text\n"
    ".globl syscall\n"
    ".type syscall, @function\n"
    "syscall:\n"
    "    endbr64\n"
    "    cmpq $317, %rdi\n" // SYS_seccomp
    "    je 1f\n"
    "    movq lttng_gpu_next_syscall(%rip), %rax\n"
    "    testq %rax, %rax\n"
    "    je 1f\n"
    "    jmp *%rax\n"
    "1:  pushq %rdi\n"
    "    pushq %rsi\n"
    "    pushq %rdx\n"
    "    pushq %rcx\n"
    "    pushq %r8\n"
    "    pushq %r9\n"
    "    subq $8, %rsp\n"
    "    call lttng_gpu_before_syscall\n"
    "    addq $8, %rsp\n"
    "    popq %r9\n"
    "    popq %r8\n"
    "    popq %rcx\n"
    "    popq %rdx\n"
    "    popq %rsi\n"
    "    popq %rdi\n"
    "    jmp *lttng_gpu_next_syscall(%rip)\n"
    ".size syscall, .-syscall\n"
    ".popsection\n");
static_assert(SYS_seccomp == 317, "as the code above has it");

[[gnu::constructor]] static void find_syscall()
{
    lttng_gpu_before_syscall(-1);
}

#endif
