// SPDX-License-Identifier: MIT
//
// Devices and command queues of one API in one process, by the handles that the application
// uses, and the names that they get: a device the driver's name for it, "(2)" after
// it for the second of that name in the process; a queue a number in the process, and the name
// that the program gave it.
// A handle that was released and described again is another queue.
#pragma once

#include "../rings/ring_table.hpp"
#include "device_clocks.hpp"

#include <unordered_map>

namespace lttng_gpu::model {

struct ApiDevice {
    std::string name; // the driver's
    std::string label;
    std::uint64_t parent = 0; // of a sub-device
    std::int64_t resolution = 0;
};

struct ApiQueue {
    RingId ring;
    unsigned number = 0;                 // in the process, from 1; never used again
    std::optional<std::uint64_t> device; // unknown until an event describes the queue
    std::uint64_t context = 0;
    std::uint64_t properties = 0;
    std::int64_t references = 1;
    bool is_timed = true; // its commands can have times
    std::uint64_t untimed_told = 0;
    std::uint64_t untimed_known = 0; // commands given up because of that

    /// CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE is not set.
    bool is_in_order() const { return (properties & 1) == 0; }
};

class ApiObjects {
public:
    ApiObjects(RingTable& rings, const ApiProcess& process) : m_rings{rings}, m_process{process} {}

    void describe_device(std::uint64_t handle, std::string_view name, std::uint64_t parent,
                         std::int64_t resolution);
    void describe_queue(std::uint64_t handle, const ApiQueue& described);
    /// The program's own name for it, which is shown behind the number; empty: none any more.
    void name_queue(std::uint64_t handle, std::string_view name, StringPool& strings);
    void retain_queue(std::uint64_t handle, std::int64_t change);
    /// Made on the spot when no event described it yet.
    ApiQueue& queue(std::uint64_t handle);
    /// Null: nothing was told of it.
    const ApiQueue* find_queue(std::uint64_t handle) const;

    /// Nothing when the process has had none, or several.
    std::optional<RingId> only_queue() const;

    /// Whose clock the times of a device are of.
    DeviceKey clock_of(std::uint64_t device) const;
    std::int64_t resolution_of(std::uint64_t device) const;
    std::string label_of(std::uint64_t device) const;

private:
    ApiQueue& add_queue(std::uint64_t handle);

    RingTable& m_rings;
    ApiProcess m_process;
    std::unordered_map<std::uint64_t, ApiDevice> m_devices;
    std::unordered_map<std::uint64_t, ApiQueue> m_queues;
    std::unordered_map<std::string, unsigned> m_label_counts;
    unsigned m_queue_count = 0;
};

} // namespace lttng_gpu::model
