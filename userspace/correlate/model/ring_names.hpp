// SPDX-License-Identifier: MIT
//
// The names of rings in rows that leave while the trace is read, when the name of a ring may
// still become known. A ring that a row has shown by its number keeps the number, so that it is
// one ring to who reads the rows. A report, made when all is known, needs none of this.
#pragma once

#include "ring_table.hpp"

#include <vector>

namespace lttng_gpu::model {

class RingNames {
public:
    explicit RingNames(const RingTable& rings) : x_rings{rings} {}

    const RingTable& rings() const { return x_rings; }

    std::string_view of(RingId ring)
    {
        const Ring& known = x_rings.at(ring);
        return x_rings.text(known.is_number ? shown_name(ring) : known.shown);
    }
    /// The name became known after a row had shown the number.
    bool is_late(RingId ring) const
    {
        const Ring& known = x_rings.at(ring);
        return kind_of(ring) == Kind::Number && known.shown != known.name;
    }

private:
    enum class Kind : std::uint8_t { NotShown, Number, Name };

    Kind kind_of(RingId ring) const
    {
        return ring.value() < x_kinds.size() ? x_kinds[ring.value()] : Kind::NotShown;
    }
    StringId shown_name(RingId ring)
    {
        const Ring& known = x_rings.at(ring);
        if (kind_of(ring) == Kind::NotShown) {
            x_kinds.resize(x_rings.all().size());
            x_kinds[ring.value()] = known.shown == known.name ? Kind::Number : Kind::Name;
        }
        return kind_of(ring) == Kind::Number ? known.name : known.shown;
    }

    const RingTable& x_rings;
    std::vector<Kind> x_kinds; // by ring
};

} // namespace lttng_gpu::model
