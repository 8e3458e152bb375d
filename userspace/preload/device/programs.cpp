// SPDX-License-Identifier: MIT
//
// Programs and kernels of the application, and their twins.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.hpp"

namespace lttng_gpu::device {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static Program* programs;
static Kernel* kernels;

static Program** find_program(cl_program handle)
{
    Program** link = &programs;
    while (*link && (*link)->program != handle)
        link = &(*link)->next;
    return link;
}

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

/// Null without memory. For what clGet*Info(handle, WHAT, ...) gives of any length.
template <class Function, class Object>
static char* ask_text(Function function, Object object, cl_uint what, size_t* bytes_told = nullptr)
{
    size_t bytes = 0;
    if (function(object, what, 0, nullptr, &bytes) != CL_SUCCESS)
        bytes = 0;
    char* text = static_cast<char*>(calloc(bytes + 1, 1));
    if (text && bytes && function(object, what, bytes, text, nullptr) != CL_SUCCESS)
        text[0] = 0;
    if (bytes_told)
        *bytes_told = bytes;
    return text;
}

/// The names of the lines "kernel NAME".
static char* kernel_names(const Instrumented& made)
{
    char* names = static_cast<char*>(calloc(strlen(made.output) + 2, 1));
    size_t used = 0;
    for (const char* line = made.output; names && line && line < made.source;) {
        const char* end = strchr(line, '\n');
        if (end && !strncmp(line, "kernel ", 7)) {
            memcpy(names + used, line + 7, size_t(end - line) - 7);
            used += size_t(end - line) - 6;
        }
        line = end ? end + 1 : nullptr;
    }
    return names;
}

static bool has_name(const char* names, const char* name)
{
    for (; names && *names; names += strlen(names) + 1) {
        if (!strcmp(names, name))
            return true;
    }
    return false;
}

static void tell_location(uint64_t program, const char* line)
{
    char kind[16], function[256];
    unsigned number = 0, row = 0, column = 0;
    if (sscanf(line, "location %u %15s %u %u %255s", &number, kind, &row, &column, function) != 5)
        return;
    const lttng_gpu_devicetrace_location record = {program, number, row, column, kind, function};
    events.location(&record);
}

static void tell_left(uint64_t program, const char* line, const char* end)
{
    char reason[32], name[256];
    snprintf(name, sizeof(name), "%.*s", int(end - line), line);
    const char* space = strchr(name + 5, ' ');
    const int bytes = space ? int(space - name) - 5 : 0;
    snprintf(reason, sizeof(reason), "%.*s", bytes, name + 5);
    tell_untraced(program, reason, space ? space + 1 : "");
}

/// What the instrumenter said, as events.
static void tell(uint64_t program, const Instrumented& made, bool has_twin)
{
    for (const char* line = made.output; line && strncmp(line, "source ", 7);) {
        const char* end = strchr(line, '\n');
        if (end && !strncmp(line, "left ", 5))
            tell_left(program, line, end);
        else if (end && has_twin && !strncmp(line, "location ", 9))
            tell_location(program, line);
        line = end ? end + 1 : nullptr;
    }
}

cl_device_id first_device(cl_program program, cl_uint count, const cl_device_id* devices)
{
    if (count && devices)
        return devices[0];
    cl_device_id all[64] = {};
    size_t bytes = 0;
    next.clGetProgramInfo(program, CL_PROGRAM_DEVICES, 0, nullptr, &bytes);
    if (bytes <= sizeof(all))
        next.clGetProgramInfo(program, CL_PROGRAM_DEVICES, bytes, static_cast<void*>(all), nullptr);
    return all[0];
}

/// The first line of the driver's log that has an error, or its first one.
static void tell_build_failed(uint64_t number, cl_program twin, cl_device_id device)
{
    size_t bytes = 0;
    char* log = nullptr;
    if (twin && next.clGetProgramBuildInfo(twin, device, CL_PROGRAM_BUILD_LOG, 0, nullptr,
                                           &bytes) == CL_SUCCESS)
        log = static_cast<char*>(calloc(bytes + 1, 1));
    if (log)
        next.clGetProgramBuildInfo(twin, device, CL_PROGRAM_BUILD_LOG, bytes, log, nullptr);
    const char* error = log ? strstr(log, "error") : nullptr;
    const char* line = error ? error : log ? log + strspn(log, "\n") : "";
    while (line > log && line[-1] != '\n')
        --line;
    char text[256];
    snprintf(text, sizeof(text), "%.*s", int(strcspn(line, "\n")), line);
    tell_untraced(number, "build_failed", text);
    free(log);
}

/// Null if it cannot be, which is said.
static cl_program build_twin(cl_program program, uint64_t number, const Instrumented& made,
                             cl_uint count, const cl_device_id* devices, const char* options)
{
    cl_context context = nullptr;
    cl_int error = next.clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof(context),
                                         static_cast<void*>(&context), nullptr);
    const char* source = made.source;
    const cl_program twin =
        error == CL_SUCCESS
            ? next.clCreateProgramWithSource(context, 1, &source, &made.source_bytes, &error)
            : nullptr;
    error = twin ? next.clBuildProgram(twin, count, devices, options, nullptr, nullptr) : error;
    if (twin && error == CL_SUCCESS)
        return twin;
    tell_build_failed(number, twin, first_device(program, count, devices));
    if (twin)
        next.clReleaseProgram(twin);
    return nullptr;
}

