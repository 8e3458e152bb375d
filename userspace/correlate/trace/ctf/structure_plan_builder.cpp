// SPDX-License-Identifier: MIT
//
// See structure_plan_builder.hpp. Alignments in CTF count from the beginning of the packet.
// Inside a run they are settled here, because a run begins aligned to the largest
// alignment in it that could be known; after something of variable size a new run
// begins with what its first member needs. What a class of fields becomes is in
// structure_plan_fields.cpp.
#include "structure_plan_builder.hpp"

#include "field_size.hpp"
#include "overloaded.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace lttng_gpu::trace::ctf {

/// Steps made by `fill` go to the pool, not into the block under construction.
Block StructurePlanBuilder::make_block(const std::function<void()>& fill)
{
    close_run();
    std::vector<Step> outer = std::exchange(m_steps, {});
    fill();
    close_run();
    const Block block{static_cast<std::uint32_t>(m_plan.steps.size()),
                      static_cast<std::uint32_t>(m_steps.size())};
    m_plan.steps.insert(m_plan.steps.end(), m_steps.begin(), m_steps.end());
    m_steps = std::move(outer);
    return block;
}

void StructurePlanBuilder::add_scope(const FieldClass* scope, const LeafChooser& choose,
                                     bool is_all)
{
    if (scope == nullptr) {
        return;
    }
    align(alignment_of(*scope));
    const auto* structure = std::get_if<StructureClass>(&scope->kind);
    if (structure == nullptr) {
        add(*scope, {}, is_all);
        return;
    }
    for (const Member& member : structure->members) {
        add(*member.type, choose ? choose(member.name, *member.type) : LeafUse{}, is_all);
    }
}

StructurePlan StructurePlanBuilder::finish()
{
    close_run();
    m_plan.main = {static_cast<std::uint32_t>(m_plan.steps.size()),
                   static_cast<std::uint32_t>(m_steps.size())};
    m_plan.steps.insert(m_plan.steps.end(), m_steps.begin(), m_steps.end());
    m_steps.clear();
    return std::move(m_plan);
}

/// Something in it keeps its value for a later field or has a role.
bool StructurePlanBuilder::must_be_read(const FieldClass& type) const
{
    const auto has_role = [&](Role role) { return m_with_roles && role != Role::None; };
    return std::visit(
        Overloaded{
            [&](const IntegerClass& kind) { return kind.keeps.has_value() || has_role(kind.role); },
            [&](const VariableIntegerClass& kind) {
                return kind.keeps.has_value() || has_role(kind.role);
            },
            [&](const StaticBlobClass& kind) { return has_role(kind.role); },
            [&](const ArrayClass& kind) {
                return has_role(kind.role) || must_be_read(*kind.element);
            },
            [&](const StructureClass& kind) {
                return std::any_of(
                    kind.members.begin(), kind.members.end(),
                    [&](const Member& member) { return must_be_read(*member.type); });
            },
            [](const auto&) { return false; },
        },
        type.kind);
}

LeafUse StructurePlanBuilder::role_use(Role role, LeafUse use) const
{
    if (!m_with_roles || role == Role::None) {
        return use;
    }
    if (role == Role::EventClassId) {
        return {Target::EventId, 0};
    }
    return role == Role::Timestamp ? LeafUse{Target::Timestamp, 0}
                                   : LeafUse{Target::Slot, static_cast<std::uint32_t>(role)};
}

bool StructurePlanBuilder::add_uuid(std::uint64_t bytes, Role role)
{
    constexpr std::uint64_t uuid_bytes = 16;
    if (!m_with_roles || role != Role::TraceUuid || bytes != uuid_bytes) {
        return false;
    }
    add_text_array(bytes, 8, role_use(role, {}), false);
    m_steps.back().bits = 0;
    return true;
}

void StructurePlanBuilder::add(const FieldClass& type, LeafUse use, bool is_all)
{
    // What nobody wants and nothing depends on is one gap.
    if (!is_wanted(use, is_all) && !must_be_read(type)) {
        if (const auto bits = fixed_bits(type)) {
            place(*bits, alignment_of(type));
            return;
        }
    }
    std::visit([&](const auto& kind) { add_kind(kind, use, is_all); }, type.kind);
}

void StructurePlanBuilder::use_leaf(Step& step, LeafUse use, bool is_all)
{
    step.target = use.target;
    step.index = use.index;
    step.is_appended = is_all;
}

void StructurePlanBuilder::keep(Step step, std::optional<Register> reg)
{
    if (reg) {
        step.target = Target::Kept;
        step.is_appended = false;
        step.index = *reg;
        push(step);
        if (m_run) {
            ++m_steps[*m_run].index;
        }
    }
}

void StructurePlanBuilder::append_none(LeafUse use, bool is_all)
{
    if (!is_all) {
        return;
    }
    align(1);
    Step step;
    step.op = Op::ReadNone;
    use_leaf(step, use, is_all);
    push(step);
    ++m_steps[*m_run].index;
}

void StructurePlanBuilder::align(std::uint32_t alignment)
{
    if (m_run && alignment > m_run_alignment && m_run_bits > 0) {
        close_run();
    }
    if (!m_run) {
        m_run = m_steps.size();
        m_run_bits = 0;
        m_run_alignment = alignment;
        push(Step{});
        return;
    }
    m_run_alignment = std::max(m_run_alignment, alignment);
    m_run_bits = align_up(m_run_bits, alignment);
}

std::uint64_t StructurePlanBuilder::place(std::uint64_t bits, std::uint32_t alignment)
{
    align(alignment);
    const std::uint64_t offset = m_run_bits;
    m_run_bits = add_bits(m_run_bits, bits);
    return offset;
}

void StructurePlanBuilder::close_run()
{
    if (!m_run) {
        return;
    }
    Step& run = m_steps[*m_run];
    run.bits = static_cast<std::uint8_t>(std::countr_zero(m_run_alignment));
    run.argument = m_run_bits;
    if (m_run_bits == 0 && run.index == 0 && m_run_alignment == 1) {
        m_steps.pop_back(); // it says nothing
    }
    m_run.reset();
}

} // namespace lttng_gpu::trace::ctf
