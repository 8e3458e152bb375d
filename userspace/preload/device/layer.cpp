// SPDX-License-Identifier: MIT
//
// The door of the device-trace layer, and its wrappers: those of functions that make programs and
// kernels, set arguments and enqueue kernels. All others are the loader's.
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "device.hpp"
#include "runtime/session_check.hpp"

#define LTTNG_GPU_DOOR extern "C" __attribute__((visibility("default")))

namespace lttng_gpu::device {

Settings settings;
cl_icd_dispatch next;
static cl_icd_dispatch layer_dispatch;

/// A session records what this layer makes.
static bool is_recorded()
{
    return settings.is_on && is_enabled(events.launch_state);
}

static cl_int CL_API_CALL build_program(cl_program program, cl_uint count,
                                        const cl_device_id* devices, const char* options,
                                        void(CL_CALLBACK* notify)(cl_program, void*), void* data)
{
    const cl_int result = next.clBuildProgram(program, count, devices, options, notify, data);
    if (result == CL_SUCCESS && is_recorded())
        program_built(program, count, devices, options);
    return result;
}

static cl_program CL_API_CALL link_program(cl_context context, cl_uint count,
                                           const cl_device_id* devices, const char* options,
                                           cl_uint inputs, const cl_program* programs,
                                           void(CL_CALLBACK* notify)(cl_program, void*), void* data,
                                           cl_int* error)
{
    if (is_recorded())
        tell_untraced(0, "linked", "");
    return next.clLinkProgram(context, count, devices, options, inputs, programs, notify, data,
                              error);
}

static cl_int CL_API_CALL retain_program(cl_program program)
{
    const cl_int result = next.clRetainProgram(program);
    if (result == CL_SUCCESS)
        program_retained(program);
    return result;
}

static cl_int CL_API_CALL release_program(cl_program program)
{
    before_program_release(program);
    return next.clReleaseProgram(program);
}

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char* name, cl_int* error)
{
    const cl_kernel kernel = next.clCreateKernel(program, name, error);
    if (kernel)
        kernel_created(program, kernel);
    return kernel;
}

static cl_int CL_API_CALL create_kernels(cl_program program, cl_uint count, cl_kernel* kernels,
                                         cl_uint* count_told)
{
    cl_uint made = 0;
    const cl_int result = next.clCreateKernelsInProgram(program, count, kernels, &made);
    if (count_told && result == CL_SUCCESS)
        *count_told = made;
    for (cl_uint i = 0; result == CL_SUCCESS && kernels && i < made && i < count; ++i)
        kernel_created(program, kernels[i]);
    return result;
}

static cl_kernel CL_API_CALL clone_kernel(cl_kernel source, cl_int* error)
{
    const cl_kernel kernel = next.clCloneKernel(source, error);
    if (kernel)
        kernel_cloned(source, kernel);
    return kernel;
}

static cl_int CL_API_CALL retain_kernel(cl_kernel kernel)
{
    const cl_int result = next.clRetainKernel(kernel);
    if (result == CL_SUCCESS)
        kernel_retained(kernel);
    return result;
}

static cl_int CL_API_CALL release_kernel(cl_kernel kernel)
{
    before_kernel_release(kernel);
    return next.clReleaseKernel(kernel);
}

/// An argument that the twin does not take makes its launch fail, which then runs untraced.
static cl_int CL_API_CALL set_argument(cl_kernel handle, cl_uint number, size_t bytes,
                                       const void* value)
{
    const cl_int result = next.clSetKernelArg(handle, number, bytes, value);
    if (result == CL_SUCCESS) {
        if (Kernel* kernel = find_kernel(handle))
            next.clSetKernelArg(kernel->twin, number, bytes, value);
    }
    return result;
}

static cl_int CL_API_CALL set_pointer(cl_kernel handle, cl_uint number, const void* value)
{
    const cl_int result = next.clSetKernelArgSVMPointer(handle, number, value);
    if (result == CL_SUCCESS) {
        if (Kernel* kernel = find_kernel(handle))
            next.clSetKernelArgSVMPointer(kernel->twin, number, value);
    }
    return result;
}

static cl_int CL_API_CALL set_information(cl_kernel handle, cl_kernel_exec_info what, size_t bytes,
                                          const void* value)
{
    const cl_int result = next.clSetKernelExecInfo(handle, what, bytes, value);
    if (result == CL_SUCCESS) {
        if (Kernel* kernel = find_kernel(handle))
            next.clSetKernelExecInfo(kernel->twin, what, bytes, value);
    }
    return result;
}

static cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel handle,
                                         cl_uint dimensions, const size_t* offset,
                                         const size_t* global, const size_t* local,
                                         cl_uint waits_count, const cl_event* waits,
                                         cl_event* event)
{
    Kernel* kernel = is_recorded() ? find_kernel(handle) : nullptr;
    if (kernel) {
        const char* why_not = nullptr;
        if (enqueue_traced(*kernel, queue, dimensions, offset, global, local, waits_count, waits,
                           event, why_not) == CL_SUCCESS)
            return CL_SUCCESS;
        tell_untraced(kernel->program, why_not, kernel->name);
    }
    return next.clEnqueueNDRangeKernel(queue, handle, dimensions, offset, global, local,
                                       waits_count, waits, event);
}

