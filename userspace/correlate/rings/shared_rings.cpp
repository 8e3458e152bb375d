// SPDX-License-Identifier: MIT
//
// See shared_rings.hpp.
#include "shared_rings.hpp"

#include <algorithm>
#include <charconv>

namespace lttng_gpu::model {

RingId SharedRings::resolve(RingId ring, std::uint64_t hardware_context)
{
    const Ring like = m_rings.at(ring);
    auto name = std::find_if(m_names.begin(), m_names.end(), [&](const SharedName& other) {
        return other.trace == like.trace && other.name == like.name;
    });
    if (name == m_names.end()) {
        m_names.push_back({like.trace, like.name, {}});
        name = std::prev(m_names.end());
    }
    auto& hardware = name->hardware;
    for (const Hardware& known : hardware) {
        if (known.context == hardware_context) {
            return known.ring;
        }
    }
    if (hardware.empty()) {
        hardware.push_back({hardware_context, ring}); // so far it is the only one
        m_rings.at(ring).has_hardware_fences = true;
        return ring;
    }
    if (hardware.size() == most_devices) {
        return ring;
    }
    const std::string text{m_rings.text(like.name)};
    if (hardware.size() == 1) {
        m_rings.set_device(hardware.front().ring, "?1");
        // of what comes under the bare name now nobody knows the device
        const RingId bare = m_rings.intern(like.trace, "", text);
        m_rings.at(bare).driver = like.driver;
        m_rings.at(bare).is_fifo = false;
        m_rings.at(bare).is_split = true;
    }
    const RingId next = m_rings.intern(like.trace, "?" + std::to_string(hardware.size() + 1), text);
    m_rings.set_driver(next, m_rings.text(like.driver));
    hardware.push_back({hardware_context, next});
    return next;
}

void SharedRings::note_hardware(TraceId trace, std::string_view name, std::uint64_t context)
{
    const auto found = std::ranges::find_if(m_fences, [&](const FencesOfName& known) {
        return known.trace == trace && known.name == name;
    });
    if (found == m_fences.end()) {
        if (m_fences.size() < most_names) {
            m_fences.push_back({trace, std::string{name}, context});
        }
        return;
    }
    if (found->has_others || found->context == context) {
        return;
    }
    found->has_others = true;
    // Where the ring of that name is of the only device, each of its jobs may have a context.
    const RingId ring = m_rings.intern(trace, "", name);
    if (!m_rings.has_device(ring)) {
        m_rings.at(ring).is_fifo = false;
    }
}

void SharedRings::set_kernel_release(TraceId trace, std::string_view release)
{
    unsigned major = 0;
    unsigned minor = 0;
    const char* const end = release.data() + release.size();
    const auto first = std::from_chars(release.data(), end, major);
    const bool has_minor = first.ec == std::errc{} && first.ptr != end && *first.ptr == '.' &&
                           std::from_chars(first.ptr + 1, end, minor).ec == std::errc{};
    m_kernels[trace].has_job_counts = has_minor && (major < 6 || (major == 6 && minor < 8));
}

} // namespace lttng_gpu::model
