// SPDX-License-Identifier: MIT
#include "objects.hpp"

#include <stdlib.h>

#include "harvest.hpp"
#include "known_events.hpp"
#include "lifecycle.hpp"
#include "names.hpp"
#include "tables.hpp"
#include "watches.hpp"

namespace lttng_gpu::opencl {

/// 0 where the driver does not answer.
template <class Value, class Function, class Object>
static Value ask(Function function, Object object, cl_uint what)
{
    Value value = {};
    return function(object, what, sizeof(value), &value, nullptr) == CL_SUCCESS ? value : Value{};
}

void memory_created(cl_mem memory)
{
    if (!EVENT_ENABLED(memory_create))
        return;
    const auto& info = core().clGetMemObjectInfo;
    const auto type = ask<cl_mem_object_type>(info, memory, CL_MEM_TYPE);
    lttng_gpu_opencl_memory_create record = {};
    record.memory = handle(memory);
    record.context = handle(ask<cl_context>(info, memory, CL_MEM_CONTEXT));
    record.parent = handle(ask<cl_mem>(info, memory, CL_MEM_ASSOCIATED_MEMOBJECT));
    record.flags = ask<cl_mem_flags>(info, memory, CL_MEM_FLAGS);
    record.bytes = ask<size_t>(info, memory, CL_MEM_SIZE);
    record.type = type;
    if (type != CL_MEM_OBJECT_BUFFER && type != CL_MEM_OBJECT_PIPE) {
        const auto& image_info = core().clGetImageInfo;
        record.width = ask<size_t>(image_info, memory, CL_IMAGE_WIDTH);
        record.height = ask<size_t>(image_info, memory, CL_IMAGE_HEIGHT);
        record.depth = ask<size_t>(image_info, memory, CL_IMAGE_DEPTH);
    }
    events.memory_create(&record);
}

void sampler_created(cl_sampler sampler)
{
    if (!EVENT_ENABLED(sampler_create))
        return;
    const lttng_gpu_opencl_sampler_create record = {
        handle(sampler),
        handle(ask<cl_context>(core().clGetSamplerInfo, sampler, CL_SAMPLER_CONTEXT))};
    events.sampler_create(&record);
}

void kernel_created(cl_kernel kernel)
{
    if (!EVENT_ENABLED(kernel_create))
        return;
    const lttng_gpu_opencl_kernel_create record = {
        handle(kernel), handle(ask<cl_program>(core().clGetKernelInfo, kernel, CL_KERNEL_PROGRAM)),
        kernel_name(kernel)};
    events.kernel_create(&record);
}

static size_t source_bytes(cl_program program)
{
    size_t bytes = 0;
    core().clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, nullptr, &bytes);
    return bytes ? bytes - 1 : 0; // it ends in a 0
}

static size_t il_bytes(cl_program program)
{
    size_t bytes = 0;
    core().clGetProgramInfo(program, CL_PROGRAM_IL, 0, nullptr, &bytes);
    return bytes;
}

/// Of all devices.
static size_t binary_bytes(cl_program program)
{
    size_t all = 0;
    size_t size = 0;
    const auto info = core().clGetProgramInfo;
    if (info(program, CL_PROGRAM_BINARY_SIZES, 0, nullptr, &size) != CL_SUCCESS || !size)
        return 0;
    auto* sizes = static_cast<size_t*>(calloc(1, size));
    if (sizes && info(program, CL_PROGRAM_BINARY_SIZES, size, sizes, nullptr) == CL_SUCCESS) {
        for (size_t i = 0; i < size / sizeof(*sizes); ++i)
            all += sizes[i];
    }
    free(sizes);
    return all;
}

static void program_created(cl_program program, lttng_gpu_opencl_program_origin origin,
                            size_t bytes)
{
    const lttng_gpu_opencl_program_create record = {
        handle(program),
        handle(ask<cl_context>(core().clGetProgramInfo, program, CL_PROGRAM_CONTEXT)), bytes,
        uint8_t(origin)};
    events.program_create(&record);
}

void source_program_created(cl_program program)
{
    if (EVENT_ENABLED(program_create))
        program_created(program, LTTNG_GPU_OPENCL_FROM_SOURCE, source_bytes(program));
}

void binary_program_created(cl_program program, size_t bytes)
{
    if (EVENT_ENABLED(program_create))
        program_created(program, LTTNG_GPU_OPENCL_FROM_BINARY, bytes);
}

void il_program_created(cl_program program)
{
    if (EVENT_ENABLED(program_create))
        program_created(program, LTTNG_GPU_OPENCL_FROM_IL, il_bytes(program));
}

void built_in_program_created(cl_program program)
{
    if (EVENT_ENABLED(program_create))
        program_created(program, LTTNG_GPU_OPENCL_BUILT_IN, 0);
}

