// SPDX-License-Identifier: MIT
#include <string.h>

#include "harvest.hpp"
#include "hooks.hpp"
#include "known_events.hpp"
#include "queues.hpp"
#include "tables.hpp"

namespace lttng_gpu::opencl {

static bool wants_profiling(cl_command_queue_properties properties)
{
    return EVENT_ENABLED(command_times) && !(properties & CL_QUEUE_PROFILING_ENABLE);
}

static lttng_gpu_opencl_profiling profiling_of(cl_command_queue_properties properties)
{
    return properties & CL_QUEUE_PROFILING_ENABLE ? LTTNG_GPU_OPENCL_PROFILING_APPLICATION
                                                  : LTTNG_GPU_OPENCL_PROFILING_OFF;
}

static void created(Call& call, cl_command_queue handle, cl_int error,
                    lttng_gpu_opencl_profiling profiling, cl_command_queue_properties properties,
                    const cl_queue_properties* array)
{
    call.returned(handle ? CL_SUCCESS : error);
    Queue* queue = handle ? add_queue(handle, profiling, properties, array) : nullptr;
    if (queue)
        describe_queue(*queue, now_ns());
}

/// False if the queue could not be made so, or not be noted: then the program would see profiling
/// that it did not ask for, and gets a queue as it wants it.
static bool created_with_profiling(Call& call, cl_command_queue handle,
                                   cl_command_queue_properties properties,
                                   const cl_queue_properties* array)
{
    if (!handle)
        return false;
    Queue* queue = add_queue(handle, LTTNG_GPU_OPENCL_PROFILING_LAYER, properties, array);
    if (!queue) {
        core().clReleaseCommandQueue(handle);
        return false;
    }
    call.returned(CL_SUCCESS);
    describe_queue(*queue, now_ns());
    return true;
}

cl_command_queue create_queue(Call& call, cl_api_clCreateCommandQueue real, cl_context context,
                              cl_device_id device, cl_command_queue_properties properties,
                              cl_int* error)
{
    if (wants_profiling(properties)) {
        const cl_command_queue queue =
            real(context, device, properties | CL_QUEUE_PROFILING_ENABLE, error);
        if (created_with_profiling(call, queue, properties, nullptr))
            return queue;
    }
    const cl_command_queue queue = real(context, device, properties, error);
    created(call, queue, *error, profiling_of(properties), properties, nullptr);
    return queue;
}

/// The application's properties with profiling switched on. Few enough, or they stay as they are.
class ProfilingProperties {
public:
    explicit ProfilingProperties(const cl_queue_properties* properties)
    {
        size_t count = 0;
        bool is_found = false;
        for (; properties && properties[count] && count < most; count += 2) {
            m_properties[count] = properties[count];
            m_properties[count + 1] = properties[count + 1];
            if (properties[count] == CL_QUEUE_PROPERTIES) {
                is_found = true;
                m_application = properties[count + 1];
                m_properties[count + 1] |= CL_QUEUE_PROFILING_ENABLE;
            }
        }
        m_fits = count < most;
        if (!is_found && m_fits) {
            m_properties[count++] = CL_QUEUE_PROPERTIES;
            m_properties[count++] = CL_QUEUE_PROFILING_ENABLE;
        }
        m_properties[m_fits ? count : 0] = 0;
    }

