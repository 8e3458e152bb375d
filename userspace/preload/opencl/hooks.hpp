// SPDX-License-Identifier: MIT
//
// Functions of which more is known than their name and result. A hook calls the next function,
// `real`, and lets the call be recorded right after it.
#pragma once

#include "calls.hpp"
#include "opencl_headers.hpp"
#include "watches.hpp"

namespace lttng_gpu::opencl {

#define REAL(name) cl_api_##name real

// Queues: profiling is switched on while a session wants times, and the application does not see
// it.
cl_command_queue create_queue(Call&, REAL(clCreateCommandQueue), cl_context, cl_device_id,
                              cl_command_queue_properties, cl_int* error);
cl_command_queue create_queue_with_properties(Call&, REAL(clCreateCommandQueueWithProperties),
                                              cl_context, cl_device_id, const cl_queue_properties*,
                                              cl_int* error);
cl_int set_queue_property(Call&, REAL(clSetCommandQueueProperty), cl_command_queue,
                          cl_command_queue_properties, cl_bool enable,
                          cl_command_queue_properties* old);
cl_int queue_info(Call&, REAL(clGetCommandQueueInfo), cl_command_queue, cl_command_queue_info,
                  size_t, void*, size_t*);
cl_int profiling_info(Call&, REAL(clGetEventProfilingInfo), cl_event, cl_profiling_info, size_t,
                      void*, size_t*);
cl_int event_info(Call&, REAL(clGetEventInfo), cl_event, cl_event_info, size_t, void*, size_t*);

// Where the application waits, the times of what is complete are asked for.
cl_int wait_for_events(Call&, REAL(clWaitForEvents), cl_uint, const cl_event*);
cl_int flush(Call&, REAL(clFlush), cl_command_queue);
cl_int finish(Call&, REAL(clFinish), cl_command_queue);
cl_int set_user_event_status(Call&, REAL(clSetUserEventStatus), cl_event, cl_int);

using BuildNotify = void(CL_CALLBACK*)(cl_program, void*);
using ContextNotify = void(CL_CALLBACK*)(const char*, const void*, size_t, void*);

cl_context create_context(Call&, REAL(clCreateContext), const cl_context_properties*, cl_uint,
                          const cl_device_id*, ContextNotify, void*, cl_int*);
cl_context create_context_from_type(Call&, REAL(clCreateContextFromType),
                                    const cl_context_properties*, cl_device_type, ContextNotify,
                                    void*, cl_int*);
cl_program create_program_with_binary(Call&, REAL(clCreateProgramWithBinary), cl_context, cl_uint,
                                      const cl_device_id*, const size_t* sizes,
                                      const unsigned char**, cl_int*, cl_int*);
cl_int create_kernels(Call&, REAL(clCreateKernelsInProgram), cl_program, cl_uint, cl_kernel*,
                      cl_uint*);
cl_int build_program(Call&, REAL(clBuildProgram), cl_program, cl_uint, const cl_device_id*,
                     const char*, BuildNotify, void*);
cl_int build_program(Call&, REAL(clCompileProgram), cl_program, cl_uint, const cl_device_id*,
                     const char*, cl_uint, const cl_program*, const char**, BuildNotify, void*);
cl_program link_program(Call&, REAL(clLinkProgram), cl_context, cl_uint, const cl_device_id*,
                        const char*, cl_uint, const cl_program*, BuildNotify, void*, cl_int*);

void* svm_alloc(Call&, REAL(clSVMAlloc), cl_context, cl_svm_mem_flags, size_t, cl_uint);
void svm_free(Call&, REAL(clSVMFree), cl_context, void*);
using HostAlloc = void*(CL_API_CALL*)(cl_context, const cl_mem_properties_intel*, size_t, cl_uint,
                                      cl_int*);
using DeviceAlloc = void*(CL_API_CALL*)(cl_context, cl_device_id, const cl_mem_properties_intel*,
                                        size_t, cl_uint, cl_int*);
void* usm_alloc_host(Call&, HostAlloc real, cl_context, const cl_mem_properties_intel*, size_t,
                     cl_uint, cl_int*);
void* usm_alloc_device(Call&, DeviceAlloc real, cl_context, cl_device_id,
                       const cl_mem_properties_intel*, size_t, cl_uint, cl_int*);
cl_int usm_free(Call&, cl_int(CL_API_CALL* real)(cl_context, void*), cl_context, void*);

cl_command_buffer_khr create_command_buffer(Call&, clCreateCommandBufferKHR_fn real, cl_uint,
                                            const cl_command_queue*,
                                            const cl_command_buffer_properties_khr*, cl_int*);

void* extension_address(Call&, REAL(clGetExtensionFunctionAddress), const char*);
void* extension_address_for_platform(Call&, REAL(clGetExtensionFunctionAddressForPlatform),
                                     cl_platform_id, const char*);

#undef REAL

} // namespace lttng_gpu::opencl
