// SPDX-License-Identifier: MIT
//
// What drivers (ICDs) of the tests have in common: PoCL, whose library $WHOLE_DRIVER names, does
// the work, and each of them replaces some entries of its table. For one file of a library.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_icd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

namespace {

cl_icd_dispatch driver; // PoCL's own

/// What this driver does in another way; its own.
void replace_entries(cl_icd_dispatch& table);

void fail(const char* words)
{
    std::fprintf(stderr, "driver of the tests: %s\n", words ? words : "no reason");
    std::_Exit(3);
}

void wrap(cl_icd_dispatch& table)
{
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(&table) & ~(page - 1);
    const auto end = reinterpret_cast<std::uintptr_t>(&table + 1);
    if (mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_READ | PROT_WRITE) != 0)
        fail("mprotect");
    driver = table;
    replace_entries(table);
}

using FindFunction = void*(CL_API_CALL*)(const char*);

FindFunction pocl()
{
    static const FindFunction find = [] {
        const char* name = std::getenv("WHOLE_DRIVER");
        void* library = dlopen(name ? name : "libpocl.so.2", RTLD_NOW | RTLD_LOCAL);
        if (!library)
            fail(dlerror());
        return reinterpret_cast<FindFunction>(dlsym(library, "clGetExtensionFunctionAddress"));
    }();
    return find;
}

cl_int CL_API_CALL find_platforms(cl_uint most, cl_platform_id* platforms, cl_uint* count)
{
    using Find = cl_int(CL_API_CALL*)(cl_uint, cl_platform_id*, cl_uint*);
    const auto find = reinterpret_cast<Find>(pocl()("clIcdGetPlatformIDsKHR"));
    static std::once_flag once;
    std::call_once(once, [&] {
        cl_platform_id platform = nullptr;
        if (!find || find(1, &platform, nullptr) != CL_SUCCESS)
            fail("PoCL has no platform");
        wrap(**reinterpret_cast<cl_icd_dispatch**>(platform));
    });
    return find(most, platforms, count);
}

} // namespace

extern "C" {
__attribute__((visibility("default"))) void* CL_API_CALL
clGetExtensionFunctionAddress(const char* name)
{
    return std::strcmp(name, "clIcdGetPlatformIDsKHR") == 0
               ? reinterpret_cast<void*>(find_platforms)
               : pocl()(name);
}

__attribute__((visibility("default"))) cl_int CL_API_CALL
clIcdGetPlatformIDsKHR(cl_uint most, cl_platform_id* platforms, cl_uint* count)
{
    return find_platforms(most, platforms, count);
}

__attribute__((visibility("default"))) cl_int CL_API_CALL clGetPlatformInfo(
    cl_platform_id platform, cl_platform_info what, size_t size, void* value, size_t* told)
{
    find_platforms(0, nullptr, nullptr);
    return driver.clGetPlatformInfo(platform, what, size, value, told);
}
}