static void forget_twin(Program& program)
{
    if (program.twin)
        next.clReleaseProgram(program.twin);
    free(program.kernels);
    program.twin = nullptr;
    program.kernels = nullptr;
}

static void keep(cl_program handle, const Program& made)
{
    cl_uint references = 1;
    next.clGetProgramInfo(handle, CL_PROGRAM_REFERENCE_COUNT, sizeof(references), &references,
                          nullptr);
    const Lock lock;
    Program** link = find_program(handle);
    if (!*link && !(*link = static_cast<Program*>(calloc(1, sizeof(Program)))))
        return;
    Program& program = **link;
    if (!program.references)
        program.references = references;
    forget_twin(program);
    program.program = handle;
    program.twin = made.twin;
    program.number = made.number;
    program.has_warps = made.has_warps;
    program.kernels = made.kernels;
}

/// cl_nv_device_attribute_query.
static bool has_reductions(cl_device_id device)
{
    constexpr cl_device_info compute_capability_major = 0x4000;
    cl_uint major = 0;
    return next.clGetDeviceInfo(device, compute_capability_major, sizeof(major), &major, nullptr) ==
               CL_SUCCESS &&
           major >= 8;
}

static void make_twin(cl_program handle, const char* source, size_t bytes, cl_uint count,
                      const cl_device_id* devices, const char* options)
{
    Program made = {};
    made.number = new_number();
    const cl_device_id device = first_device(handle, count, devices);
    char* extensions = ask_text(next.clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS);
    // Its OpenCL C has PTX within.
    made.has_warps = extensions && strstr(extensions, "cl_nv_");
    Instrumented instrumented;
    if (extensions && run_instrumenter(source, strnlen(source, bytes), options, extensions,
                                       {made.has_warps, made.has_warps && has_reductions(device)},
                                       instrumented)) {
        if (instrumented.source)
            made.twin = build_twin(handle, made.number, instrumented, count, devices, options);
        tell(made.number, instrumented, made.twin);
        made.kernels = made.twin ? kernel_names(instrumented) : nullptr;
    } else {
        tell_untraced(made.number, "no_instrumenter", "");
    }
    free(instrumented.output);
    free(extensions);
    keep(handle, made);
}

/// Of a list that is separated by semicolons, as the driver has it.
static bool has_chosen(const char* names)
{
    char name[256];
    for (bool is_more = true; is_more;) {
        const size_t bytes = strcspn(names, ";");
        snprintf(name, sizeof(name), "%.*s", int(bytes), names);
        if (is_chosen(name))
            return true;
        is_more = names[bytes];
        names += bytes + is_more;
    }
    return false;
}

