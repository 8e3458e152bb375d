// SPDX-License-Identifier: MIT
//
// See decode_plan.hpp. Alignments in CTF count from the beginning of the packet.
// Inside a run they are settled here, because a run begins aligned to the largest
// alignment in it that could be known; after something of variable size a new run
// begins with what its first member needs.
#include "decode_plan.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <set>
#include <utility>

namespace lttng_gpu::trace::ctf {
namespace {

/// Sizes that no packet can have stay that large and fail when they are read.
constexpr std::uint64_t too_large = std::uint64_t{1} << 62U;

std::uint64_t add_bits(std::uint64_t first, std::uint64_t second)
{
    return std::min(first + std::min(second, too_large), too_large);
}

std::uint64_t multiply_bits(std::uint64_t bits, std::uint64_t count)
{
    std::uint64_t product = 0;
    return __builtin_mul_overflow(bits, count, &product) ? too_large : std::min(product, too_large);
}

std::uint64_t align_up(std::uint64_t bits, std::uint32_t alignment)
{
    return (bits + alignment - 1) & ~(std::uint64_t{alignment} - 1);
}

template <typename... Handlers> struct Overloaded : Handlers... {
    using Handlers::operator()...;
};
template <typename... Handlers> Overloaded(Handlers...) -> Overloaded<Handlers...>;

bool is_text_element(const FieldClass& element)
{
    const auto* integer = std::get_if<IntegerClass>(&element.kind);
    return integer != nullptr && integer->is_character && integer->bits == 8 &&
           integer->alignment <= 8;
}

/// Bits of a field of this class when every one has the same; its beginning is aligned.
std::optional<std::uint64_t> fixed_bits(const FieldClass& type);

std::optional<std::uint64_t> fixed_bits_of_elements(const FieldClass& element, std::uint64_t count)
{
    const auto bits = fixed_bits(element);
    if (!bits) {
        return {};
    }
    if (count == 0) {
        return 0;
    }
    return add_bits(multiply_bits(align_up(*bits, alignment_of(element)), count - 1), *bits);
}

std::optional<std::uint64_t> fixed_bits(const FieldClass& type)
{
    return std::visit(
        Overloaded{
            [](const IntegerClass& kind) { return std::optional{std::uint64_t{kind.bits}}; },
            [](const RealClass& kind) { return std::optional{std::uint64_t{kind.bits}}; },
            [](const StaticTextClass& kind) { return std::optional{multiply_bits(kind.bytes, 8)}; },
            [](const StaticBlobClass& kind) { return std::optional{multiply_bits(kind.bytes, 8)}; },
            [](const ArrayClass& kind) {
                return fixed_bits_of_elements(*kind.element, kind.length);
            },
            [](const StructureClass& kind) {
                std::optional<std::uint64_t> bits = 0;
                for (const Member& member : kind.members) {
                    const auto more = fixed_bits(*member.type);
                    if (!more) {
                        return std::optional<std::uint64_t>{};
                    }
                    bits = add_bits(align_up(*bits, alignment_of(*member.type)), *more);
                }
                return bits;
            },
            [](const auto&) { return std::optional<std::uint64_t>{}; },
        },
        type.kind);
}

} // namespace

bool is_number_list(const FieldClass& type)
{
    const auto* sequence = std::get_if<SequenceClass>(&type.kind);
    if (sequence == nullptr) {
        return false;
    }
    const auto* element = std::get_if<IntegerClass>(&sequence->element->kind);
    return element != nullptr && !element->is_signed && element->bits == 64 &&
           element->byte_order == ByteOrder::Little && element->alignment % 8 == 0 &&
           element->alignment <= 64;
}

bool needs_outer_registers(const DecodePlan& plan)
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

std::uint32_t alignment_of(const FieldClass& type)
{
    static constexpr std::uint32_t byte = 8;
    return std::visit(Overloaded{
                          [](const IntegerClass& kind) { return kind.alignment; },
                          [](const RealClass& kind) { return kind.alignment; },
                          [](const StructureClass& kind) {
                              std::uint32_t alignment = kind.alignment;
                              for (const Member& member : kind.members) {
                                  alignment = std::max(alignment, alignment_of(*member.type));
                              }
                              return alignment;
                          },
                          [](const ArrayClass& kind) {
                              return std::max(kind.alignment, alignment_of(*kind.element));
                          },
                          [](const SequenceClass& kind) {
                              return std::max(kind.alignment, alignment_of(*kind.element));
                          },
                          // The options of a variant align themselves.
                          [](const VariantClass&) { return std::uint32_t{1}; },
                          [](const OptionalClass&) { return std::uint32_t{1}; },
                          [](const auto&) { return byte; },
                      },
                      type.kind);
}

/// Steps made by `fill` go to the pool, not into the block under construction.
template <typename Fill> Block PlanBuilder::make_block(Fill fill)
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

void PlanBuilder::add_scope(const FieldClass* scope, const LeafChooser& choose, bool is_all)
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

DecodePlan PlanBuilder::finish()
{
    close_run();
    m_plan.main = {static_cast<std::uint32_t>(m_plan.steps.size()),
                   static_cast<std::uint32_t>(m_steps.size())};
    m_plan.steps.insert(m_plan.steps.end(), m_steps.begin(), m_steps.end());
    m_steps.clear();
    return std::move(m_plan);
}

/// Something in it keeps its value for a later field or has a role.
bool PlanBuilder::must_be_read(const FieldClass& type) const
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

LeafUse PlanBuilder::role_use(Role role, LeafUse use) const
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

bool PlanBuilder::add_uuid(std::uint64_t bytes, Role role)
{
    constexpr std::uint64_t uuid_bytes = 16;
    if (!m_with_roles || role != Role::TraceUuid || bytes != uuid_bytes) {
        return false;
    }
    add_text_array(bytes, 8, role_use(role, {}), false);
    m_steps.back().bits = 0;
    return true;
}

void PlanBuilder::add(const FieldClass& type, LeafUse use, bool is_all)
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

void PlanBuilder::use_leaf(Step& step, LeafUse use, bool is_all)
{
    step.target = use.target;
    step.index = use.index;
    step.is_appended = is_all;
}

void PlanBuilder::keep(Step step, std::optional<Register> reg)
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

void PlanBuilder::append_none(LeafUse use, bool is_all)
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

void PlanBuilder::add_kind(const IntegerClass& kind, LeafUse wish, bool is_all)
{
    const LeafUse use = role_use(kind.role, wish);
    Step step;
    step.argument = place(kind.bits, kind.alignment);
    step.bits = static_cast<std::uint8_t>(kind.bits);
    step.byte_order = kind.byte_order;
    step.is_signed = kind.is_signed;
    const bool is_whole = kind.bits == 8 || kind.bits == 16 || kind.bits == 32 || kind.bits == 64;
    const bool is_byte_aligned = step.argument % 8 == 0 && m_run_alignment >= 8;
    step.op = is_whole && is_byte_aligned ? Op::ReadByteAligned : Op::ReadBits;
    if (is_wanted(use, is_all)) {
        Step read = step;
        read.side = use.enumeration;
        use_leaf(read, use, is_all);
        push(read);
        ++m_steps[*m_run].index;
    }
    keep(step, kind.keeps);
}

void PlanBuilder::add_kind(const VariableIntegerClass& kind, LeafUse wish, bool is_all)
{
    const LeafUse use = role_use(kind.role, wish);
    close_run();
    Step step;
    step.op = Op::VariableInteger;
    step.is_signed = kind.is_signed;
    step.side = use.enumeration;
    use_leaf(step, use, is_all);
    step.argument = kind.keeps ? *kind.keeps + std::uint64_t{1} : 0;
    push(step);
}

void PlanBuilder::add_kind(const RealClass& kind, LeafUse use, bool is_all)
{
    Step step;
    step.argument = place(kind.bits, kind.alignment);
    if (!is_wanted(use, is_all)) {
        return;
    }
    step.op = kind.bits == 32 || kind.bits == 64 ? Op::ReadReal : Op::ReadNone;
    step.bits = static_cast<std::uint8_t>(kind.bits);
    step.byte_order = kind.byte_order;
    use_leaf(step, use, is_all);
    push(step);
    ++m_steps[*m_run].index;
}

void PlanBuilder::add_kind(const StringClass& kind, LeafUse use, bool is_all)
{
    close_run();
    Step step;
    step.op = Op::String;
    step.bits = static_cast<std::uint8_t>(8 * kind.unit_bytes);
    use_leaf(step, use, is_all);
    push(step);
}

void PlanBuilder::add_kind(const StructureClass& kind, LeafUse, bool is_all)
{
    std::uint32_t alignment = kind.alignment;
    for (const Member& member : kind.members) {
        alignment = std::max(alignment, alignment_of(*member.type));
    }
    align(alignment);
    for (const Member& member : kind.members) {
        add(*member.type, {}, is_all);
    }
}

void PlanBuilder::add_text_array(std::uint64_t bytes, std::uint32_t alignment, LeafUse use,
                                 bool is_all)
{
    Step step;
    step.op = Op::ReadText;
    step.bits = 8;
    step.argument = place(multiply_bits(bytes, 8), alignment);
    step.side = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(bytes, std::numeric_limits<std::uint32_t>::max()));
    use_leaf(step, use, is_all);
    push(step);
    ++m_steps[*m_run].index;
}

