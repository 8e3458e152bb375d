// SPDX-License-Identifier: MIT
//
// See ring_table.hpp.
#include "ring_table.hpp"

namespace lttng_gpu::model {

RingId RingTable::intern(TraceId trace, std::string_view device, std::string_view name)
{
    const StringId device_id = x_strings.intern(device);
    const StringId name_id = x_strings.intern(name);
    const RingId next{static_cast<std::uint32_t>(x_rings.size())};
    const auto [found, is_new] = x_ids.emplace(std::tuple{trace, device_id, name_id}, next);
    if (is_new) {
        x_rings.push_back({trace, device_id, name_id, {}});
    }
    return found->second;
}

void RingTable::set_driver(RingId ring, std::string_view driver)
{
    if (driver.empty()) {
        return;
    }
    at(ring).driver = x_strings.intern(driver);
    if (driver == "xe") {
        at(ring).is_fifo = false; // one scheduler per exec queue, all named by engine class
    }
}

} // namespace lttng_gpu::model
