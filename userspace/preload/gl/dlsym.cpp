// SPDX-License-Identifier: MIT
//
// dlsym() of a program that opens its OpenGL libraries itself: for the names that are wrapped it
// gives wrappers. All others are the C library's business, to which the call jumps as if it had
// come there at once: with RTLD_NEXT, who called decides what is found. dlvsym() is the C
// library's: it finds only symbols that have a version, and those of OpenGL libraries have none.
#include <dlfcn.h>

#include "real_dlsym.hpp"
#include "tables.hpp"

namespace lttng_gpu::gl {

using Dlsym = void* (*)(void*, const char*);

static Dlsym next = nullptr;

/// May be called before any constructor has run. Two threads find the same.
LTTNG_GPU_BEFORE_SANITIZERS static Dlsym find_next_dlsym()
{
    Dlsym found = __atomic_load_n(&next, __ATOMIC_ACQUIRE);
    if (found)
        return found;
    // Those of architectures: x86_64; arm64; riscv64 and others. Since 2.34 it is in libc itself.
    static const char* const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17", "GLIBC_2.27"};
    for (const char* version : versions) {
        found = reinterpret_cast<Dlsym>(dlvsym(RTLD_NEXT, "dlsym", version));
        if (found)
            break;
    }
    __atomic_store_n(&next, found, __ATOMIC_RELEASE);
    return found;
}

void* real_dlsym(void* handle, const char* name)
{
    const Dlsym found = find_next_dlsym();
    return found ? found(handle, name) : nullptr;
}

/// Where to jump; null: `answer` is what the program gets.
struct Decision {
    Dlsym jump;
    void* answer;
};

/// Our symbols are there in every program. One that asks whether there is an OpenGL library must
/// not be told so for that.
static void* wrapped_if_there(const Wrapper& wrapper)
{
    if (find_linked(wrapper.name))
        return wrapper.symbol;
    return real_dlsym(RTLD_NEXT, wrapper.name); // null, and dlerror() says why
}

static Decision answer_for(void* handle, const Wrapper& wrapper)
{
    void* const real = real_dlsym(handle, wrapper.name);
    void* const answer = real == wrapper.symbol ? wrapped_if_there(wrapper) : wrap(wrapper, real);
    // Where we looked in vain is no error of the program's.
    if (answer)
        dlerror();
    return {nullptr, answer};
}

extern "C" LTTNG_GPU_BEFORE_SANITIZERS Decision lttng_gpu_gl_decide_dlsym(void* handle,
                                                                          const char* name)
{
    const Wrapper* const wrapper = name && handle != RTLD_NEXT ? find_wrapper(name) : nullptr;
    if (!wrapper)
        return {find_next_dlsym(), nullptr};
    // What the program itself, or a library before this one, has of that name.
    if (handle == RTLD_DEFAULT && real_dlsym(handle, name) != wrapper->symbol)
        return {find_next_dlsym(), nullptr};
    return answer_for(handle, *wrapper);
}

} // namespace lttng_gpu::gl

// Not in C++: the compiler promises no jump in place of a call, and the C library takes who called
// from the return address.
#if defined(__x86_64__)
asm(R"(
    .text
    .globl dlsym
    .type dlsym, @function
dlsym:
    .cfi_startproc
    endbr64
    pushq %rdi
    .cfi_adjust_cfa_offset 8
    pushq %rsi
    .cfi_adjust_cfa_offset 8
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    call lttng_gpu_gl_decide_dlsym
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    popq %rsi
    .cfi_adjust_cfa_offset -8
    popq %rdi
    .cfi_adjust_cfa_offset -8
    testq %rax, %rax
    jz 1f
    jmp *%rax
1:  movq %rdx, %rax
    ret
    .cfi_endproc
    .size dlsym, .-dlsym
)");
#elif defined(__aarch64__)
asm(R"(
    .text
    .globl dlsym
    .type dlsym, %function
dlsym:
    hint #34
    stp x29, x30, [sp, #-32]!
    mov x29, sp
    stp x0, x1, [sp, #16]
    bl lttng_gpu_gl_decide_dlsym
    mov x2, x0
    mov x3, x1
    ldp x0, x1, [sp, #16]
    ldp x29, x30, [sp], #32
    cbz x2, 1f
    mov x16, x2
    br x16
1:  mov x0, x3
    ret
    .size dlsym, .-dlsym
)");
#else
#error "dlsym() needs a jump to the C library's for this architecture"
#endif
