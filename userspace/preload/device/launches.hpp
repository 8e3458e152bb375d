// SPDX-License-Identifier: MIT
//
// Launches under way, and the buffers that the recorder fills.
#pragma once

#include "device.hpp"

namespace lttng_gpu::device {

struct Place;

struct Buffer {
    Buffer* next; ///< of those that are free
    Place* place;
    cl_mem memory;
    uint32_t chunks;
};

/// One context and device; never freed.
struct Place {
    Place* next;
    cl_context context;
    cl_device_id device;
    cl_command_queue queue; ///< of the layer's own
    Buffer* free_buffers;
    unsigned buffers_count;
};

struct Launch {
    Launch* next;
    uint64_t number;
    Buffer* buffer;
    cl_event event;
    uint64_t completed; ///< CLOCK_MONOTONIC when the driver said so
    bool has_warps;
    bool has_times;
};

/// Null: there are too many, or the device has no memory for one more.
Buffer* take_buffer(cl_command_queue queue);
/// With `used` words to be emptied.
void give_buffer(Buffer* buffer, size_t used_words);
/// After its event is complete: events of all that it recorded.
void read_launch(const Launch& launch);

} // namespace lttng_gpu::device
