// SPDX-License-Identifier: MIT
//
// Reads what a launch recorded and writes it as events, packed, in parts that can be read each on
// its own.
#include <stdlib.h>

#include "launches.hpp"
#include "parts.hpp"

namespace lttng_gpu::device {

/// At once: bounds the layer's memory.
static constexpr uint32_t most_chunks_at_once = 4096;

/// The part of the launch's chunks that is in memory. Most launches have no more than fit, and are
/// read once for all phases.
struct Window {
    uint32_t* chunks;
    uint32_t first;
    uint32_t count; // 0: none were read yet
};

static cl_int read_window(const Buffer& buffer, Window& window, uint32_t first, uint32_t count)
{
    if (window.count == count && window.first == first)
        return CL_SUCCESS;
    constexpr size_t bytes = chunk_words * 4;
    window.first = first;
    window.count = count;
    return next.clEnqueueReadBuffer(buffer.place->queue, buffer.memory, CL_TRUE,
                                    (size_t(first) + 1) * bytes, count * bytes, window.chunks, 0,
                                    nullptr, nullptr);
}

/// A block may end after what is read at once: the next reading begins with it.
static cl_int read_phase(const Launch& launch, uint32_t used, Phase phase, Window& window,
                         Packer& packer, Parts& parts)
{
    for (uint32_t first = 0; first < used;) {
        const uint32_t left = used - first;
        const uint32_t count = left < most_chunks_at_once ? left : most_chunks_at_once;
        const cl_int error = read_window(*launch.buffer, window, first, count);
        if (error != CL_SUCCESS)
            return error;
        uint32_t done = 0;
        while (done < count && (done == 0 || count == left || count - done >= most_block_chunks)) {
            const unsigned taken =
                for_each_piece(window.chunks + size_t(done) * chunk_words, count - done, phase,
                               [&](const Piece& piece) { parts.put(packer, piece); });
            done += taken ? taken : count - done;
        }
        first += done;
    }
    return CL_SUCCESS;
}

/// Blocks are written when their work-groups end, and have what was recorded first.
static cl_int read_chunks(const Launch& launch, uint32_t used, Parts& parts)
{
    const uint32_t at_once = used < most_chunks_at_once ? used : most_chunks_at_once;
    Window window = {static_cast<uint32_t*>(malloc(size_t(at_once) * chunk_words * 4)), 0, 0};
    cl_int error = window.chunks && parts.bytes() ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    Packer packer(parts.bytes(), {launch.has_warps, launch.has_times});
    const Phase phases[] = {Phase::Blocks, Phase::Chunks, Phase::Ends};
    for (const Phase phase : phases) {
        if (error == CL_SUCCESS)
            error = read_phase(launch, used, phase, window, packer, parts);
    }
    if (error == CL_SUCCESS)
        parts.write(packer);
    free(window.chunks);
    return error;
}

void read_launch(const Launch& launch)
{
    const Buffer& buffer = *launch.buffer;
    uint32_t head[chunk_words] = {};
    cl_int status = CL_COMPLETE;
    next.clGetEventInfo(launch.event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
                        nullptr);
    cl_int error = next.clEnqueueReadBuffer(buffer.place->queue, buffer.memory, CL_TRUE, 0,
                                            sizeof(head), head, 0, nullptr, nullptr);
    const uint32_t used = error != CL_SUCCESS       ? 0
                          : head[0] < buffer.chunks ? head[0]
                                                    : buffer.chunks;
    Parts parts(launch.number);
    const uint64_t sizes[3] = {head[4], head[5], head[6]};
    const uint64_t groups[3] = {head[7], head[8], head[9]};
    if (used && error == CL_SUCCESS)
        error = read_chunks(launch, used, parts);
    const lttng_gpu_devicetrace_launch_end record = {
        launch.number,     used,          buffer.chunks,
        head[2],           parts.count(), error ? error : status,
        head[4] ? 3u : 0u, sizes,         groups,
        launch.completed};
    events.launch_end(&record);
    give_buffer(launch.buffer, (size_t(used) + 1) * chunk_words);
}

} // namespace lttng_gpu::device
