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

bool is_recorded()
{
    return settings.is_on && is_enabled(events.launch_state);
}

namespace {
/// A build that may go on after the call; freed when the driver says that it has ended. One that
/// fails without saying so keeps it.
struct Build {
    void(CL_CALLBACK* notify)(cl_program, void*);
    void* data;
    cl_uint count; ///< of devices, which follow
    char* options;
};
} // namespace

static cl_device_id* devices_of(Build* build)
{
    return reinterpret_cast<cl_device_id*>(build + 1);
}

/// Null without memory.
static Build* make_build(cl_uint count, const cl_device_id* devices, const char* options)
{
    count = devices ? count : 0;
    Build* build = static_cast<Build*>(calloc(1, sizeof(Build) + count * sizeof(cl_device_id)));
    if (!build)
        return nullptr;
    build->count = count;
    build->options = options ? strdup(options) : nullptr;
    if (count)
        memcpy(static_cast<void*>(devices_of(build)), devices, count * sizeof(cl_device_id));
    return build;
}

static bool is_built(cl_program program, cl_uint count, const cl_device_id* devices)
{
    cl_build_status status = CL_BUILD_NONE;
    const Devices built = devices_of_build(program, count, devices);
    if (built.count)
        next.clGetProgramBuildInfo(program, built.list[0], CL_PROGRAM_BUILD_STATUS, sizeof(status),
                                   &status, nullptr);
    free(built.list);
    return status == CL_BUILD_SUCCESS;
}

/// The application makes its kernels when it is told: their twins must be there before.
static void CL_CALLBACK build_ended(cl_program program, void* data)
{
    Build* build = static_cast<Build*>(data);
    const cl_device_id* devices = build->count ? devices_of(build) : nullptr;
    if (is_built(program, build->count, devices))
        program_built(program, build->count, devices, build->options);
    build->notify(program, build->data);
    free(build->options);
    free(build);
}

static cl_int CL_API_CALL build_program(cl_program program, cl_uint count,
                                        const cl_device_id* devices, const char* options,
                                        void(CL_CALLBACK* notify)(cl_program, void*), void* data)
{
    Build* build = notify && is_recorded() ? make_build(count, devices, options) : nullptr;
    if (build) {
        build->notify = notify;
        build->data = data;
        return next.clBuildProgram(program, count, devices, options, build_ended, build);
    }
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
    const cl_program program =
        next.clLinkProgram(context, count, devices, options, inputs, programs, notify, data, error);
    if (program && is_recorded())
        program_linked(program, options);
    return program;
}

static cl_program CL_API_CALL create_with_built_in(cl_context context, cl_uint count,
                                                   const cl_device_id* devices, const char* kernels,
                                                   cl_int* error)
{
    const cl_program program =
        next.clCreateProgramWithBuiltInKernels(context, count, devices, kernels, error);
    if (program && is_recorded())
        program_of_built_in(program, kernels);
    return program;
}

static void* CL_API_CALL extension(const char* name)
{
    return wrap_extension(name, next.clGetExtensionFunctionAddress(name));
}

static void* CL_API_CALL extension_of_platform(cl_platform_id platform, const char* name)
{
    return wrap_extension(name, next.clGetExtensionFunctionAddressForPlatform(platform, name));
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

/// A kernel whose twin does not take an argument runs untraced from then on.
static cl_int CL_API_CALL set_argument(cl_kernel handle, cl_uint number, size_t bytes,
                                       const void* value)
{
    const cl_int result = next.clSetKernelArg(handle, number, bytes, value);
    if (result == CL_SUCCESS)
        set_in_twins(handle, [&](cl_kernel twin) {
            return next.clSetKernelArg(twin, number, bytes, value);
        });
    return result;
}

static cl_int CL_API_CALL set_pointer(cl_kernel handle, cl_uint number, const void* value)
{
    const cl_int result = next.clSetKernelArgSVMPointer(handle, number, value);
    if (result == CL_SUCCESS)
        set_in_twins(handle, [&](cl_kernel twin) {
            return next.clSetKernelArgSVMPointer(twin, number, value);
        });
    return result;
}

static cl_int CL_API_CALL set_information(cl_kernel handle, cl_kernel_exec_info what, size_t bytes,
                                          const void* value)
{
    const cl_int result = next.clSetKernelExecInfo(handle, what, bytes, value);
    if (result == CL_SUCCESS)
        set_in_twins(handle, [&](cl_kernel twin) {
            return next.clSetKernelExecInfo(twin, what, bytes, value);
        });
    return result;
}

static cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel handle,
                                         cl_uint dimensions, const size_t* offset,
                                         const size_t* global, const size_t* local,
                                         cl_uint waits_count, const cl_event* waits,
                                         cl_event* event)
{
    const Kernel* kernel = is_recorded() ? find_kernel(handle) : nullptr;
    KernelTwin* twin = kernel ? find_twin(*kernel, device_of(queue)) : nullptr;
    const char* why_not = nullptr;
    if (twin && enqueue_traced(*kernel, *twin, queue, dimensions, offset, global, local,
                               waits_count, waits, event, why_not) == CL_SUCCESS)
        return CL_SUCCESS;
    const cl_int result = next.clEnqueueNDRangeKernel(queue, handle, dimensions, offset, global,
                                                      local, waits_count, waits, event);
    // A launch that the driver does not take from the application either is none.
    if (twin && result == CL_SUCCESS)
        tell_untraced(twin->program, why_not, kernel->name);
    return result;
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
    WRAP(clCreateProgramWithBuiltInKernels, create_with_built_in);
    WRAP(clGetExtensionFunctionAddress, extension);
    WRAP(clGetExtensionFunctionAddressForPlatform, extension_of_platform);
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
