// SPDX-License-Identifier: MIT
//
// The device-trace layer: an OpenCL layer of its own below the one that records calls. A program
// that is built gets a twin, which is the same with the recorder in it, and each of its kernels
// another; what the application asks about is its own, and what runs is the twin.
#pragma once

#include <pthread.h>

#define LTTNG_GPU_PROVIDER lttng_gpu_devicetrace
#include "instrumentation/events/lttng_gpu_records.h"
#include "opencl/opencl_headers.hpp"

namespace lttng_gpu::device {

/// What the environment says; LTTNG_GPU_DEVICE_TRACE is set by `lttng-gpu record`.
struct Settings {
    bool is_on;
    const char* kernels; ///< patterns, separated by commas
    const char* points;
    bool has_times;
    size_t buffer_bytes; ///< of each launch
};
extern Settings settings;
/// Of the environment; once.
void read_settings();

extern cl_icd_dispatch next; ///< the functions below this layer
extern lttng_gpu_devicetrace_provider events;
void attach_provider();

/// Of everything here that is not said to have one of its own.
extern pthread_mutex_t mutex;
class Lock {
public:
    Lock() { pthread_mutex_lock(&mutex); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    ~Lock() { pthread_mutex_unlock(&mutex); }
};

/// Numbers that no other process of the session has.
uint64_t new_number();
/// A session records what this layer makes.
bool is_recorded();
/// Of the names of kernels that the recording is for.
bool is_chosen(const char* kernel);
/// Says why something is not traced.
void tell_untraced(uint64_t program, const char* reason, const char* name);

/// A list of its own.
struct Devices {
    cl_uint count;
    cl_device_id* list;

    bool has(cl_device_id device) const;
};
/// Empty without memory.
Devices copy(const cl_device_id* list, cl_uint count);

/// What was built with the recorder in it for some of a program's devices, with the options that
/// they have.
struct Twin {
    Twin* next;
    cl_program program;
    uint64_t number;
    bool has_warps;
    char* kernels; ///< names that have the recorder, each ended by a zero, and one zero more
    Devices devices;
};

struct Program {
    Program* next;
    cl_program program; ///< the application's
    Twin* twins;        ///< a device is in one at most
    uint32_t references;
};

struct KernelTwin {
    KernelTwin* next;
    cl_kernel kernel;
    uint64_t program; ///< its number
    bool has_warps;
    bool is_left; ///< it does not have the application's arguments
    Devices devices;
};

struct Kernel {
    Kernel* next;
    cl_kernel kernel; ///< the application's
    KernelTwin* twins;
    uint32_t references;
    cl_uint arguments; ///< of the application's
    char* name;
};

/// After the application's program was built.
void program_built(cl_program program, cl_uint count, const cl_device_id* devices,
                   const char* options);
/// Those that a program is built for; `devices` null: all of the program's.
Devices devices_of_build(cl_program program, cl_uint count, const cl_device_id* devices);
/// After clLinkProgram.
void program_linked(cl_program program, const char* options);
/// After clCreateProgramWithBuiltInKernels, of these kernels.
void program_of_built_in(cl_program program, const char* kernels);
void program_retained(cl_program program);
void before_program_release(cl_program program);
void kernel_created(cl_program program, cl_kernel kernel);
void kernel_cloned(cl_kernel source, cl_kernel kernel);
void kernel_retained(cl_kernel kernel);
void before_kernel_release(cl_kernel kernel);
/// Null if the kernel has no twin. The application may not release it meanwhile.
Kernel* find_kernel(cl_kernel kernel);
/// Null if the kernel has none for that device.
KernelTwin* find_twin(const Kernel& kernel, cl_device_id device);
/// Null: the queue is none.
cl_device_id device_of(cl_command_queue queue);

/// Does with each twin what the application has done with its kernel: `set` returns an error's
/// number. One that does not take it is left alone from then on.
template <class Set> void set_in_twins(cl_kernel handle, Set set)
{
    Kernel* kernel = find_kernel(handle);
    for (KernelTwin* twin = kernel ? kernel->twins : nullptr; twin; twin = twin->next)
        twin->is_left |= set(twin->kernel) != CL_SUCCESS;
}

/// The layer's function in place of an extension's, or that one.
void* wrap_extension(const char* name, void* function);
/// Whether the application has a function that can set arguments of kernels unseen.
bool can_miss_arguments();

/// What the instrumenter says of a program; `text` is freed by the caller.
struct Instrumented {
    char* output;       ///< all of it
    const char* source; ///< within; null: nothing was changed
    size_t source_bytes;
};
/// How a program is changed for a device.
struct Warps {
    bool are_there;
    bool have_reductions; ///< compute capability 8 or later
};

/// `extensions`: with the optional features of OpenCL C 3.0. False: the program could not be run.
bool run_instrumenter(const char* source, size_t bytes, const char* options, const char* extensions,
                      Warps warps, Instrumented& made);

/// A buffer of a launch, of which there are at most so many of one context and device.
struct Buffer;
cl_int enqueue_traced(const Kernel& kernel, KernelTwin& twin, cl_command_queue queue,
                      cl_uint dimensions, const size_t* offset, const size_t* global,
                      const size_t* local, cl_uint waits_count, const cl_event* waits,
                      cl_event* event, const char*& why_not);
/// Waits for launches that are being read, as long as they get fewer.
void finish_launches();
void drop_launches_in_child();

} // namespace lttng_gpu::device
