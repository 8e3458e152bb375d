// SPDX-License-Identifier: MIT
//
// See twins.hpp.
#include "twins.hpp"
#include "traits.hpp"

#include <stdio.h>
#include <string.h>

namespace lttng_gpu::device {

bool Devices::has(cl_device_id device) const
{
    for (cl_uint i = 0; i < count; ++i) {
        if (list[i] == device)
            return true;
    }
    return false;
}

Devices copy(const cl_device_id* list, cl_uint count)
{
    Devices made = {0, static_cast<cl_device_id*>(calloc(count ? count : 1, sizeof(*list)))};
    if (made.list && count) {
        memcpy(static_cast<void*>(made.list), list, count * sizeof(*list));
        made.count = count;
    }
    return made;
}

Devices devices_of_build(cl_program program, cl_uint count, const cl_device_id* devices)
{
    if (count && devices)
        return copy(devices, count);
    size_t bytes = 0;
    next.clGetProgramInfo(program, CL_PROGRAM_DEVICES, 0, nullptr, &bytes);
    Devices all = {0, static_cast<cl_device_id*>(calloc(1, bytes + sizeof(cl_device_id)))};
    if (all.list && next.clGetProgramInfo(program, CL_PROGRAM_DEVICES, bytes,
                                          static_cast<void*>(all.list), nullptr) == CL_SUCCESS)
        all.count = cl_uint(bytes / sizeof(cl_device_id));
    return all;
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

bool has_name(const char* names, const char* name)
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

static cl_device_id failed_device(cl_program twin, const Devices& devices)
{
    cl_build_status status = CL_BUILD_NONE;
    for (cl_uint i = 0; i < devices.count; ++i) {
        next.clGetProgramBuildInfo(twin, devices.list[i], CL_PROGRAM_BUILD_STATUS, sizeof(status),
                                   &status, nullptr);
        if (status == CL_BUILD_ERROR)
            return devices.list[i];
    }
    return devices.list[0];
}

/// The first line of the driver's log that has an error, or its first one.
static void tell_build_failed(uint64_t number, cl_program twin, const Devices& devices)
{
    size_t bytes = 0;
    char* log = nullptr;
    const cl_device_id device = twin ? failed_device(twin, devices) : nullptr;
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
                             const Devices& devices, const char* options)
{
    cl_context context = nullptr;
    cl_int error = next.clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof(context),
                                         static_cast<void*>(&context), nullptr);
    const char* source = made.source;
    const cl_program twin =
        error == CL_SUCCESS
            ? next.clCreateProgramWithSource(context, 1, &source, &made.source_bytes, &error)
            : nullptr;
    error = twin ? next.clBuildProgram(twin, devices.count, devices.list, options, nullptr, nullptr)
                 : error;
    if (twin && error == CL_SUCCESS)
        return twin;
    tell_build_failed(number, twin, devices);
    if (twin)
        next.clReleaseProgram(twin);
    return nullptr;
}

/// Those of the driver's build, and what it would take without any. Null without memory.
static char* read_options(const char* options, const Traits& traits)
{
    const size_t bytes = strlen(options) + strlen(traits.standard) + 2;
    char* text = static_cast<char*>(calloc(1, bytes));
    if (text)
        snprintf(text, bytes, "%s %s", options, traits.standard);
    return text;
}

/// Null if there is none.
static Twin* make_twin(cl_program program, const char* source, size_t bytes, const Devices& devices,
                       const char* options, const Traits& traits)
{
    const uint64_t number = new_number();
    Instrumented instrumented = {};
    Twin* twin = nullptr;
    char* const read = read_options(options, traits);
    if (read && traits.extensions &&
        run_instrumenter(source, strnlen(source, bytes), read, traits.extensions, traits.warps,
                         instrumented)) {
        const cl_program built = instrumented.source
                                     ? build_twin(program, number, instrumented, devices, options)
                                     : nullptr;
        tell(number, instrumented, built);
        twin = built ? static_cast<Twin*>(calloc(1, sizeof(Twin))) : nullptr;
        if (twin)
            *twin = {nullptr,
                     built,
                     number,
                     traits.warps.are_there,
                     kernel_names(instrumented),
                     copy(devices.list, devices.count)};
        else if (built)
            next.clReleaseProgram(built);
    } else {
        tell_untraced(number, "no_instrumenter", "");
    }
    free(instrumented.output);
    free(read);
    return twin;
}

/// Puts those that are as the first one to the front of the list. How many these are.
static cl_uint group_first(cl_program program, const Devices& devices, const Traits& first,
                           bool has_standard)
{
    cl_uint count = 1;
    for (cl_uint i = 1; i < devices.count; ++i) {
        const Traits traits = traits_of(program, devices.list[i], has_standard);
        if (are_same(traits, first)) {
            const cl_device_id device = devices.list[i];
            devices.list[i] = devices.list[count];
            devices.list[count++] = device;
        }
        free(traits.extensions);
    }
    return count;
}

Twin* make_twins(cl_program program, const char* source, size_t bytes, const Devices& devices,
                 const char* options)
{
    Twin* twins = nullptr;
    options = options ? options : "";
    const bool has_standard = strstr(options, "-cl-std=");
    const Devices all = copy(devices.list, devices.count);
    for (Devices left = all; left.count;) {
        const Traits traits = traits_of(program, left.list[0], has_standard);
        const cl_uint count = group_first(program, left, traits, has_standard);
        if (Twin* twin = make_twin(program, source, bytes, {count, left.list}, options, traits)) {
            twin->next = twins;
            twins = twin;
        }
        free(traits.extensions);
        left = {left.count - count, left.list + count};
    }
    free(all.list);
    return twins;
}

void free_twin(Twin* twin)
{
    next.clReleaseProgram(twin->program);
    free(twin->kernels);
    free(twin->devices.list);
    free(twin);
}

} // namespace lttng_gpu::device