void linked_program_created(cl_program program)
{
    if (EVENT_ENABLED(program_create))
        program_created(program, LTTNG_GPU_OPENCL_LINKED, binary_bytes(program));
}

void user_event_created(cl_event event)
{
    const uint64_t command = next_command();
    start_tracking(); // its release must be seen
    add_event(event, {command, nullptr, 1, false, false, 0});
    if (!EVENT_ENABLED(user_event_create))
        return;
    const lttng_gpu_opencl_user_event_create record = {
        command, handle(event),
        handle(ask<cl_context>(core().clGetEventInfo, event, CL_EVENT_CONTEXT))};
    events.user_event_create(&record);
}

/// Made of another API's: no command of a queue, and a handle that may have been another event's.
void foreign_event_created(cl_event event)
{
    start_tracking();
    add_event(event, {0, nullptr, 1, false, false, 0});
}

void context_created(cl_context context)
{
    if (!EVENT_ENABLED(context_create))
        return;
    cl_device_id devices[64];
    size_t bytes = 0;
    if (core().clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof(devices), devices, &bytes) !=
        CL_SUCCESS)
        bytes = 0;
    uint64_t handles[64];
    const auto count = uint32_t(bytes / sizeof(*devices));
    for (uint32_t i = 0; i < count; ++i)
        handles[i] = handle(devices[i]);
    const lttng_gpu_opencl_context_create record = {handle(context), count, handles};
    events.context_create(&record);
    const uint64_t now = now_ns();
    for (uint32_t i = 0; i < count; ++i)
        describe_device(devices[i], now, 0);
}

/// Writes the event of retaining or releasing, which is that of the call, too.
template <class Record>
static void record_change(const int* state, void (*write)(const Record*), const Call& call,
                          const void* object, lttng_gpu_opencl_object_kind kind, cl_int result)
{
    if (!is_enabled(state)) {
        call.returned(result);
    } else if (call.is_ours()) {
        const Record record = {handle(object), call.begin_ns(), result, uint16_t(call.function()),
                               uint8_t(kind)};
        write(&record);
    }
}

void object_retained(const Call& call, const void* object, lttng_gpu_opencl_object_kind kind,
                     cl_int result)
{
    record_change(events.object_retain_state, events.object_retain, call, object, kind, result);
}

void object_released(const Call& call, const void* object, lttng_gpu_opencl_object_kind kind,
                     cl_int result)
{
    record_change(events.object_release_state, events.object_release, call, object, kind, result);
}

/// Of these only the event is recorded; nothing is kept of the object.
#define PLAIN(name, verb, type, kind)                                                              \
    void name##_##verb(const Call& call, type object, cl_int result)                               \
    {                                                                                              \
        object_##verb(call, object, LTTNG_GPU_OPENCL_##kind, result);                              \
    }
PLAIN(device, retained, cl_device_id, DEVICE)
PLAIN(context, retained, cl_context, CONTEXT)
PLAIN(memory, retained, cl_mem, MEMORY)
PLAIN(sampler, retained, cl_sampler, SAMPLER)
PLAIN(program, retained, cl_program, PROGRAM)
PLAIN(kernel, retained, cl_kernel, KERNEL)
PLAIN(device, released, cl_device_id, DEVICE)
PLAIN(context, released, cl_context, CONTEXT)
PLAIN(memory, released, cl_mem, MEMORY)
PLAIN(sampler, released, cl_sampler, SAMPLER)
PLAIN(program, released, cl_program, PROGRAM)
PLAIN(kernel, released, cl_kernel, KERNEL)
PLAIN(event, released, cl_event, EVENT)
PLAIN(queue, released, cl_command_queue, QUEUE)
#undef PLAIN

void queue_retained(const Call& call, cl_command_queue handle, cl_int result)
{
    object_retained(call, handle, LTTNG_GPU_OPENCL_QUEUE, result);
    Queue* queue = known_queue(handle);
    if (queue && result == CL_SUCCESS)
        __atomic_add_fetch(&queue->references, 1, __ATOMIC_RELAXED);
}

void event_retained(const Call& call, cl_event event, cl_int result)
{
    object_retained(call, event, LTTNG_GPU_OPENCL_EVENT, result);
    if (result == CL_SUCCESS)
        event_was_retained(event);
}

/// Events refer to their contexts: what is complete must not keep this one alive.
void before_context_release(cl_context)
{
    harvest_all();
}

void before_queue_release(cl_command_queue handle)
{
    Queue* queue = known_queue(handle);
    if (!queue)
        return;
    harvest(*queue, 0);
    // Another queue may get the handle as soon as the driver has let it go.
    if (__atomic_sub_fetch(&queue->references, 1, __ATOMIC_RELAXED) == 0) {
        harvest_when_complete(*queue);
        forget_queue(*queue);
    }
}

/// Before the driver's, or another event could have got the handle meanwhile.
void before_event_release(cl_event event)
{
    event_was_released(event);
}

} // namespace lttng_gpu::opencl
