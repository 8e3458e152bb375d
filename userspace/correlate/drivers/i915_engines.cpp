// SPDX-License-Identifier: MIT
//
// See i915_engines.hpp. Engines are called as in sysfs: the class of
// i915_drm.h's enum drm_i915_gem_engine_class and the instance.
#include "i915_engines.hpp"

#include <array>

namespace lttng_gpu::model {
namespace {

constexpr std::array<std::string_view, 5> class_names{"rcs", "bcs", "vcs", "vecs", "ccs"};
/// enum intel_engine_id; VECS moved from 4 to make room for VCS3 when the events
/// were called i915_request_* already (v4.17).
constexpr std::array<std::string_view, 5> legacy_names{"rcs0", "bcs0", "vcs0", "vcs1", "vecs0"};
constexpr std::size_t most_engines = 4096;
constexpr std::size_t most_devices = 256;

std::string text_of(const I915Engines::Name& name)
{
    if (name.is_numbered) {
        return "ring " + std::to_string(name.instance);
    }
    if (name.engine_class == I915Engines::no_class) {
        const std::size_t sure = name.is_gem_event ? legacy_names.size() : 4;
        return name.instance < sure ? std::string{legacy_names[name.instance]}
                                    : std::to_string(name.instance);
    }
    if (name.engine_class < class_names.size()) {
        return std::string{class_names[name.engine_class]} + std::to_string(name.instance);
    }
    return std::to_string(name.engine_class) + ":" + std::to_string(name.instance);
}

} // namespace

I915Engines::Device& I915Engines::device_of(TraceId trace, std::uint32_t minor)
{
    for (Device& device : m_devices) {
        if (device.trace == trace && device.minor == minor) {
            return device;
        }
    }
    if (m_devices.size() < most_devices) {
        m_devices.push_back({trace, minor, "card" + std::to_string(minor)});
    }
    return m_devices.back();
}

I915Engine& I915Engines::at(RingTable& rings, const Name& name)
{
    const std::uint64_t hash =
        mix_hash(mix_hash(name.trace.value(), std::uint64_t{name.device} << 32U | name.instance),
                 name.engine_class);
    if (const std::uint32_t* known = m_names.find(hash, name)) {
        return m_engines[*known];
    }
    if (m_engines.size() >= most_engines) {
        return m_unknown;
    }
    m_names.insert(hash, name, static_cast<std::uint32_t>(m_engines.size()));
    I915Engine& engine = m_engines.emplace_back();
    engine.device = name.device;
    engine.ring = rings.intern(name.trace, device_of(name.trace, name.device).name, text_of(name));
    rings.set_driver(engine.ring, "i915");
    return engine;
}

void I915Engines::set_device_name(RingTable& rings, TraceId trace, std::uint32_t device,
                                  std::string_view name)
{
    Device& known = device_of(trace, device);
    if (name.empty() || known.name == name) {
        return;
    }
    known.name = name;
    for (I915Engine& engine : m_engines) {
        if (engine.device == device && rings.at(engine.ring).trace == trace) {
            engine.ring = rings.set_device(engine.ring, name);
        }
    }
}

} // namespace lttng_gpu::model
