// SPDX-License-Identifier: MIT
#include "structure_plan.hpp"

#include <algorithm>
#include <set>

namespace lttng_gpu::trace::ctf {

bool needs_outer_registers(const StructurePlan& plan)
{
    std::set<Register> filled;
    std::set<Register> needed;
    for (const Step& step : plan.steps) {
        if (step.op == Op::KeptText) {
            needed.insert(step.side);
        } else if (step.op == Op::VariableInteger && step.argument > 0) {
            filled.insert(static_cast<Register>(step.argument - 1));
        }
        if (step.target == Target::Kept) {
            filled.insert(step.index);
        }
    }
    for (const KeptCount& kept : plan.kept_counts) {
        needed.insert(kept.count);
    }
    for (const Choice& choice : plan.choices) {
        needed.insert(choice.selector);
    }
    return !std::includes(filled.begin(), filled.end(), needed.begin(), needed.end());
}

} // namespace lttng_gpu::trace::ctf
