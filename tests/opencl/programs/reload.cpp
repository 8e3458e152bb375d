// SPDX-License-Identifier: MIT
//
// reload [TIMES]: loads libOpenCL.so.1, asks it, and unloads it, again and again; not linked with
// it.
#include <CL/cl.h>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

int main(int count, char** words)
{
    const int times = count > 1 ? std::atoi(words[1]) : 20;
    int found = 0;
    for (int i = 0; i < times; ++i) {
        void* library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            std::printf("%s\n", dlerror());
            return 2;
        }
        auto platform_ids =
            reinterpret_cast<cl_int(CL_API_CALL*)(cl_uint, cl_platform_id*, cl_uint*)>(
                dlsym(library, "clGetPlatformIDs"));
        auto platform_info =
            reinterpret_cast<cl_int(CL_API_CALL*)(cl_platform_id, cl_platform_info, size_t, void*,
                                                  size_t*)>(dlsym(library, "clGetPlatformInfo"));
        cl_platform_id platform = nullptr;
        char name[256] = "";
        if (platform_ids(1, &platform, nullptr) == CL_SUCCESS &&
            platform_info(platform, CL_PLATFORM_NAME, sizeof name, name, nullptr) == CL_SUCCESS)
            ++found;
        if (dlclose(library) != 0)
            return 3;
    }
    std::printf("found a platform %d times\n", found);
}
