// SPDX-License-Identifier: MIT
//
// Buffers of launches: made when they are needed, emptied when they have been read, and used again.
#include <stdlib.h>

#include "launches.hpp"
#include "pack.hpp"

namespace lttng_gpu::device {

static constexpr unsigned most_buffers = 16;
static constexpr uint32_t most_chunks = 0x1ffffe; // the recorder's numbers of chunks
static constexpr size_t chunk_bytes = chunk_words * 4;

static Place* places;
static pthread_mutex_t buffers_mutex = PTHREAD_MUTEX_INITIALIZER;

namespace {
struct BuffersLock {
    BuffersLock() { pthread_mutex_lock(&buffers_mutex); }
    ~BuffersLock() { pthread_mutex_unlock(&buffers_mutex); }
};
} // namespace

static Place* find_place(cl_context context, cl_device_id device)
{
    for (Place* place = places; place; place = place->next) {
        if (place->context == context && place->device == device)
            return place;
    }
    Place* place = static_cast<Place*>(calloc(1, sizeof(Place)));
    cl_int error = CL_SUCCESS;
    if (!place)
        return nullptr;
    *place = {places,  context, device, next.clCreateCommandQueue(context, device, 0, &error),
              nullptr, 0};
    if (!place->queue) {
        free(place);
        return nullptr;
    }
    places = place;
    return place;
}

/// The words that say how many chunks there are; the rest of what was used is zero.
static bool empty(const Buffer& buffer, size_t words)
{
    const cl_uint zero = 0;
    const cl_command_queue queue = buffer.place->queue;
    return next.clEnqueueFillBuffer(queue, buffer.memory, &zero, sizeof(zero), 0, words * 4, 0,
                                    nullptr, nullptr) == CL_SUCCESS &&
           next.clEnqueueWriteBuffer(queue, buffer.memory, CL_TRUE, 4, 4, &buffer.chunks, 0,
                                     nullptr, nullptr) == CL_SUCCESS;
}

static Buffer* make_buffer(Place& place)
{
    Buffer* buffer = static_cast<Buffer*>(calloc(1, sizeof(Buffer)));
    cl_ulong most = 0;
    next.clGetDeviceInfo(place.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(most), &most, nullptr);
    size_t bytes = settings.buffer_bytes;
    if (bytes > most)
        bytes = most;
    if (!buffer || bytes < 2 * chunk_bytes) {
        free(buffer);
        return nullptr;
    }
    const size_t chunks = bytes / chunk_bytes - 1;
    cl_int error = CL_SUCCESS;
    buffer->place = &place;
    buffer->chunks = chunks < most_chunks ? uint32_t(chunks) : most_chunks;
    const size_t words = (size_t(buffer->chunks) + 1) * chunk_words;
    buffer->memory =
        next.clCreateBuffer(place.context, CL_MEM_READ_WRITE, words * 4, nullptr, &error);
    if (buffer->memory && empty(*buffer, words))
        return buffer;
    if (buffer->memory)
        next.clReleaseMemObject(buffer->memory);
    free(buffer);
    return nullptr;
}

cl_device_id device_of(cl_command_queue queue)
{
    cl_device_id device = nullptr;
    const cl_int error = next.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(device),
                                                    static_cast<void*>(&device), nullptr);
    return error == CL_SUCCESS ? device : nullptr;
}

Buffer* take_buffer(cl_command_queue queue)
{
    cl_context context = nullptr;
    const cl_device_id device = device_of(queue);
    if (!device || next.clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(context),
                                              static_cast<void*>(&context), nullptr) != CL_SUCCESS)
        return nullptr;
    const BuffersLock lock;
    Place* place = find_place(context, device);
    if (!place)
        return nullptr;
    Buffer* buffer = place->free_buffers;
    if (buffer) {
        place->free_buffers = buffer->next;
        return buffer;
    }
    buffer = place->buffers_count < most_buffers ? make_buffer(*place) : nullptr;
    place->buffers_count += buffer != nullptr;
    return buffer;
}

void give_buffer(Buffer* buffer, size_t used_words)
{
    const bool is_good = !used_words || empty(*buffer, used_words);
    const BuffersLock lock;
    if (is_good) {
        buffer->next = buffer->place->free_buffers;
        buffer->place->free_buffers = buffer;
        return;
    }
    --buffer->place->buffers_count;
    next.clReleaseMemObject(buffer->memory);
    free(buffer);
}

} // namespace lttng_gpu::device
