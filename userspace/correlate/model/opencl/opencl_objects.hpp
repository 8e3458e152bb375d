// SPDX-License-Identifier: MIT
//
// Devices and command queues of one process, by the handles that the application
// uses, and the names that they get: a device the driver's name for it, "(2)" after
// it for the second of that name in the process; a queue a number in the process.
// A handle that was released and described again is another queue.
#pragma once

#include "../ring_table.hpp"
#include "device_clocks.hpp"

#include <unordered_map>

namespace lttng_gpu::model {

struct OpenClDevice {
    std::string name; // the driver's
    std::string label;
    std::uint64_t parent = 0; // of a sub-device
    std::int64_t resolution = 0;
};

struct OpenClQueue {
    RingId ring;
    std::optional<std::uint64_t> device; // unknown until an event describes the queue
    std::uint64_t context = 0;
    std::uint64_t properties = 0;
    std::int64_t references = 1;
    bool is_timed = true; // its commands can have times
    std::uint64_t untimed_told = 0;
    std::uint64_t untimed_known = 0; // commands given up because of that
};

class OpenClObjects {
public:
    OpenClObjects(RingTable& rings, TraceId trace, std::int64_t pid)
        : x_rings{rings}, x_trace{trace}, x_pid{pid}
    {
    }

    void describe_device(std::uint64_t handle, std::string_view name, std::uint64_t parent,
                         std::int64_t resolution);
    void describe_queue(std::uint64_t handle, const OpenClQueue& described);
    void retain_queue(std::uint64_t handle, std::int64_t change);
    /// Made on the spot when no event described it yet.
    OpenClQueue& queue(std::uint64_t handle);

    /// Whose clock the times of a device are of.
    DeviceKey clock_of(std::uint64_t device) const;
    std::int64_t resolution_of(std::uint64_t device) const;
    std::string label_of(std::uint64_t device) const;

private:
    OpenClQueue& add_queue(std::uint64_t handle);

    RingTable& x_rings;
    TraceId x_trace;
    std::int64_t x_pid;
    std::unordered_map<std::uint64_t, OpenClDevice> x_devices;
    std::unordered_map<std::uint64_t, OpenClQueue> x_queues;
    std::unordered_map<std::string, unsigned> x_label_counts;
    unsigned x_queue_count = 0;
};

} // namespace lttng_gpu::model
