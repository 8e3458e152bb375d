// SPDX-License-Identifier: MIT
//
// Gives registers to the fields that later fields depend on. Fields of which
// one is there at a time (in the options of a variant) share a register; that
// is found out late, so registers are joined as needed and numbered at the end.
#pragma once

#include "bound_field.hpp"

namespace lttng_gpu::trace::ctf {

class RegisterTable {
public:
    /// The field at `use` takes its value from whichever of the integers `kept` is there.
    /// Both stay where they are until number().
    void connect(const std::vector<BoundField*>& kept, Register& use);

    /// Writes the final numbers into all fields; their count.
    Register number();

private:
    Register shared(const std::vector<BoundField*>& kept);
    Register canonical(Register number);

    std::vector<Register> m_joined; // each points to itself or to a smaller one
    std::vector<Register*> m_places;
};

} // namespace lttng_gpu::trace::ctf
