// SPDX-License-Identifier: MIT
//
// Reads what a launch recorded and writes it as events, packed, in parts that can be read each on
// its own.
#include <stdlib.h>
#include <time.h>

#include "launches.hpp"
#include "pack.hpp"

namespace lttng_gpu::device {

static constexpr size_t part_bytes = 3072;
/// At once: bounds the layer's memory.
static constexpr uint32_t most_chunks_at_once = 4096;
/// The session's buffers are emptied beside this.
static constexpr unsigned parts_before_pause = 64;

namespace {

class Parts {
public:
    explicit Parts(const Launch& launch) : x_launch(launch.number) {}

    void put_chunk(Packer& packer, const uint32_t* chunk)
    {
        packer.put_chunk(chunk);
        if (packer.size() >= part_bytes - most_chunk_bytes)
            write(packer);
    }
    void write(Packer& packer)
    {
        if (!packer.size())
            return;
        const lttng_gpu_devicetrace_records record = {x_launch, x_count, uint32_t(packer.size()),
                                                      x_words, uint32_t((packer.size() + 7) / 8)};
        events.records(&record);
        packer.restart();
        const timespec pause = {0, 1'000'000};
        if (++x_count % parts_before_pause == 0)
            nanosleep(&pause, nullptr);
    }
    uint8_t* bytes() { return reinterpret_cast<uint8_t*>(x_words); }
    uint32_t count() const { return x_count; }

private:
    uint64_t x_launch;
    uint32_t x_count = 0;
    uint64_t* const x_words = static_cast<uint64_t*>(calloc(1, part_bytes + most_chunk_bytes));
};

} // namespace

static cl_int read_chunks(const Launch& launch, uint32_t used, Parts& parts)
{
    const Buffer& buffer = *launch.buffer;
    const uint32_t at_once = used < most_chunks_at_once ? used : most_chunks_at_once;
    constexpr size_t bytes = chunk_words * 4;
    auto* chunks = static_cast<uint32_t*>(malloc(at_once * bytes));
    cl_int error = chunks && parts.bytes() ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    Packer packer(parts.bytes(), launch.has_times);
    for (uint32_t first = 0; error == CL_SUCCESS && first < used; first += at_once) {
        const uint32_t count = used - first < at_once ? used - first : at_once;
        error = next.clEnqueueReadBuffer(buffer.place->queue, buffer.memory, CL_TRUE,
                                         (first + 1) * bytes, count * bytes, chunks, 0, nullptr,
                                         nullptr);
        for (uint32_t i = 0; error == CL_SUCCESS && i < count; ++i)
            parts.put_chunk(packer, chunks + i * chunk_words);
    }
    if (error == CL_SUCCESS)
        parts.write(packer);
    free(chunks);
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
    Parts parts(launch);
    // The end of the device's interval is not after this.
    const uint64_t sizes[3] = {head[4], head[5], head[6]};
    const uint64_t groups[3] = {head[7], head[8], head[9]};
    if (used && error == CL_SUCCESS)
        error = read_chunks(launch, used, parts);
    const lttng_gpu_devicetrace_launch_end record = {
        launch.number,          used,  buffer.chunks, head[2],          parts.count(),
        error ? error : status, sizes, groups,        head[4] ? 3u : 0u};
    events.launch_end(&record);
    free(parts.bytes());
    give_buffer(launch.buffer, (size_t(used) + 1) * chunk_words);
}

} // namespace lttng_gpu::device