void PlanBuilder::add_kind(const ArrayClass& kind, LeafUse use, bool is_all)
{
    if (add_uuid(kind.length, kind.role)) {
        return;
    }
    const std::uint32_t alignment = std::max(kind.alignment, alignment_of(*kind.element));
    if (is_text_element(*kind.element)) {
        add_text_array(kind.length, std::max(alignment, std::uint32_t{8}), use, is_all);
        return;
    }
    align(alignment);
    close_run();
    const Block block = make_block([&] {
        align(alignment_of(*kind.element));
        add(*kind.element, {}, is_all);
    });
    Step step;
    step.op = Op::Repeat;
    step.side = static_cast<std::uint32_t>(m_plan.repeated.size());
    step.argument = kind.length;
    m_plan.repeated.push_back(block);
    push(step);
}

void PlanBuilder::add_kept_bytes(Register bytes, std::uint32_t unit_bytes, LeafUse use, bool is_all,
                                 bool is_text)
{
    close_run();
    Step step;
    step.op = Op::KeptText;
    step.bits = static_cast<std::uint8_t>(is_text && unit_bytes == 1 ? 8 : 0);
    step.side = bytes;
    use_leaf(step, use, is_all);
    push(step);
}

void PlanBuilder::add_kind(const SequenceClass& kind, LeafUse use, bool is_all)
{
    const std::uint32_t alignment = std::max(kind.alignment, alignment_of(*kind.element));
    if (is_text_element(*kind.element)) {
        add_kept_bytes(kind.length, 1, use, is_all, true);
        return;
    }
    close_run();
    KeptCount kept;
    kept.count = kind.length;
    kept.alignment = alignment;
    Step step;
    const auto bits = fixed_bits(*kind.element);
    if (bits && !is_all && !must_be_read(*kind.element)) {
        step.op = use.target == Target::Slot ? Op::KeptNumbers : Op::Skip;
        step.target = use.target;
        step.index = use.index;
        kept.size = *bits;
        kept.stride = align_up(*bits, alignment_of(*kind.element));
    } else {
        step.op = Op::RepeatKept;
        kept.block = make_block([&] {
            align(alignment_of(*kind.element));
            add(*kind.element, {}, is_all);
        });
    }
    step.side = static_cast<std::uint32_t>(m_plan.kept_counts.size());
    m_plan.kept_counts.push_back(kept);
    push(step);
}

