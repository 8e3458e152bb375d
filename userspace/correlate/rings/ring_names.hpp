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
    explicit RingNames(const RingTable& rings) : m_rings{rings} {}

    const RingTable& rings() const { return m_rings; }

    std::string_view of(RingId ring)
    {
        const Ring& known = m_rings.at(ring);
        return m_rings.text(known.is_number ? shown_name(ring) : known.shown);
    }
    /// The name became known after a row had shown the number.
    bool is_late(RingId ring) const
    {
        const Ring& known = m_rings.at(ring);
        return kind_of(ring) == Kind::Number && known.shown != known.name;
    }

private:
    enum class Kind : std::uint8_t { NotShown, Number, Name };

    Kind kind_of(RingId ring) const
    {
        return ring.value() < m_kinds.size() ? m_kinds[ring.value()] : Kind::NotShown;
    }
    StringId shown_name(RingId ring)
    {
        const Ring& known = m_rings.at(ring);
        if (kind_of(ring) == Kind::NotShown) {
            m_kinds.resize(m_rings.all().size());
            m_kinds[ring.value()] = known.shown == known.name ? Kind::Number : Kind::Name;
        }
        return kind_of(ring) == Kind::Number ? known.name : known.shown;
    }

    const RingTable& m_rings;
    std::vector<Kind> m_kinds; // by ring
};

} // namespace lttng_gpu::model