    bool fits() const { return m_fits; }
    const cl_queue_properties* properties() const { return m_properties; }
    /// The value of CL_QUEUE_PROPERTIES that the application gave.
    cl_command_queue_properties application() const { return m_application; }

private:
    static constexpr size_t most = 32;
    cl_queue_properties m_properties[most + 3];
    cl_command_queue_properties m_application = 0;
    bool m_fits;
};

cl_command_queue create_queue_with_properties(Call& call,
                                              cl_api_clCreateCommandQueueWithProperties real,
                                              cl_context context, cl_device_id device,
                                              const cl_queue_properties* properties, cl_int* error)
{
    const ProfilingProperties profiled(properties);
    const cl_command_queue_properties application = profiled.application();
    if (wants_profiling(application) && profiled.fits()) {
        const cl_command_queue queue = real(context, device, profiled.properties(), error);
        if (created_with_profiling(call, queue, application, properties))
            return queue;
    }
    const cl_command_queue queue = real(context, device, properties, error);
    created(call, queue, *error, profiling_of(application), application, properties);
    return queue;
}

/// Deprecated since OpenCL 1.1, and refused by most drivers.
cl_int set_queue_property(Call& call, cl_api_clSetCommandQueueProperty real,
                          cl_command_queue handle, cl_command_queue_properties properties,
                          cl_bool enable, cl_command_queue_properties* old)
{
    Queue* queue = known_queue(handle);
    const cl_int result = real(handle, properties, enable, old);
    call.returned(result);
    if (!queue || result != CL_SUCCESS)
        return result;
    if (old && queue->profiling == LTTNG_GPU_OPENCL_PROFILING_LAYER)
        *old &= ~cl_command_queue_properties(CL_QUEUE_PROFILING_ENABLE);
    queue->properties = enable ? queue->properties | properties : queue->properties & ~properties;
    queue->is_out_of_order = queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    if (properties & CL_QUEUE_PROFILING_ENABLE)
        queue->profiling = profiling_of(queue->properties);
    return result;
}

/// As CL_QUEUE_PROPERTIES_ARRAY is told: nothing if the queue was made without.
static cl_int tell_array(const Queue& queue, size_t size, void* value, size_t* size_told)
{
    if (value && size < queue.array_bytes)
        return CL_INVALID_VALUE;
    if (value && queue.array_bytes)
        memcpy(value, queue.array, queue.array_bytes);
    if (size_told)
        *size_told = queue.array_bytes;
    return CL_SUCCESS;
}

cl_int queue_info(Call& call, cl_api_clGetCommandQueueInfo real, cl_command_queue handle,
                  cl_command_queue_info what, size_t size, void* value, size_t* size_told)
{
    const Queue* queue = known_queue(handle);
    if (queue && what == CL_QUEUE_REFERENCE_COUNT)
        harvest_all(); // events refer to their queues
    cl_int result;
    if (queue && queue->profiling == LTTNG_GPU_OPENCL_PROFILING_LAYER &&
        what == CL_QUEUE_PROPERTIES_ARRAY) {
        // Whether the driver knows the question is its own to say.
        result = real(handle, what, 0, nullptr, nullptr);
        if (result == CL_SUCCESS)
            result = tell_array(*queue, size, value, size_told);
    } else {
        result = real(handle, what, size, value, size_told);
        if (queue && queue->profiling == LTTNG_GPU_OPENCL_PROFILING_LAYER &&
            what == CL_QUEUE_PROPERTIES && value && result == CL_SUCCESS)
            *static_cast<cl_command_queue_properties*>(value) &=
                ~cl_command_queue_properties(CL_QUEUE_PROFILING_ENABLE);
    }
    call.returned(result);
    return result;
}

static bool is_profiled_by_layer(cl_event event)
{
    KnownEvent known;
    if (!is_in_section() && find_event(event, known) && known.command)
        return known.is_profiled_by_layer;
    // Of commands enqueued while nothing was recorded nothing is known, but of their queue.
    cl_command_queue handle = nullptr;
    if (core().clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(handle), &handle, nullptr) !=
            CL_SUCCESS ||
        !handle)
        return false;
    const Queue* queue = known_queue(handle);
    return queue && queue->profiling == LTTNG_GPU_OPENCL_PROFILING_LAYER;
}

cl_int profiling_info(Call& call, cl_api_clGetEventProfilingInfo real, cl_event event,
                      cl_profiling_info what, size_t size, void* value, size_t* size_told)
{
    const cl_int result = is_profiled_by_layer(event) ? CL_PROFILING_INFO_NOT_AVAILABLE
                                                      : real(event, what, size, value, size_told);
    call.returned(result);
    return result;
}

cl_int event_info(Call& call, cl_api_clGetEventInfo real, cl_event event, cl_event_info what,
                  size_t size, void* value, size_t* size_told)
{
    if (what == CL_EVENT_REFERENCE_COUNT)
        harvest_all();
    const cl_int result = real(event, what, size, value, size_told);
    KnownEvent known;
    if (what == CL_EVENT_REFERENCE_COUNT && result == CL_SUCCESS && value &&
        find_event(event, known) && known.is_pending)
        --*static_cast<cl_uint*>(value);
    call.returned(result);
    return result;
}

} // namespace lttng_gpu::opencl