/// Says once of each program why none of its kernels is traced. `names`: of the kernels.
static void leave_program(cl_program handle, const char* reason, const char* names)
{
    {
        const Lock lock;
        if (*find_program(handle))
            return;
    }
    Program left = {};
    left.number = new_number();
    char text[256];
    snprintf(text, sizeof(text), "%s", names);
    if (!*names || has_chosen(names))
        tell_untraced(left.number, reason, text);
    keep(handle, left);
}

static void leave_program(cl_program handle, const char* reason)
{
    char* names = ask_text(next.clGetProgramInfo, handle, CL_PROGRAM_KERNEL_NAMES);
    leave_program(handle, reason, names ? names : "");
    free(names);
}

void program_linked(cl_program handle, const char* options)
{
    if (!options || !strstr(options, "-create-library"))
        leave_program(handle, "linked");
}

void program_of_built_in(cl_program handle, const char* names)
{
    leave_program(handle, "no_source", names);
}

void program_built(cl_program handle, cl_uint count, const cl_device_id* devices,
                   const char* options)
{
    size_t bytes = 0;
    char* source = ask_text(next.clGetProgramInfo, handle, CL_PROGRAM_SOURCE, &bytes);
    if (source && source[0])
        make_twin(handle, source, bytes, count, devices, options);
    else
        leave_program(handle, "no_source");
    free(source);
}

void program_retained(cl_program handle)
{
    const Lock lock;
    if (Program* program = *find_program(handle))
        ++program->references;
}

void before_program_release(cl_program handle)
{
    const Lock lock;
    Program** link = find_program(handle);
    Program* program = *link;
    if (!program || --program->references)
        return;
    *link = program->next;
    forget_twin(*program);
    free(program);
}

static void keep_kernel(cl_kernel handle, cl_kernel twin, uint64_t program, bool has_warps,
                        char* name)
{
    Kernel* kernel = static_cast<Kernel*>(calloc(1, sizeof(Kernel)));
    cl_uint arguments = 0;
    if (!kernel || next.clGetKernelInfo(handle, CL_KERNEL_NUM_ARGS, sizeof(arguments), &arguments,
                                        nullptr) != CL_SUCCESS) {
        next.clReleaseKernel(twin);
        free(kernel);
        free(name);
        return;
    }
    *kernel = {kernels, handle, twin, program, 1, arguments, has_warps, false, name};
    kernels = kernel;
}

void kernel_created(cl_program handle, cl_kernel kernel)
{
    char* name = ask_text(next.clGetKernelInfo, kernel, CL_KERNEL_FUNCTION_NAME);
    const Lock lock;
    const Program* program = *find_program(handle);
    cl_int error = CL_SUCCESS;
    const bool has_twin = name && program && program->twin && has_name(program->kernels, name);
    const cl_kernel twin = has_twin ? next.clCreateKernel(program->twin, name, &error) : nullptr;
    if (twin) {
        keep_kernel(kernel, twin, program->number, program->has_warps, name);
        return;
    }
    if (has_twin)
        tell_untraced(program->number, "refused", name);
    free(name);
}

void kernel_cloned(cl_kernel source, cl_kernel kernel)
{
    const Lock lock;
    const Kernel* known = *find_kernel_link(source);
    cl_int error = CL_SUCCESS;
    const cl_kernel twin = known ? next.clCloneKernel(known->twin, &error) : nullptr;
    if (!twin && known)
        tell_untraced(known->program, "refused", known->name);
    if (!twin)
        return;
    keep_kernel(kernel, twin, known->program, known->has_warps, strdup(known->name));
    if (Kernel* clone = *find_kernel_link(kernel))
        clone->is_left = known->is_left;
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
    next.clReleaseKernel(kernel->twin);
    free(kernel->name);
    free(kernel);
}

} // namespace lttng_gpu::device