void PlanBuilder::add_kind(const StaticTextClass& kind, LeafUse use, bool is_all)
{
    if (kind.unit_bytes != 1) {
        place(multiply_bits(kind.bytes, 8), 8);
        append_none(use, is_all);
        return;
    }
    add_text_array(kind.bytes, 8, use, is_all);
}

void PlanBuilder::add_kind(const DynamicTextClass& kind, LeafUse use, bool is_all)
{
    add_kept_bytes(kind.bytes, kind.unit_bytes, use, is_all, true);
}

void PlanBuilder::add_kind(const StaticBlobClass& kind, LeafUse use, bool is_all)
{
    if (add_uuid(kind.bytes, kind.role)) {
        return;
    }
    place(multiply_bits(kind.bytes, 8), 8);
    append_none(use, is_all);
}

void PlanBuilder::add_kind(const DynamicBlobClass& kind, LeafUse use, bool is_all)
{
    add_kept_bytes(kind.bytes, 1, use, is_all, false);
}

void PlanBuilder::add_kind(const VariantClass& kind, LeafUse, bool is_all)
{
    close_run();
    Choice choice{kind.tag, kind.is_tag_signed, false, {}};
    for (const VariantOption& option : kind.options) {
        add_option(choice, option.ranges, *option.type, is_all);
    }
    push_choice(std::move(choice));
}

void PlanBuilder::add_kind(const OptionalClass& kind, LeafUse, bool is_all)
{
    close_run();
    Choice choice{kind.selector, kind.is_selector_signed, true, {}};
    add_option(choice, kind.ranges, *kind.type, is_all);
    push_choice(std::move(choice));
}

void PlanBuilder::add_option(Choice& choice, const std::vector<ValueRange>& ranges,
                             const FieldClass& type, bool is_all)
{
    const Block block = make_block([&] { add(type, {}, is_all); });
    for (const ValueRange& range : ranges) {
        choice.options.emplace_back(range, block);
    }
}

void PlanBuilder::push_choice(Choice choice)
{
    Step step;
    step.op = Op::Choose;
    step.side = static_cast<std::uint32_t>(m_plan.choices.size());
    m_plan.choices.push_back(std::move(choice));
    push(step);
}

void PlanBuilder::align(std::uint32_t alignment)
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

std::uint64_t PlanBuilder::place(std::uint64_t bits, std::uint32_t alignment)
{
    align(alignment);
    const std::uint64_t offset = m_run_bits;
    m_run_bits = add_bits(m_run_bits, bits);
    return offset;
}

void PlanBuilder::close_run()
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
