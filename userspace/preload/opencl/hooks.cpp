// SPDX-License-Identifier: MIT
#include "hooks.hpp"

#include "harvest.hpp"
#include "known_events.hpp"
#include "objects.hpp"
#include "queues.hpp"
#include "tables.hpp"

namespace lttng_gpu::opencl {

/// The commands whose events a wait names at most: what an application hands over must not decide
/// how much of the stack is used.
static constexpr cl_uint most_named = 32;
/// And the queues of them that are harvested.
static constexpr unsigned most_queues = 8;

/// The event of a wait is that of its call, too.
static void waited(const Call& call, lttng_gpu_opencl_wait record)
{
    if (!EVENT_ENABLED(wait)) {
        call.returned(record.result);
    } else if (call.is_ours()) {
        record.begin_ns = call.begin_ns();
        record.function = uint16_t(call.function());
        events.wait(&record);
    }
}

cl_int wait_for_events(Call& call, cl_api_clWaitForEvents real, cl_uint count,
                       const cl_event* waits)
{
    // The newest of each queue: what is before it in an in-order queue is complete too. Looked up
    // now, because another thread may release them meanwhile, and what is called so then is another
    // one.
    KnownEvent newest[most_queues];
    unsigned queues = 0;
    uint64_t commands[most_named];
    const cl_uint given = waits ? count : 0;
    const cl_uint named = given < most_named ? given : most_named;
    for (cl_uint i = given; i-- > 0 && (i < named || queues < most_queues);) {
        KnownEvent known;
        const bool is_known = find_event(waits[i], known);
        if (i < named)
            commands[i] = is_known ? known.command : 0;
        if (is_known && known.queue && queues < most_queues &&
            (!queues || newest[queues - 1].queue != known.queue))
            newest[queues++] = known;
    }
    const cl_int result = real(count, waits);
    waited(call, {0, 0, 0, given, result, 0, named, commands});
    for (unsigned i = 0; i < queues; ++i) {
        if (result == CL_SUCCESS)
            harvest(*newest[i].queue, newest[i].enqueued_before, newest[i].command);
        else
            harvest(*newest[i].queue, 0);
    }
    return result;
}

cl_int flush(Call& call, cl_api_clFlush real, cl_command_queue handle)
{
    const cl_int result = real(handle);
    call.returned(result);
    Queue* queue = known_queue(handle);
    if (queue)
        harvest_now_and_then(*queue);
    return result;
}

cl_int finish(Call& call, cl_api_clFinish real, cl_command_queue queue_handle)
{
    const uint64_t newest = newest_command();
    const cl_int result = real(queue_handle);
    waited(call, {0, handle(queue_handle), newest, 0, result, 0, 0, nullptr});
    Queue* queue = known_queue(queue_handle);
    if (queue)
        harvest(*queue, result == CL_SUCCESS ? newest : 0);
    return result;
}

cl_int set_user_event_status(Call& call, cl_api_clSetUserEventStatus real, cl_event event,
                             cl_int status)
{
    const uint64_t command = command_of(event);
    const cl_int result = real(event, status);
    call.returned(result);
    if (result == CL_SUCCESS && EVENT_ENABLED(user_event_status)) {
        const lttng_gpu_opencl_user_event_status record = {command, status};
        events.user_event_status(&record);
    }
    return result;
}

cl_context create_context(Call& call, cl_api_clCreateContext real,
                          const cl_context_properties* properties, cl_uint count,
                          const cl_device_id* devices, ContextNotify notify, void* data,
                          cl_int* error)
{
    const cl_context context = real(properties, count, devices, notify, data, error);
    call.returned(*error);
    if (context)
        context_created(context);
    return context;
}

cl_context create_context_from_type(Call& call, cl_api_clCreateContextFromType real,
                                    const cl_context_properties* properties, cl_device_type type,
                                    ContextNotify notify, void* data, cl_int* error)
{
    const cl_context context = real(properties, type, notify, data, error);
    call.returned(*error);
    if (context)
        context_created(context);
    return context;
}

cl_program create_program_with_binary(Call& call, cl_api_clCreateProgramWithBinary real,
                                      cl_context context, cl_uint count,
                                      const cl_device_id* devices, const size_t* sizes,
                                      const unsigned char** binaries, cl_int* status, cl_int* error)
{
    const cl_program program = real(context, count, devices, sizes, binaries, status, error);
    call.returned(*error);
    size_t bytes = 0;
    for (cl_uint i = 0; program && sizes && i < count; ++i)
        bytes += sizes[i];
    if (program)
        binary_program_created(program, bytes);
    return program;
}

cl_int create_kernels(Call& call, cl_api_clCreateKernelsInProgram real, cl_program program,
                      cl_uint count, cl_kernel* kernels, cl_uint* count_told)
{
    cl_uint made = 0;
    const cl_int result = real(program, count, kernels, &made);
    call.returned(result);
    if (result != CL_SUCCESS)
        return result;
    if (count_told)
        *count_told = made;
    for (cl_uint i = 0; kernels && i < made && i < count; ++i)
        kernel_created(kernels[i]);
    return result;
}

static void built(const Call& call, cl_program program, cl_int result)
{
    if (!EVENT_ENABLED(program_build))
        return;
    const lttng_gpu_opencl_program_build record = {handle(program), call.begin_ns(), result};
    events.program_build(&record);
}

cl_int build_program(Call& call, cl_api_clBuildProgram real, cl_program program, cl_uint count,
                     const cl_device_id* devices, const char* options, BuildNotify notify,
                     void* data)
{
    const cl_int result = real(program, count, devices, options, notify, data);
    call.returned(result);
    built(call, program, result);
    return result;
}

cl_int build_program(Call& call, cl_api_clCompileProgram real, cl_program program, cl_uint count,
                     const cl_device_id* devices, const char* options, cl_uint headers,
                     const cl_program* header_programs, const char** names, BuildNotify notify,
                     void* data)
{
    const cl_int result =
        real(program, count, devices, options, headers, header_programs, names, notify, data);
    call.returned(result);
    built(call, program, result);
    return result;
}

cl_program link_program(Call& call, cl_api_clLinkProgram real, cl_context context, cl_uint count,
                        const cl_device_id* devices, const char* options, cl_uint inputs,
                        const cl_program* programs, BuildNotify notify, void* data, cl_int* error)
{
    const cl_program program =
        real(context, count, devices, options, inputs, programs, notify, data, error);
    call.returned(*error);
    if (program)
        linked_program_created(program);
    built(call, program, *error);
    return program;
}

static void allocated(void* address, cl_context context, cl_svm_mem_flags flags, size_t bytes)
{
    if (!address || !EVENT_ENABLED(svm_alloc))
        return;
    const lttng_gpu_opencl_svm_alloc record = {handle(address), handle(context), flags, bytes};
    events.svm_alloc(&record);
}

/// Before the driver's function: another thread may get the address right after it.
static void freed(void* address)
{
    if (!address || !EVENT_ENABLED(svm_free))
        return;
    const lttng_gpu_opencl_svm_free record = {handle(address)};
    events.svm_free(&record);
}

void* svm_alloc(Call& call, cl_api_clSVMAlloc real, cl_context context, cl_svm_mem_flags flags,
                size_t bytes, cl_uint alignment)
{
    void* address = real(context, flags, bytes, alignment);
    call.returned(CL_SUCCESS);
    allocated(address, context, flags, bytes);
    return address;
}

void svm_free(Call& call, cl_api_clSVMFree real, cl_context context, void* address)
{
    freed(address);
    real(context, address);
    call.returned(CL_SUCCESS);
}

void* usm_alloc_host(Call& call, HostAlloc real, cl_context context,
                     const cl_mem_properties_intel* properties, size_t bytes, cl_uint alignment,
                     cl_int* error)
{
    void* address = real(context, properties, bytes, alignment, error);
    call.returned(*error);
    allocated(address, context, 0, bytes);
    return address;
}

void* usm_alloc_device(Call& call, DeviceAlloc real, cl_context context, cl_device_id device,
                       const cl_mem_properties_intel* properties, size_t bytes, cl_uint alignment,
                       cl_int* error)
{
    void* address = real(context, device, properties, bytes, alignment, error);
    call.returned(*error);
    allocated(address, context, 0, bytes);
    return address;
}

cl_int usm_free(Call& call, cl_int(CL_API_CALL* real)(cl_context, void*), cl_context context,
                void* address)
{
    freed(address);
    const cl_int result = real(context, address);
    call.returned(result);
    return result;
}

void* extension_address(Call& call, cl_api_clGetExtensionFunctionAddress real, const char* name)
{
    void* function = real(name);
    call.returned(CL_SUCCESS);
    return wrap_extension(name, function);
}

void* extension_address_for_platform(Call& call,
                                     cl_api_clGetExtensionFunctionAddressForPlatform real,
                                     cl_platform_id platform, const char* name)
{
    void* function = real(platform, name);
    call.returned(CL_SUCCESS);
    return wrap_extension(name, function);
}

} // namespace lttng_gpu::opencl
