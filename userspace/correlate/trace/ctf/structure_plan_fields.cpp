// SPDX-License-Identifier: MIT
//
// The steps of each class of fields, see structure_plan_builder.hpp.
#include "structure_plan_builder.hpp"

#include "field_size.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace lttng_gpu::trace::ctf {
namespace {

bool is_text_element(const FieldClass& element)
{
    const auto* integer = std::get_if<IntegerClass>(&element.kind);
    return integer != nullptr && integer->is_character && integer->bits == 8 &&
           integer->alignment <= 8;
}

} // namespace

void StructurePlanBuilder::add_kind(const IntegerClass& kind, LeafUse wish, bool is_all)
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

void StructurePlanBuilder::add_kind(const VariableIntegerClass& kind, LeafUse wish, bool is_all)
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

void StructurePlanBuilder::add_kind(const RealClass& kind, LeafUse use, bool is_all)
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

void StructurePlanBuilder::add_kind(const StringClass& kind, LeafUse use, bool is_all)
{
    close_run();
    Step step;
    step.op = Op::String;
    step.bits = static_cast<std::uint8_t>(8 * kind.unit_bytes);
    use_leaf(step, use, is_all);
    push(step);
}

void StructurePlanBuilder::add_kind(const StructureClass& kind, LeafUse, bool is_all)
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

void StructurePlanBuilder::add_text_array(std::uint64_t bytes, std::uint32_t alignment, LeafUse use,
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

void StructurePlanBuilder::add_kind(const ArrayClass& kind, LeafUse use, bool is_all)
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

void StructurePlanBuilder::add_kept_bytes(Register bytes, std::uint32_t unit_bytes, LeafUse use,
                                          bool is_all, bool is_text)
{
    close_run();
    Step step;
    step.op = Op::KeptText;
    step.bits = static_cast<std::uint8_t>(is_text && unit_bytes == 1 ? 8 : 0);
    step.side = bytes;
    use_leaf(step, use, is_all);
    push(step);
}

void StructurePlanBuilder::add_kind(const SequenceClass& kind, LeafUse use, bool is_all)
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

void StructurePlanBuilder::add_kind(const StaticTextClass& kind, LeafUse use, bool is_all)
{
    if (kind.unit_bytes != 1) {
        place(multiply_bits(kind.bytes, 8), 8);
        append_none(use, is_all);
        return;
    }
    add_text_array(kind.bytes, 8, use, is_all);
}

void StructurePlanBuilder::add_kind(const DynamicTextClass& kind, LeafUse use, bool is_all)
{
    add_kept_bytes(kind.bytes, kind.unit_bytes, use, is_all, true);
}

void StructurePlanBuilder::add_kind(const StaticBlobClass& kind, LeafUse use, bool is_all)
{
    if (add_uuid(kind.bytes, kind.role)) {
        return;
    }
    place(multiply_bits(kind.bytes, 8), 8);
    append_none(use, is_all);
}

void StructurePlanBuilder::add_kind(const DynamicBlobClass& kind, LeafUse use, bool is_all)
{
    add_kept_bytes(kind.bytes, 1, use, is_all, false);
}

void StructurePlanBuilder::add_kind(const VariantClass& kind, LeafUse, bool is_all)
{
    close_run();
    Choice choice{kind.tag, kind.is_tag_signed, false, {}};
    for (const VariantOption& option : kind.options) {
        add_option(choice, option.ranges, *option.type, is_all);
    }
    push_choice(std::move(choice));
}

void StructurePlanBuilder::add_kind(const OptionalClass& kind, LeafUse, bool is_all)
{
    close_run();
    Choice choice{kind.selector, kind.is_selector_signed, true, {}};
    add_option(choice, kind.ranges, *kind.type, is_all);
    push_choice(std::move(choice));
}

void StructurePlanBuilder::add_option(Choice& choice, const std::vector<ValueRange>& ranges,
                                      const FieldClass& type, bool is_all)
{
    const Block block = make_block([&] { add(type, {}, is_all); });
    for (const ValueRange& range : ranges) {
        choice.options.emplace_back(range, block);
    }
}

void StructurePlanBuilder::push_choice(Choice choice)
{
    Step step;
    step.op = Op::Choose;
    step.side = static_cast<std::uint32_t>(m_plan.choices.size());
    m_plan.choices.push_back(std::move(choice));
    push(step);
}

} // namespace lttng_gpu::trace::ctf
