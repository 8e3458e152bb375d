// SPDX-License-Identifier: MIT
//
// See ring_table.hpp.
#include "ring_table.hpp"

#include "../base/byte_hash.hpp"

#include <algorithm>
#include <utility>

namespace lttng_gpu::model {
namespace {

std::uint64_t hash_of(TraceId trace, std::string_view device, std::string_view name)
{
    return hash_bytes(hash_bytes(trace.value(), device), name);
}

/// A pointer in the place of the name: 0x1f00, or as libtraceevent and the kernel's %p print it,
/// all digits of it.
bool is_address(std::string_view name)
{
    const bool has_prefix = name.starts_with("0x");
    const std::string_view digits = name.substr(has_prefix ? 2 : 0);
    return (has_prefix ? !digits.empty() : digits.size() == 8 || digits.size() == 16) &&
           digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

} // namespace

RingId* RingTable::find(std::uint64_t hash, TraceId trace, std::string_view device,
                        std::string_view name)
{
    return m_ids.find_if(hash, [&](TraceId other, RingId ring) {
        const Names& names = m_names[ring.value()];
        return other == trace && names.name == name && names.device == device;
    });
}

RingId RingTable::intern(TraceId trace, std::string_view device, std::string_view name)
{
    if (device.size() > ShortText::longest || name.size() > ShortText::longest) {
        return intern_slowly(trace, device, name);
    }
    const ShortText short_device{device};
    const ShortText short_name{name};
    const std::uint64_t hash =
        mix_hash(5 * short_device.digest() + trace.value(), short_name.digest());
    std::array<Known, 2>& pair = m_known[hash_place(hash, place_bits)];
    for (const Known& known : pair) {
        if (known.name == short_name && known.device == short_device && known.trace == trace) {
            return known.ring;
        }
    }
    pair[1] = pair[0];
    pair[0] = {short_device, short_name, trace, intern_slowly(trace, device, name)};
    return pair[0].ring;
}

RingId RingTable::intern_slowly(TraceId trace, std::string_view device, std::string_view name)
{
    if (device.empty() && !m_only_devices.empty()) {
        const auto only = m_only_devices.find({trace, std::string{name}});
        if (only != m_only_devices.end()) {
            return intern_slowly(trace, only->second, name);
        }
    }
    const std::uint64_t hash = hash_of(trace, device, name);
    if (const RingId* known = find(hash, trace, device, name)) {
        return *known;
    }
    const RingId ring{static_cast<std::uint32_t>(m_rings.size())};
    const StringId shown = m_strings.intern(name);
    m_rings.push_back({.trace = trace,
                       .device = m_strings.intern(device),
                       .name = shown,
                       .driver = {},
                       .shown = shown,
                       .is_number = is_address(name)});
    m_names.push_back({std::string{device}, std::string{name}, {}, {}, {}});
    m_has_numbers = m_has_numbers || is_address(name);
    m_ids.insert(hash, trace, ring);
    return ring;
}

void RingTable::set_driver(RingId ring, std::string_view driver)
{
    Names& names = m_names[ring.value()];
    const bool is_short = driver.size() <= ShortText::longest;
    const ShortText short_driver = is_short ? ShortText{driver} : ShortText{};
    if (driver.empty() ||
        (is_short ? names.short_driver == short_driver : names.driver == driver)) {
        return;
    }
    names.driver = driver;
    names.short_driver = short_driver;
    const bool is_first = at(ring).driver == StringId{};
    at(ring).driver = m_strings.intern(driver);
    m_has_names = m_has_names || !at(ring).is_number;
    if (is_first && m_has_numbers) {
        make_way(ring);
    }
    if (std::ranges::find(m_firmware_drivers, driver) != m_firmware_drivers.end()) {
        set_firmware_scheduled(ring);
    }
}

RingId RingTable::set_device(RingId ring, std::string_view device)
{
    Names& names = m_names[ring.value()];
    if (names.device == device) {
        return ring;
    }
    const TraceId trace = at(ring).trace;
    const std::uint64_t hash = hash_of(trace, device, names.name);
    if (const RingId* known = find(hash, trace, device, names.name)) {
        return *known;
    }
    m_ids.erase_if(hash_of(trace, names.device, names.name),
                   [&](TraceId, RingId other) { return other == ring; });
    m_known.fill({});
    names.device = device;
    at(ring).device = m_strings.intern(device);
    m_ids.insert(hash, trace, ring);
    return ring;
}

bool RingTable::is_same_name(RingId first, RingId second) const
{
    const Ring& one = at(first);
    const Ring& other = at(second);
    const bool is_same_device =
        one.device == other.device || one.device == StringId{} || other.device == StringId{};
    const bool is_same =
        one.name == other.name || is_called(first, second) || is_called(second, first);
    return one.trace == other.trace && is_same && is_same_device;
}

bool RingTable::is_called(RingId number, RingId named) const
{
    const Names& names = m_names[number.value()];
    return at(number).is_number && !names.told.empty() && !names.is_doubtful &&
           names.told == m_names[named.value()].name;
}

bool RingTable::take_name(RingId ring, std::string_view name, NameSource source)
{
    Names& names = m_names[ring.value()];
    if (source < names.source || (source == names.source && names.told == name)) {
        return true;
    }
    if (name.empty() || is_address(name)) {
        return true;
    }
    if (source == names.source) {
        at(ring).shown = at(ring).name;
        return std::exchange(names.is_doubtful, true);
    }
    names.source = source;
    names.is_doubtful = false;
    if (names.told != name) {
        names.told = name;
        names.place = 0;
        give_place(ring);
    }
    show(ring);
    return true;
}

/// Rings of one trace and one device that are shown under one name are numbered in the order in
/// which they got it. A ring whose events have that name is the first of them, whenever it comes;
/// without a driver it is only what fences call their timeline.
void RingTable::give_place(RingId ring)
{
    const std::string& told = m_names[ring.value()].told;
    std::uint32_t last = 0;
    for (std::uint32_t index = 0; index < m_rings.size(); ++index) {
        const Ring& other = m_rings[index];
        if (other.trace != at(ring).trace || other.device != at(ring).device) {
            continue;
        }
        if (other.is_number && m_names[index].told == told) {
            last = std::max(last, m_names[index].place);
        } else if (m_names[index].name == told && other.driver != StringId{}) {
            last = std::max(last, 1U);
        }
    }
    m_names[ring.value()].place = last + 1;
}

void RingTable::show(RingId ring)
{
    const Names& names = m_names[ring.value()];
    const std::string number = names.place > 1 ? " #" + std::to_string(names.place) : "";
    at(ring).shown = m_strings.intern(names.told + number);
}

void RingTable::make_way(RingId named)
{
    for (std::uint32_t index = 0; index < m_rings.size(); ++index) {
        const RingId ring{index};
        if (is_called(ring, named) && m_names[index].place == 1 && is_same_name(ring, named)) {
            give_place(ring);
            show(ring);
        }
    }
}

} // namespace lttng_gpu::model
