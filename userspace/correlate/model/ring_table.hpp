// SPDX-License-Identifier: MIT
//
// The rings met so far. A ring is (trace, device, ring name), never the name
// alone: two GPUs both have a gfx_0.0.0. Facts learned about a ring on the way
// (its driver, whether it completes in order) are kept beside its name.
#pragma once

#include "../base/string_pool.hpp"

#include <deque>
#include <map>
#include <tuple>

namespace lttng_gpu::model {

struct Ring {
    TraceId trace;
    StringId device; // empty text: the event does not say
    StringId name;
    StringId driver;
    bool is_fifo = true; // false: the driver promises no order on this name
    std::uint64_t fifo_violations = 0;
};

class RingTable {
public:
    explicit RingTable(StringPool& strings) : x_strings{strings} {}

    RingId intern(TraceId trace, std::string_view device, std::string_view name);
    /// Some drivers put many independent schedulers under one ring name.
    void set_driver(RingId ring, std::string_view driver);

    Ring& at(RingId ring) { return x_rings.at(ring.value()); }
    const Ring& at(RingId ring) const { return x_rings.at(ring.value()); }
    const std::deque<Ring>& all() const { return x_rings; }
    std::string_view text(StringId id) const { return x_strings.at(id); }

private:
    StringPool& x_strings;
    std::deque<Ring> x_rings;
    std::map<std::tuple<TraceId, StringId, StringId>, RingId> x_ids;
};

} // namespace lttng_gpu::model
