// SPDX-License-Identifier: MIT
//
// The door of an OpenCL layer (CL/cl_layer.h): the loader gives the next functions and takes the
// wrappers.
#include <dlfcn.h>
#include <string.h>
#include <sys/auxv.h>

#include "lifecycle.hpp"
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

/// Whether the layer stands in the chain already; once more it would call itself. A loader that was
/// closed and opened again comes a second time, too: then the functions from before are gone, or
/// the same.
static bool is_in_chain(const cl_icd_dispatch& target, cl_uint count)
{
    static void* first_seen = nullptr;
    auto* const next = reinterpret_cast<void* const*>(&target);
    for (cl_uint i = 0; i < count; ++i) {
        if (entry_wrappers[i].wrapper && next[i] == entry_wrappers[i].wrapper)
            return true;
    }
    Dl_info library;
    if (first_seen && first_seen != next[0] && dladdr(first_seen, &library))
        return true;
    first_seen = next[0];
    return false;
}

LTTNG_GPU_PRELOADED cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch* target,
                                                   cl_uint* count_told,
                                                   const cl_icd_dispatch** dispatch_told)
{
    if (!target || !count_told || !dispatch_told || !count)
        return CL_INVALID_VALUE;
    if (count > entries_count)
        count = entries_count;
    // ocl-icd follows OPENCL_LAYERS in setuid programs as well. A layer that is not taken is left
    // out.
    if (getauxval(AT_SECURE) || is_in_chain(*target, count))
        return CL_INVALID_OPERATION;
    // Preloaded as well, maybe from another file: the loader's way sees everything, so that one
    // records.
    const auto evict_oldest =
        reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "lttng_gpu_opencl_give_way"));
    if (evict_oldest)
        evict_oldest();
    lttng_gpu_opencl_give_way();
    wrap_entries(*target, count);
    attach_provider();
    *count_told = count;
    *dispatch_told = &layer_dispatch;
    return CL_SUCCESS;
}

/// Loaders that take themselves apart at their end (Khronos's from v2026.05.29 on) ask for this one
/// in place of clInitLayer, and leave out a layer that has not got it. No property is known.
LTTNG_GPU_PRELOADED cl_int CL_API_CALL
clInitLayerWithProperties(cl_uint count, const cl_icd_dispatch* target, cl_uint* count_told,
                          const cl_icd_dispatch** dispatch_told, const cl_properties*)
{
    return clInitLayer(count, target, count_told, dispatch_told);
}

/// The drivers are still there, and go right after this.
LTTNG_GPU_PRELOADED cl_int CL_API_CALL clDeinitLayer()
{
    end_with_loader();
    return CL_SUCCESS;
}
