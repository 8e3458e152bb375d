// SPDX-License-Identifier: MIT
//
// See ring_table.hpp.
#include "ring_table.hpp"

#include "byte_hash.hpp"

namespace lttng_gpu::model {
namespace {

std::uint64_t hash_of(TraceId trace, std::string_view device, std::string_view name)
{
    return hash_bytes(hash_bytes(trace.value(), device), name);
}

} // namespace

RingId* RingTable::find(std::uint64_t hash, TraceId trace, std::string_view device,
                        std::string_view name)
{
    return x_ids.find_if(hash, [&](TraceId other, RingId ring) {
        const Names& names = x_names[ring.value()];
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
    std::array<Known, 2>& pair = x_known[hash_place(hash, place_bits)];
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
    const std::uint64_t hash = hash_of(trace, device, name);
    if (const RingId* known = find(hash, trace, device, name)) {
        return *known;
    }
    const RingId ring{static_cast<std::uint32_t>(x_rings.size())};
    x_rings.push_back({trace, x_strings.intern(device), x_strings.intern(name), {}});
    x_names.push_back({std::string{device}, std::string{name}, {}, {}});
    x_ids.insert(hash, trace, ring);
    return ring;
}

void RingTable::set_driver(RingId ring, std::string_view driver)
{
    Names& names = x_names[ring.value()];
    const bool is_short = driver.size() <= ShortText::longest;
    const ShortText short_driver = is_short ? ShortText{driver} : ShortText{};
    if (driver.empty() ||
        (is_short ? names.short_driver == short_driver : names.driver == driver)) {
        return;
    }
    names.driver = driver;
    names.short_driver = short_driver;
    at(ring).driver = x_strings.intern(driver);
    if (driver == "xe") {
        at(ring).is_fifo = false; // one scheduler per exec queue, all named by engine class
    }
}

RingId RingTable::set_device(RingId ring, std::string_view device)
{
    Names& names = x_names[ring.value()];
    if (names.device == device) {
        return ring;
    }
    const TraceId trace = at(ring).trace;
    const std::uint64_t hash = hash_of(trace, device, names.name);
    if (const RingId* known = find(hash, trace, device, names.name)) {
        return *known;
    }
    x_ids.erase_if(hash_of(trace, names.device, names.name),
                   [&](TraceId, RingId other) { return other == ring; });
    x_known.fill({});
    names.device = device;
    at(ring).device = x_strings.intern(device);
    x_ids.insert(hash, trace, ring);
    return ring;
}

bool RingTable::is_same_name(RingId first, RingId second) const
{
    const Ring& one = at(first);
    const Ring& other = at(second);
    const bool is_same_device =
        one.device == other.device || one.device == StringId{} || other.device == StringId{};
    return one.trace == other.trace && one.name == other.name && is_same_device;
}

} // namespace lttng_gpu::model
