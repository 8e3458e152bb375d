// SPDX-License-Identifier: MIT
//
// A driver as programs see it that are linked without a loader: a libOpenCL.so.1 that exports every
// function and is the driver. None is in Debian, so this one stands in: each function jumps into
// the table of the driver that $WHOLE_DRIVER names (PoCL's library), found through cl_khr_icd's own
// entry. It knows nothing of layers.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_icd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

extern "C" {
__attribute__((visibility("hidden"))) const void* const* whole_driver_table = nullptr;
}

namespace {

void fail(const char* words)
{
    std::fprintf(stderr, "whole driver: %s\n", words);
    std::_Exit(3);
}

std::intptr_t do_nothing()
{
    return 0;
}

} // namespace

// By the first call, not when the library is loaded: the driver's own libraries may not be ready
// then.
extern "C" __attribute__((visibility("hidden"))) void whole_driver_find()
{
    const char* name = std::getenv("WHOLE_DRIVER");
    void* library = dlopen(name ? name : "libpocl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fail(dlerror());
    auto find = reinterpret_cast<void*(CL_API_CALL*)(const char*)>(
        dlsym(library, "clGetExtensionFunctionAddress"));
    if (!find)
        fail("the driver has no clGetExtensionFunctionAddress");
    auto platforms = reinterpret_cast<cl_int(CL_API_CALL*)(cl_uint, cl_platform_id*, cl_uint*)>(
        find("clIcdGetPlatformIDsKHR"));
    cl_platform_id platform = nullptr;
    if (!platforms || platforms(1, &platform, nullptr) != CL_SUCCESS)
        fail("the driver has no platform");
    // What the driver lacks does nothing here, as in a driver that exports it for the linker's
    // sake.
    constexpr size_t count = sizeof(cl_icd_dispatch) / sizeof(void*);
    static const void* table[count];
    const auto* entries = *reinterpret_cast<const void* const* const*>(platform);
    for (size_t i = 0; i < count; ++i)
        table[i] = entries[i] ? entries[i] : reinterpret_cast<const void*>(do_nothing);
    whole_driver_table = table;
}

// One function per entry: finds the table at first, keeping the arguments' registers, and jumps.
asm(R"(
        .text
        .hidden whole_driver_table
        .macro  entry name, offset
        .globl  \name
        .type   \name, @function
\name:  mov     whole_driver_table(%rip), %rax
        test    %rax, %rax
        jne     1f
        push    %rdi
        push    %rsi
        push    %rdx
        push    %rcx
        push    %r8
        push    %r9
        sub     $8, %rsp
        call    whole_driver_find
        add     $8, %rsp
        pop     %r9
        pop     %r8
        pop     %rcx
        pop     %rdx
        pop     %rsi
        pop     %rdi
        mov     whole_driver_table(%rip), %rax
1:      jmp     *\offset(%rax)
        .size   \name, . - \name
        .endm
        .include "driver_entries.inc"
)");