static cl_int CL_API_CALL enqueue_task(cl_command_queue queue, cl_kernel handle,
                                       cl_uint waits_count, const cl_event* waits, cl_event* event)
{
    const size_t one = 1;
    if (is_recorded() && find_kernel(handle))
        return enqueue_kernel(queue, handle, 1, nullptr, &one, &one, waits_count, waits, event);
    return next.clEnqueueTask(queue, handle, waits_count, waits, event);
}

static size_t size_of(const char* text)
{
    char* end = nullptr;
    const unsigned long long number = text ? strtoull(text, &end, 10) : 0;
    return number ? size_t(number) : size_t(16) << 20;
}

void read_settings()
{
    static bool is_done = false;
    if (__atomic_exchange_n(&is_done, true, __ATOMIC_ACQ_REL))
        return;
    const char* kernels = getenv("LTTNG_GPU_DEVICE_TRACE");
    const char* points = getenv("LTTNG_GPU_DEVICE_POINTS");
    settings.is_on = kernels && *kernels;
    settings.kernels = settings.is_on ? strdup(kernels) : "";
    settings.points = points && *points ? strdup(points) : "branches";
    settings.has_times = getenv("LTTNG_GPU_DEVICE_TIMES") != nullptr;
    settings.buffer_bytes = size_of(getenv("LTTNG_GPU_DEVICE_BUFFER"));
    settings.is_on = settings.is_on && settings.kernels && settings.points;
}

template <class Function> static void wrap(Function& entry, Function real, Function wrapper)
{
    if (real)
        entry = wrapper;
}

static void fill_dispatch()
{
#define WRAP(name, wrapper) wrap(layer_dispatch.name, next.name, cl_api_##name(wrapper))
    WRAP(clBuildProgram, build_program);
    WRAP(clLinkProgram, link_program);
    WRAP(clRetainProgram, retain_program);
    WRAP(clReleaseProgram, release_program);
    WRAP(clCreateKernel, create_kernel);
    WRAP(clCreateKernelsInProgram, create_kernels);
    WRAP(clCloneKernel, clone_kernel);
    WRAP(clRetainKernel, retain_kernel);
    WRAP(clReleaseKernel, release_kernel);
    WRAP(clSetKernelArg, set_argument);
    WRAP(clSetKernelArgSVMPointer, set_pointer);
    WRAP(clSetKernelExecInfo, set_information);
    WRAP(clEnqueueNDRangeKernel, enqueue_kernel);
    WRAP(clEnqueueTask, enqueue_task);
#undef WRAP
}

} // namespace lttng_gpu::device

using namespace lttng_gpu::device;

LTTNG_GPU_DOOR cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t size, void* value,
                                                 size_t* size_told)
{
    static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    static const char name[] = "lttng-gpu device trace";
    const bool is_version = what == CL_LAYER_API_VERSION;
    const void* told = is_version ? static_cast<const void*>(&version) : name;
    const size_t bytes = is_version ? sizeof(version) : sizeof(name);
    if ((!is_version && what != CL_LAYER_NAME) || (value && size < bytes))
        return CL_INVALID_VALUE;
    if (value)
        memcpy(value, told, bytes);
    if (size_told)
        *size_told = bytes;
    return CL_SUCCESS;
}

LTTNG_GPU_DOOR cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch* target,
                                              cl_uint* count_told,
                                              const cl_icd_dispatch** dispatch_told)
{
    static bool is_there = false;
    if (!target || !count_told || !dispatch_told || !count)
        return CL_INVALID_VALUE;
    // A loader that was closed and opened again, or the layer twice in the list.
    if (getauxval(AT_SECURE) || __atomic_exchange_n(&is_there, true, __ATOMIC_ACQ_REL))
        return CL_INVALID_OPERATION;
    constexpr cl_uint known = sizeof(next) / sizeof(void*);
    if (count > known)
        count = known;
    memcpy(static_cast<void*>(&next), target, count * sizeof(void*));
    memcpy(static_cast<void*>(&layer_dispatch), target, count * sizeof(void*));
    read_settings();
    // An older loader has no way to what the recorder needs.
    if (settings.is_on && next.clSetEventCallback && next.clEnqueueFillBuffer) {
        attach_provider();
        pthread_atfork(nullptr, nullptr, drop_launches_in_child);
        fill_dispatch();
    }
    *count_told = count;
    *dispatch_told = &layer_dispatch;
    return CL_SUCCESS;
}

LTTNG_GPU_DOOR cl_int CL_API_CALL clInitLayerWithProperties(cl_uint count,
                                                            const cl_icd_dispatch* target,
                                                            cl_uint* count_told,
                                                            const cl_icd_dispatch** dispatch_told,
                                                            const cl_properties*)
{
    return clInitLayer(count, target, count_told, dispatch_told);
}

LTTNG_GPU_DOOR cl_int CL_API_CALL clDeinitLayer()
{
    finish_launches();
    return CL_SUCCESS;
}
