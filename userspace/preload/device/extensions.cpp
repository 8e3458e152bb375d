// SPDX-License-Identifier: MIT
//
// Functions of extensions, which the application asks for by name: those that set a kernel's
// arguments, for which the twin must have the same, and those that launch it in another way.
#include <string.h>

#include "device.hpp"

namespace lttng_gpu::device {

// The headers of distributions do not have them all.
using SetMemory = cl_int(CL_API_CALL*)(cl_kernel, cl_uint, const void*);
using SetAddress = cl_int(CL_API_CALL*)(cl_kernel, cl_uint, cl_ulong);

static SetMemory set_memory;
static SetAddress set_address;
static clCommandNDRangeKernelKHR_fn add_command;
static bool has_unseen_setter;

static cl_int CL_API_CALL set_memory_argument(cl_kernel handle, cl_uint number, const void* value)
{
    const cl_int result = set_memory(handle, number, value);
    if (result == CL_SUCCESS)
        set_in_twins(handle, [&](cl_kernel twin) { return set_memory(twin, number, value); });
    return result;
}

static cl_int CL_API_CALL set_address_argument(cl_kernel handle, cl_uint number, cl_ulong value)
{
    const cl_int result = set_address(handle, number, value);
    if (result == CL_SUCCESS)
        set_in_twins(handle, [&](cl_kernel twin) { return set_address(twin, number, value); });
    return result;
}

/// A command buffer is run as often as the application likes, and each run would need a buffer.
static cl_int CL_API_CALL
add_kernel_command(cl_command_buffer_khr buffer, cl_command_queue queue,
                   const cl_ndrange_kernel_command_properties_khr* properties, cl_kernel handle,
                   cl_uint dimensions, const size_t* offset, const size_t* global,
                   const size_t* local, cl_uint waits_count, const cl_sync_point_khr* waits,
                   cl_sync_point_khr* point, cl_mutable_command_khr* command)
{
    const cl_int result = add_command(buffer, queue, properties, handle, dimensions, offset, global,
                                      local, waits_count, waits, point, command);
    const Kernel* kernel = result == CL_SUCCESS && is_recorded() ? find_kernel(handle) : nullptr;
    if (kernel)
        tell_untraced(kernel->twins->program, "command_buffer", kernel->name);
    return result;
}

/// False: another driver's function of this name is wrapped already.
template <class Function> static bool take(Function& known, void* function)
{
    Function none = nullptr;
    const Function given = reinterpret_cast<Function>(function);
    return __atomic_compare_exchange_n(&known, &none, given, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE) ||
           none == given;
}

void* wrap_extension(const char* name, void* function)
{
    if (!name || !function)
        return function;
    if (!strcmp(name, "clSetKernelArgMemPointerINTEL") && take(set_memory, function))
        return reinterpret_cast<void*>(&set_memory_argument);
    if (!strcmp(name, "clSetKernelArgDevicePointerEXT") && take(set_address, function))
        return reinterpret_cast<void*>(&set_address_argument);
    if (!strcmp(name, "clCommandNDRangeKernelKHR") && take(add_command, function))
        return reinterpret_cast<void*>(&add_kernel_command);
    if (!strncmp(name, "clSetKernelArg", 14))
        __atomic_store_n(&has_unseen_setter, true, __ATOMIC_RELEASE);
    return function;
}

bool can_miss_arguments()
{
    return __atomic_load_n(&has_unseen_setter, __ATOMIC_ACQUIRE);
}

} // namespace lttng_gpu::device
