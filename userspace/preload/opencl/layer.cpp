// SPDX-License-Identifier: MIT
//
// The door of an OpenCL layer (CL/cl_layer.h): the loader gives the next functions and takes the
// wrappers.
#include <dlfcn.h>
#include <string.h>

#include "preload.hpp"
#include "provider.hpp"
#include "tables.hpp"

using namespace lttng_gpu::opencl;

static cl_icd_dispatch layer_dispatch;
static_assert(sizeof(layer_dispatch) == entries_count * sizeof(void*), "one pointer per entry");

template <class Value>
static cl_int tell(const Value* value, size_t bytes, size_t size, void* told, size_t* size_told)
{
    if (told && size < bytes)
        return CL_INVALID_VALUE;
    if (told)
        memcpy(told, value, bytes);
    if (size_told)
        *size_told = bytes;
    return CL_SUCCESS;
}

LTTNG_GPU_PRELOADED cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t size, void* value,
                                                      size_t* size_told)
{
    static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    static const char name[] = "lttng-gpu";
    switch (what) {
    case CL_LAYER_API_VERSION:
        return tell(&version, sizeof(version), size, value, size_told);
    case CL_LAYER_NAME:
        return tell(name, sizeof(name), size, value, size_told);
    }
    return CL_INVALID_VALUE;
}

/// What the next one has not stays empty. A table shorter than ours is an older loader's.
static void wrap_entries(const cl_icd_dispatch& target, cl_uint count)
{
    auto* const next = reinterpret_cast<void* const*>(&target);
    auto* const wrapped = reinterpret_cast<void**>(&layer_dispatch);
    for (cl_uint i = 0; i < count; ++i) {
        const EntryWrapper& entry = entry_wrappers[i];
        if (entry.wrapper)
            function_at(functions[0], entry.offset) = next[i];
        wrapped[i] = entry.wrapper && next[i] ? entry.wrapper : next[i];
    }
}

LTTNG_GPU_PRELOADED cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch* target,
                                                   cl_uint* count_told,
                                                   const cl_icd_dispatch** dispatch_told)
{
    static bool is_done = false;
    if (!target || !count_told || !dispatch_told)
        return CL_INVALID_VALUE;
    // Named twice, the layer would call itself.
    if (__atomic_exchange_n(&is_done, true, __ATOMIC_ACQ_REL))
        return CL_INVALID_OPERATION;
    // Preloaded as well, maybe from another file: the loader's way sees everything, so that one
    // records.
    const auto give_way =
        reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "lttng_gpu_opencl_give_way"));
    if (give_way)
        give_way();
    lttng_gpu_opencl_give_way();
    wrap_entries(*target, count < entries_count ? count : entries_count);
    attach_provider();
    *count_told = count < entries_count ? count : entries_count;
    *dispatch_told = &layer_dispatch;
    return CL_SUCCESS;
}
