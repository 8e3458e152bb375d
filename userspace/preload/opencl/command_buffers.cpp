// SPDX-License-Identifier: MIT
#include "command_buffers.hpp"

#include "hooks.hpp"
#include "lifecycle.hpp"
#include "objects.hpp"
#include "runtime/handle_table.hpp"

namespace lttng_gpu::opencl {

struct KnownCommandBuffer {
    cl_command_queue queue;
    uint64_t commands;
    uint32_t references; ///< the application's
};

static HandleTable<KnownCommandBuffer> buffers;

void command_buffer_created(cl_command_buffer_khr buffer, cl_uint queues_count,
                            const cl_command_queue* queues)
{
    start_tracking(); // its release must be seen
    buffers.set(buffer, {queues_count && queues ? queues[0] : nullptr, 0, 1});
}

void command_buffer_filled(cl_command_buffer_khr buffer)
{
    buffers.with(buffer, [](KnownCommandBuffer& known) { ++known.commands; });
}

uint64_t commands_in(cl_command_buffer_khr buffer)
{
    uint64_t commands = 0;
    buffers.with(buffer, [&](const KnownCommandBuffer& known) { commands = known.commands; });
    return commands;
}

cl_command_queue queue_of(cl_command_buffer_khr buffer, cl_uint queues_count,
                          const cl_command_queue* queues)
{
    if (queues_count && queues)
        return queues[0];
    cl_command_queue queue = nullptr;
    buffers.with(buffer, [&](const KnownCommandBuffer& known) { queue = known.queue; });
    return queue;
}

cl_command_buffer_khr create_command_buffer(Call& call, clCreateCommandBufferKHR_fn real,
                                            cl_uint count, const cl_command_queue* queues,
                                            const cl_command_buffer_properties_khr* properties,
                                            cl_int* error)
{
    const cl_command_buffer_khr buffer = real(count, queues, properties, error);
    call.returned(*error);
    if (buffer)
        command_buffer_created(buffer, count, queues);
    return buffer;
}

void command_buffer_retained(const Call& call, cl_command_buffer_khr buffer, cl_int result)
{
    object_retained(call, buffer, LTTNG_GPU_OPENCL_COMMAND_BUFFER, result);
    if (result == CL_SUCCESS)
        buffers.with(buffer, [](KnownCommandBuffer& known) { ++known.references; });
}

/// Another buffer may get the handle as soon as the driver has let it go.
void before_command_buffer_release(cl_command_buffer_khr buffer)
{
    buffers.remove_if(buffer, [](KnownCommandBuffer& known) { return --known.references == 0; });
}

void command_buffer_released(const Call& call, cl_command_buffer_khr buffer, cl_int result)
{
    object_released(call, buffer, LTTNG_GPU_OPENCL_COMMAND_BUFFER, result);
}

void forget_command_buffers()
{
    buffers.clear();
}

void lock_command_buffers()
{
    buffers.lock_all();
}

void unlock_command_buffers()
{
    buffers.unlock_all();
}

} // namespace lttng_gpu::opencl
