// SPDX-License-Identifier: MIT
//
// Kernels of the application, and their twins.
#include <string.h>

#include "twins.hpp"

namespace lttng_gpu::device {

static Kernel* kernels;

static Kernel** find_kernel_link(cl_kernel handle)
{
    Kernel** link = &kernels;
    while (*link && (*link)->kernel != handle)
        link = &(*link)->next;
    return link;
}

Kernel* find_kernel(cl_kernel handle)
{
    const Lock lock;
    return *find_kernel_link(handle);
}

/// Null: it is no part of another one, or the driver knows none.
static cl_device_id parent_of(cl_device_id device)
{
    cl_device_id parent = nullptr;
    const cl_int error = next.clGetDeviceInfo(device, CL_DEVICE_PARENT_DEVICE, sizeof(parent),
                                              static_cast<void*>(&parent), nullptr);
    return error == CL_SUCCESS ? parent : nullptr;
}

KernelTwin* find_twin(const Kernel& kernel, cl_device_id device)
{
    for (; device; device = parent_of(device)) {
        for (KernelTwin* twin = kernel.twins; twin; twin = twin->next) {
            if (twin->devices.has(device))
                return twin;
        }
    }
    return nullptr;
}

static void free_twins(KernelTwin* twins)
{
    while (KernelTwin* twin = twins) {
        twins = twin->next;
        next.clReleaseKernel(twin->kernel);
        free(twin->devices.list);
        free(twin);
    }
}

/// Of a twin that was made.
static void add_twin(KernelTwin*& twins, const KernelTwin& made)
{
    KernelTwin* twin = static_cast<KernelTwin*>(calloc(1, sizeof(KernelTwin)));
    if (!twin) {
        next.clReleaseKernel(made.kernel);
        return;
    }
    *twin = made;
    twin->devices = copy(made.devices.list, made.devices.count);
    twin->next = twins;
    twins = twin;
}

/// Takes over the twins, and the name.
static void keep_kernel(cl_kernel handle, KernelTwin* twins, char* name)
{
    Kernel* kernel = twins && name ? static_cast<Kernel*>(calloc(1, sizeof(Kernel))) : nullptr;
    cl_uint arguments = 0;
    if (!kernel || next.clGetKernelInfo(handle, CL_KERNEL_NUM_ARGS, sizeof(arguments), &arguments,
                                        nullptr) != CL_SUCCESS) {
        free_twins(twins);
        free(kernel);
        free(name);
        return;
    }
    *kernel = {kernels, handle, twins, 1, arguments, name};
    kernels = kernel;
}

void kernel_created(cl_program handle, cl_kernel kernel)
{
    char* name = ask_text(next.clGetKernelInfo, kernel, CL_KERNEL_FUNCTION_NAME);
    KernelTwin* made = nullptr;
    const Lock lock;
    for (const Twin* twin = name ? twins_of(handle) : nullptr; twin; twin = twin->next) {
        cl_int error = CL_SUCCESS;
        if (!has_name(twin->kernels, name))
            continue;
        if (const cl_kernel own = next.clCreateKernel(twin->program, name, &error))
            add_twin(made, {nullptr, own, twin->number, twin->has_warps, false, twin->devices});
        else
            tell_untraced(twin->number, "refused", name);
    }
    keep_kernel(kernel, made, name);
}

void kernel_cloned(cl_kernel source, cl_kernel kernel)
{
    const Lock lock;
    const Kernel* known = *find_kernel_link(source);
    if (!known)
        return;
    KernelTwin* made = nullptr;
    for (const KernelTwin* twin = known->twins; twin; twin = twin->next) {
        cl_int error = CL_SUCCESS;
        KernelTwin clone = *twin;
        clone.kernel = next.clCloneKernel(twin->kernel, &error);
        if (clone.kernel)
            add_twin(made, clone);
        else
            tell_untraced(twin->program, "refused", known->name);
    }
    keep_kernel(kernel, made, strdup(known->name));
}

void kernel_retained(cl_kernel handle)
{
    const Lock lock;
    if (Kernel* kernel = *find_kernel_link(handle))
        ++kernel->references;
}

void before_kernel_release(cl_kernel handle)
{
    const Lock lock;
    Kernel** link = find_kernel_link(handle);
    Kernel* kernel = *link;
    if (!kernel || --kernel->references)
        return;
    *link = kernel->next;
    free_twins(kernel->twins);
    free(kernel->name);
    free(kernel);
}

} // namespace lttng_gpu::device
