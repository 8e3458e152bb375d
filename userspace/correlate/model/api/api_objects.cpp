// SPDX-License-Identifier: MIT
//
// See api_objects.hpp. Objects are described again and again while they are
// used, so that a description alone does not mean that something was made.
#include "api_objects.hpp"

#include "../actor_origins.hpp"

#include <fmt/format.h>

namespace lttng_gpu::model {

void ApiObjects::describe_device(std::uint64_t handle, std::string_view name, std::uint64_t parent,
                                 std::int64_t resolution)
{
    ApiDevice& device = x_devices[handle];
    if (!device.label.empty() && device.name == name && device.parent == parent) {
        return;
    }
    device = {std::string{name}, std::string{name.empty() ? "unnamed device" : name}, parent,
              resolution};
    if (parent != 0) {
        device.label = label_of(parent);
        const unsigned number = ++x_label_counts[device.label + "/"];
        device.label += fmt::format(", sub-device {}", number);
    } else if (const unsigned number = ++x_label_counts[device.label]; number > 1) {
        device.label += fmt::format(" ({})", number);
    }
    for (auto& [queue_handle, queue] : x_queues) {
        if (queue.device == handle && !x_rings.has_device(queue.ring)) {
            queue.ring = x_rings.set_device(queue.ring, device.label);
        }
    }
}

ApiQueue& ApiObjects::add_queue(std::uint64_t handle)
{
    ++x_queue_count;
    std::string name = fmt::format("queue {}", x_queue_count);
    if (x_process.pid >= 0) {
        name += fmt::format(" of pid {}", x_process.pid);
    }
    if (x_process.pid_ns != 0 && x_process.pid_ns != initial_pid_namespace) {
        name += fmt::format(" in pid namespace {}", x_process.pid_ns);
    }
    ApiQueue& queue = x_queues[handle];
    queue = {};
    queue.number = x_queue_count;
    queue.ring = x_rings.intern(x_process.trace, {}, name);
    x_rings.set_driver(queue.ring, x_process.api->name);
    return queue;
}

ApiQueue& ApiObjects::queue(std::uint64_t handle)
{
    const auto found = x_queues.find(handle);
    return found == x_queues.end() ? add_queue(handle) : found->second;
}

const ApiQueue* ApiObjects::find_queue(std::uint64_t handle) const
{
    const auto found = x_queues.find(handle);
    return found == x_queues.end() ? nullptr : &found->second;
}

void ApiObjects::describe_queue(std::uint64_t handle, const ApiQueue& described)
{
    const auto found = x_queues.find(handle);
    const bool is_same =
        found != x_queues.end() && found->second.references > 0 &&
        (!found->second.device ||
         (found->second.device == described.device && found->second.context == described.context &&
          found->second.properties == described.properties));
    ApiQueue& queue = is_same ? found->second : add_queue(handle);
    const bool was_known = is_same && queue.device.has_value();
    queue.is_timed = described.is_timed;
    if (was_known) {
        return;
    }
    queue.device = described.device;
    queue.context = described.context;
    queue.properties = described.properties;
    if (const std::string label = label_of(*queue.device); !label.empty()) {
        queue.ring = x_rings.set_device(queue.ring, label);
    }
}

void ApiObjects::name_queue(std::uint64_t handle, std::string_view name, StringPool& strings)
{
    Ring& ring = x_rings.at(queue(handle).ring);
    ring.shown = name.empty()
                     ? ring.name
                     : strings.intern(fmt::format("{} \"{}\"", x_rings.text(ring.name), name));
}

void ApiObjects::retain_queue(std::uint64_t handle, std::int64_t change)
{
    if (const auto found = x_queues.find(handle); found != x_queues.end()) {
        found->second.references += change;
    }
}

std::optional<RingId> ApiObjects::only_queue() const
{
    return x_queue_count == 1 ? std::optional{x_queues.begin()->second.ring} : std::nullopt;
}

DeviceKey ApiObjects::clock_of(std::uint64_t device) const
{
    auto found = x_devices.find(device);
    for (int depth = 0; depth < 16 && found != x_devices.end() && found->second.parent != 0;
         ++depth) {
        device = found->second.parent;
        found = x_devices.find(device);
    }
    return {x_process, device};
}

std::int64_t ApiObjects::resolution_of(std::uint64_t device) const
{
    const auto found = x_devices.find(device);
    return found == x_devices.end() ? 0 : found->second.resolution;
}

std::string ApiObjects::label_of(std::uint64_t device) const
{
    const auto found = x_devices.find(device);
    return found == x_devices.end() ? std::string{} : found->second.label;
}

} // namespace lttng_gpu::model
