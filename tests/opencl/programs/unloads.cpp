// SPDX-License-Identifier: MIT
//
// unloads LAYER [TIMES]: a loader that takes itself apart, as Khronos's does from v2026.05.29 on:
// asks the layer for clInitLayerWithProperties, tells it the end by clDeinitLayer, and unloads the
// driver while commands are not complete. Without a layer ("-") it calls the driver itself.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_icd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

namespace {

template <class Function> Function symbol(void* library, const char* name)
{
    auto* found = reinterpret_cast<Function>(dlsym(library, name));
    if (!found) {
        std::printf("no %s\n", name);
        std::exit(2);
    }
    return found;
}

void* open_library(const char* path)
{
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        std::printf("%s\n", dlerror());
        std::exit(2);
    }
    return library;
}

void require(cl_int result, const char* words)
{
    if (result == CL_SUCCESS)
        return;
    std::printf("%s: %d\n", words, result);
    std::exit(2);
}

cl_platform_id find_platform(void* driver)
{
    using Find = void*(CL_API_CALL*)(const char*);
    using Platforms = cl_int(CL_API_CALL*)(cl_uint, cl_platform_id*, cl_uint*);
    auto find = symbol<Find>(driver, "clGetExtensionFunctionAddress");
    auto platforms = reinterpret_cast<Platforms>(find("clIcdGetPlatformIDsKHR"));
    cl_platform_id platform = nullptr;
    require(platforms(1, &platform, nullptr), "clIcdGetPlatformIDsKHR");
    return platform;
}

// Ten fills, of which five wait for a user event that nobody sets. The first five are waited for:
// without that a busy machine may have done none of them when the loader ends.
void use(const cl_icd_dispatch& cl, cl_platform_id platform)
{
    cl_device_id device = nullptr;
    require(cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
    cl_int error = 0;
    cl_context context = cl.clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    require(error, "clCreateContext");
    cl_command_queue queue =
        cl.clCreateCommandQueueWithProperties(context, device, nullptr, &error);
    require(error, "clCreateCommandQueueWithProperties");
    cl_mem memory = cl.clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, nullptr, &error);
    require(error, "clCreateBuffer");
    cl_event open = cl.clCreateUserEvent(context, &error);
    require(error, "clCreateUserEvent");
    const cl_int value = 1;
    cl_event fifth = nullptr;
    for (int i = 0; i < 10; ++i)
        require(cl.clEnqueueFillBuffer(queue, memory, &value, sizeof value, 0, 4096, i < 5 ? 0 : 1,
                                       i < 5 ? nullptr : &open, i == 4 ? &fifth : nullptr),
                "clEnqueueFillBuffer");
    require(cl.clFlush(queue), "clFlush");
    require(cl.clWaitForEvents(1, &fifth), "clWaitForEvents");
}

} // namespace

int main(int count, char** words)
{
    if (count < 2)
        return 2;
    const bool has_layer = std::strcmp(words[1], "-") != 0;
    const int times = count > 2 ? std::atoi(words[2]) : 3;
    for (int i = 0; i < times; ++i) {
        void* driver = open_library("libpocl.so.2");
        cl_platform_id platform = find_platform(driver);
        const auto* table = *reinterpret_cast<const cl_icd_dispatch* const*>(platform);
        void* layer = has_layer ? open_library(words[1]) : nullptr;
        if (has_layer) {
            using Init =
                cl_int(CL_API_CALL*)(cl_uint, const cl_icd_dispatch*, cl_uint*,
                                     const cl_icd_dispatch**, const cl_properties* properties);
            cl_uint told = 0;
            const cl_icd_dispatch* wrapped = nullptr;
            require(symbol<Init>(layer, "clInitLayerWithProperties")(
                        sizeof(*table) / sizeof(void*), table, &told, &wrapped, nullptr),
                    "clInitLayerWithProperties");
            table = wrapped;
        }
        use(*table, platform);
        if (has_layer) {
            require(symbol<cl_int(CL_API_CALL*)()>(layer, "clDeinitLayer")(), "clDeinitLayer");
            dlclose(layer);
        }
        dlclose(driver);
    }
    std::printf("unloaded %d times\n", times);
}
