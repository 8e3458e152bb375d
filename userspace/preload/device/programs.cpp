// SPDX-License-Identifier: MIT
//
// Programs of the application, and which twins they have.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "twins.hpp"

namespace lttng_gpu::device {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static Program* programs;

static Program** find_program(cl_program handle)
{
    Program** link = &programs;
    while (*link && (*link)->program != handle)
        link = &(*link)->next;
    return link;
}

static void take_out(Devices& from, const Devices& gone)
{
    cl_uint kept = 0;
    for (cl_uint i = 0; i < from.count; ++i) {
        if (!gone.has(from.list[i]))
            from.list[kept++] = from.list[i];
    }
    from.count = kept;
}

/// A driver may forget what it built for some devices when it builds for others.
static void take_out_unbuilt(cl_program handle, Devices& devices)
{
    cl_uint kept = 0;
    for (cl_uint i = 0; i < devices.count; ++i) {
        cl_build_status status = CL_BUILD_NONE;
        next.clGetProgramBuildInfo(handle, devices.list[i], CL_PROGRAM_BUILD_STATUS, sizeof(status),
                                   &status, nullptr);
        if (status == CL_BUILD_SUCCESS)
            devices.list[kept++] = devices.list[i];
    }
    devices.count = kept;
}

/// What was built for these devices before is no more; what was for others stays.
static void forget_twins(Program& program, const Devices& built)
{
    for (Twin** link = &program.twins; *link;) {
        Twin* twin = *link;
        take_out(twin->devices, built);
        take_out_unbuilt(program.program, twin->devices);
        if (twin->devices.count) {
            link = &twin->next;
            continue;
        }
        *link = twin->next;
        free_twin(twin);
    }
}

/// `twins`: for some of the devices for which the program was built, or null.
static void keep(cl_program handle, Twin* twins, const Devices& built)
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
    program.program = handle;
    forget_twins(program, built);
    while (Twin* twin = twins) {
        twins = twin->next;
        twin->next = program.twins;
        program.twins = twin;
    }
}

const Twin* twins_of(cl_program handle)
{
    const Program* program = *find_program(handle);
    return program ? program->twins : nullptr;
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
    char text[256];
    snprintf(text, sizeof(text), "%s", names);
    if (!*names || has_chosen(names))
        tell_untraced(new_number(), reason, text);
    keep(handle, nullptr, {});
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
    if (source && source[0]) {
        const Devices built = devices_of_build(handle, count, devices);
        keep(handle, make_twins(handle, source, bytes, built, options), built);
        free(built.list);
    } else {
        leave_program(handle, "no_source");
    }
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
    while (Twin* twin = program->twins) {
        program->twins = twin->next;
        free_twin(twin);
    }
    free(program);
}

} // namespace lttng_gpu::device
