// SPDX-License-Identifier: MIT
#include "field_values.hpp"

#include <algorithm>

namespace lttng_gpu::trace::ctf {
namespace {

Enumeration enumeration_of(const Labels& labels, bool is_signed)
{
    Enumeration enumeration{is_signed, {}};
    for (const auto& [label, ranges] : labels) {
        for (const ValueRange& range : ranges) {
            enumeration.enumerators.push_back({range.lower, range.upper, label});
        }
    }
    return enumeration;
}

} // namespace

const Member* find_member(const FieldClassPtr& scope, std::string_view name)
{
    const auto* structure = scope == nullptr ? nullptr : std::get_if<StructureClass>(&scope->kind);
    if (structure == nullptr) {
        return nullptr;
    }
    const auto found = std::find_if(structure->members.begin(), structure->members.end(),
                                    [&](const Member& member) { return member.name == name; });
    return found == structure->members.end() ? nullptr : &*found;
}

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

bool is_leaf(const FieldClass& type)
{
    if (const auto* array = std::get_if<ArrayClass>(&type.kind)) {
        return std::holds_alternative<IntegerClass>(array->element->kind) &&
               std::get<IntegerClass>(array->element->kind).is_character;
    }
    if (const auto* sequence = std::get_if<SequenceClass>(&type.kind)) {
        return is_number_list(type) ||
               (std::holds_alternative<IntegerClass>(sequence->element->kind) &&
                std::get<IntegerClass>(sequence->element->kind).is_character);
    }
    return !std::holds_alternative<StructureClass>(type.kind) &&
           !std::holds_alternative<VariantClass>(type.kind) &&
           !std::holds_alternative<OptionalClass>(type.kind);
}

std::uint32_t number_of_enumeration(const FieldClass& type, EnumerationTable& enumerations)
{
    const auto number = [&](const auto& integer) {
        return integer.labels == nullptr
                   ? 0
                   : enumerations.add(enumeration_of(*integer.labels, integer.is_signed));
    };
    if (const auto* integer = std::get_if<IntegerClass>(&type.kind)) {
        return number(*integer);
    }
    const auto* variable = std::get_if<VariableIntegerClass>(&type.kind);
    return variable == nullptr ? 0 : number(*variable);
}

} // namespace lttng_gpu::trace::ctf
