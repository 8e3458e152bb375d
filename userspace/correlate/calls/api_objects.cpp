// SPDX-License-Identifier: MIT
//
// See api_objects.hpp. Objects are described again and again while they are
// used, so that a description alone does not mean that something was made.
#include "api_objects.hpp"

#include "../system/actor_origins.hpp"

#include <fmt/format.h>

namespace lttng_gpu::model {

void ApiObjects::describe_device(std::uint64_t handle, std::string_view name, std::uint64_t parent,
                                 std::int64_t resolution)
{
    ApiDevice& device = m_devices[handle];
    if (!device.label.empty() && device.name == name && device.parent == parent) {
        return;
    }
    device = {std::string{name}, std::string{name.empty() ? "unnamed device" : name}, parent,
              resolution};
    if (parent != 0) {
        device.label = label_of(parent);
        const unsigned number = ++m_label_counts[device.label + "/"];
        device.label += fmt::format(", sub-device {}", number);
    } else if (const unsigned number = ++m_label_counts[device.label]; number > 1) {
        device.label += fmt::format(" ({})", number);
    }
    for (auto& [queue_handle, queue] : m_queues) {
        if (queue.device == handle && !m_rings.has_device(queue.ring)) {
            queue.ring = m_rings.set_device(queue.ring, device.label);
        }
    }
}

ApiQueue& ApiObjects::add_queue(std::uint64_t handle)
{
    ++m_queue_count;
    std::string name = fmt::format("queue {}", m_queue_count);
    if (m_process.pid >= 0) {
        name += fmt::format(" of pid {}", m_process.pid);
    }
    if (m_process.pid_ns != 0 && m_process.pid_ns != initial_pid_namespace) {
        name += fmt::format(" in pid namespace {}", m_process.pid_ns);
    }
    ApiQueue& queue = m_queues[handle];
    queue = {};
    queue.number = m_queue_count;
    queue.ring = m_rings.intern(m_process.trace, {}, name);
    m_rings.set_driver(queue.ring, m_process.api->name);
    return queue;
}

ApiQueue& ApiObjects::queue(std::uint64_t handle)
{
    const auto found = m_queues.find(handle);
    return found == m_queues.end() ? add_queue(handle) : found->second;
}

const ApiQueue* ApiObjects::find_queue(std::uint64_t handle) const
{
    const auto found = m_queues.find(handle);
    return found == m_queues.end() ? nullptr : &found->second;
}

void ApiObjects::describe_queue(std::uint64_t handle, const ApiQueue& described)
{
    const auto found = m_queues.find(handle);
    const bool is_same =
        found != m_queues.end() && found->second.references > 0 &&
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
        queue.ring = m_rings.set_device(queue.ring, label);
    }
}

void ApiObjects::name_queue(std::uint64_t handle, std::string_view name, StringPool& strings)
{
    Ring& ring = m_rings.at(queue(handle).ring);
    ring.shown = name.empty()
                     ? ring.name
                     : strings.intern(fmt::format("{} \"{}\"", m_rings.text(ring.name), name));
}

void ApiObjects::retain_queue(std::uint64_t handle, std::int64_t change)
{
    if (const auto found = m_queues.find(handle); found != m_queues.end()) {
        found->second.references += change;
    }
}

std::optional<RingId> ApiObjects::only_queue() const
{
    return m_queue_count == 1 ? std::optional{m_queues.begin()->second.ring} : std::nullopt;
}

DeviceKey ApiObjects::clock_of(std::uint64_t device) const
{
    auto found = m_devices.find(device);
    for (int depth = 0; depth < 16 && found != m_devices.end() && found->second.parent != 0;
         ++depth) {
        device = found->second.parent;
        found = m_devices.find(device);
    }
    return {m_process, device};
}

std::int64_t ApiObjects::resolution_of(std::uint64_t device) const
{
    const auto found = m_devices.find(device);
    return found == m_devices.end() ? 0 : found->second.resolution;
}

std::string ApiObjects::label_of(std::uint64_t device) const
{
    const auto found = m_devices.find(device);
    return found == m_devices.end() ? std::string{} : found->second.label;
}

} // namespace lttng_gpu::model
