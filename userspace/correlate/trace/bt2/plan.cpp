// SPDX-License-Identifier: MIT
//
// See plan.hpp. Field classes that hold others (arrays, variants) are none.
#include "plan.hpp"

#include "../wanted_pattern.hpp"

#include <array>
#include <bit>

namespace lttng_gpu::trace {
namespace {

/// Kernel traces carry pid/tid, user space traces vpid/vtid.
Bt2ContextMember find_context(const bt_event_class* event_class,
                              std::initializer_list<const char*> names)
{
    const bt_stream_class* stream_class = bt_event_class_borrow_stream_class_const(event_class);
    const bt_field_class* common =
        bt_stream_class_borrow_event_common_context_field_class_const(stream_class);
    const bt_field_class* specific =
        bt_event_class_borrow_specific_context_field_class_const(event_class);
    for (const char* name : names) {
        if (const Bt2Member member = find_member(common, name); member.kind != Bt2FieldKind::None) {
            return {member, false};
        }
        if (const Bt2Member member = find_member(specific, name);
            member.kind != Bt2FieldKind::None) {
            return {member, true};
        }
    }
    return {};
}

/// Sequences of unsigned 64-bit integers are lists, as with our own reader.
Bt2FieldKind kind_of_class(const bt_field_class* field_class)
{
    const auto type = bt_field_class_get_type(field_class);
    if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY) == BT_FALSE) {
        return kind_of(type);
    }
    const auto* element = bt_field_class_array_borrow_element_field_class_const(field_class);
    return bt_field_class_get_type(element) == BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER &&
                   bt_field_class_integer_get_field_value_range(element) == 64
               ? Bt2FieldKind::Numbers
               : Bt2FieldKind::None;
}

Enumeration unsigned_enumeration(const bt_field_class* type)
{
    Enumeration enumeration;
    const std::uint64_t count = bt_field_class_enumeration_get_mapping_count(type);
    for (std::uint64_t index = 0; index < count; ++index) {
        const auto* mapping =
            bt_field_class_enumeration_unsigned_borrow_mapping_by_index_const(type, index);
        const char* label = bt_field_class_enumeration_mapping_get_label(
            bt_field_class_enumeration_unsigned_mapping_as_mapping_const(mapping));
        const auto* ranges =
            bt_field_class_enumeration_unsigned_mapping_borrow_ranges_const(mapping);
        const auto range_count = bt_integer_range_set_get_range_count(
            bt_integer_range_set_unsigned_as_range_set_const(ranges));
        for (std::uint64_t at = 0; at < range_count; ++at) {
            const auto* range =
                bt_integer_range_set_unsigned_borrow_range_by_index_const(ranges, at);
            enumeration.enumerators.push_back({bt_integer_range_unsigned_get_lower(range),
                                               bt_integer_range_unsigned_get_upper(range), label});
        }
    }
    return enumeration;
}

Enumeration signed_enumeration(const bt_field_class* type)
{
    Enumeration enumeration{true, {}};
    const std::uint64_t count = bt_field_class_enumeration_get_mapping_count(type);
    for (std::uint64_t index = 0; index < count; ++index) {
        const auto* mapping =
            bt_field_class_enumeration_signed_borrow_mapping_by_index_const(type, index);
        const char* label = bt_field_class_enumeration_mapping_get_label(
            bt_field_class_enumeration_signed_mapping_as_mapping_const(mapping));
        const auto* ranges = bt_field_class_enumeration_signed_mapping_borrow_ranges_const(mapping);
        const auto range_count = bt_integer_range_set_get_range_count(
            bt_integer_range_set_signed_as_range_set_const(ranges));
        for (std::uint64_t at = 0; at < range_count; ++at) {
            const auto* range = bt_integer_range_set_signed_borrow_range_by_index_const(ranges, at);
            enumeration.enumerators.push_back(
                {static_cast<std::uint64_t>(bt_integer_range_signed_get_lower(range)),
                 static_cast<std::uint64_t>(bt_integer_range_signed_get_upper(range)), label});
        }
    }
    return enumeration;
}

/// 0 when the field is no enumeration.
std::uint32_t number_of_enumeration(const bt_field_class* type, EnumerationTable& enumerations)
{
    const auto kind = bt_field_class_get_type(type);
    if (bt_field_class_type_is(kind, BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION) != BT_FALSE) {
        return enumerations.add(unsigned_enumeration(type));
    }
    return bt_field_class_type_is(kind, BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION) != BT_FALSE
               ? enumerations.add(signed_enumeration(type))
               : 0;
}

} // namespace

Bt2FieldKind kind_of(bt_field_class_type type)
{
    constexpr std::array kinds{
        std::pair{BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER, Bt2FieldKind::Unsigned},
        std::pair{BT_FIELD_CLASS_TYPE_SIGNED_INTEGER, Bt2FieldKind::Signed},
        std::pair{BT_FIELD_CLASS_TYPE_STRING, Bt2FieldKind::Text},
        std::pair{BT_FIELD_CLASS_TYPE_BOOL, Bt2FieldKind::Boolean},
        std::pair{BT_FIELD_CLASS_TYPE_BIT_ARRAY, Bt2FieldKind::BitArray},
        std::pair{BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL, Bt2FieldKind::SingleReal},
        std::pair{BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL, Bt2FieldKind::DoubleReal}};
    for (const auto& [parent, kind] : kinds) {
        if (bt_field_class_type_is(type, parent) != BT_FALSE) {
            return kind;
        }
    }
    return Bt2FieldKind::None;
}

FieldValue read_leaf(const bt_field* field, Bt2FieldKind kind)
{
    switch (kind) {
    case Bt2FieldKind::Unsigned:
        return FieldValue{std::uint64_t{bt_field_integer_unsigned_get_value(field)}};
    case Bt2FieldKind::Signed:
        return FieldValue{std::int64_t{bt_field_integer_signed_get_value(field)}};
    case Bt2FieldKind::Boolean:
        return FieldValue{std::uint64_t{bt_field_bool_get_value(field) != BT_FALSE}};
    case Bt2FieldKind::BitArray:
        return FieldValue{std::uint64_t{bt_field_bit_array_get_value_as_integer(field)}};
    case Bt2FieldKind::SingleReal:
        return FieldValue{double{bt_field_real_single_precision_get_value(field)}};
    case Bt2FieldKind::DoubleReal:
        return FieldValue{bt_field_real_double_precision_get_value(field)};
    case Bt2FieldKind::Text:
        return FieldValue{
            std::string_view{bt_field_string_get_value(field), bt_field_string_get_length(field)}};
    case Bt2FieldKind::None:
    case Bt2FieldKind::Numbers:
    case Bt2FieldKind::EventName:
    case Bt2FieldKind::EveryLeaf:
        break;
    }
    return {};
}

void read_numbers(const bt_field* field, std::vector<std::uint64_t>& numbers)
{
    numbers.clear();
    const std::uint64_t count = bt_field_array_get_length(field);
    for (std::uint64_t index = 0; index < count; ++index) {
        std::uint64_t number = bt_field_integer_unsigned_get_value(
            bt_field_array_borrow_element_field_by_index_const(field, index));
        numbers.push_back(std::endian::native == std::endian::little ? number
                                                                     : __builtin_bswap64(number));
    }
}

Bt2Member find_member(const bt_field_class* structure, const char* name)
{
    if (structure == nullptr ||
        bt_field_class_get_type(structure) != BT_FIELD_CLASS_TYPE_STRUCTURE) {
        return {};
    }
    const std::uint64_t count = bt_field_class_structure_get_member_count(structure);
    for (std::uint64_t index = 0; index < count; ++index) {
        const auto* member =
            bt_field_class_structure_borrow_member_by_index_const(structure, index);
        if (std::string_view{bt_field_class_structure_member_get_name(member)} == name) {
            return {index, kind_of_class(
                               bt_field_class_structure_member_borrow_field_class_const(member))};
        }
    }
    return {};
}

FieldValue read_member(const bt_field* structure, Bt2Member member)
{
    if (structure == nullptr || member.kind == Bt2FieldKind::None) {
        return {};
    }
    return read_leaf(bt_field_structure_borrow_member_field_by_index_const(structure, member.index),
                     member.kind)
        .of_enumeration(member.enumeration);
}

Bt2Plans::Bt2Plans(std::vector<WantedEvent> wanted, EnumerationTable* enumerations)
    : m_wanted{std::move(wanted)}, m_enumerations{enumerations}
{
    for (std::size_t index = 0; index < m_wanted.size(); ++index) {
        m_index_by_name.emplace(m_wanted[index].name, index);
    }
}

const Bt2EventPlan& Bt2Plans::plan_for(const bt_event_class* event_class)
{
    if (event_class == m_last_class) {
        return *m_last_plan;
    }
    auto found = m_plans.find(event_class);
    if (found == m_plans.end()) {
        found = m_plans.emplace(event_class, make_plan(event_class)).first;
    }
    m_last_class = event_class;
    m_last_plan = &found->second; // elements of an unordered_map do not move
    return found->second;
}

std::optional<std::size_t> Bt2Plans::wanted_index(std::string_view name) const
{
    const auto found = m_index_by_name.find(std::string{name});
    return found != m_index_by_name.end() ? std::optional{found->second}
                                          : find_pattern(m_wanted, name);
}

/// A payload field or a pattern of open_traces.hpp.
Bt2Member Bt2Plans::find_field(const bt_field_class* payload, const std::string& name) const
{
    if (name == "*") {
        return {0, Bt2FieldKind::EveryLeaf};
    }
    if (name == "$name") {
        return {0, Bt2FieldKind::EventName};
    }
    Bt2Member found = find_member(payload, name.c_str());
    if (found.kind != Bt2FieldKind::None && m_enumerations != nullptr) {
        found.enumeration = number_of_enumeration(
            bt_field_class_structure_member_borrow_field_class_const(
                bt_field_class_structure_borrow_member_by_index_const(payload, found.index)),
            *m_enumerations);
    }
    return found;
}

Bt2EventPlan Bt2Plans::make_plan(const bt_event_class* event_class) const
{
    Bt2EventPlan plan;
    const bt_stream_class* stream_class = bt_event_class_borrow_stream_class_const(event_class);
    plan.has_clock = bt_stream_class_borrow_default_clock_class_const(stream_class) != nullptr;
    const char* name = bt_event_class_get_name(event_class);
    plan.name = name == nullptr ? "" : name;
    plan.wanted = wanted_index(plan.name);
    if (!plan.wanted) {
        return plan;
    }
    const bt_field_class* payload = bt_event_class_borrow_payload_field_class_const(event_class);
    for (const std::string& field : m_wanted[*plan.wanted].fields) {
        plan.fields.push_back(find_field(payload, field));
    }
    plan.pid = find_context(event_class, {"pid", "vpid"});
    plan.tid = find_context(event_class, {"tid", "vtid"});
    plan.procname = find_context(event_class, {"procname"});
    plan.pid_ns = find_context(event_class, {"pid_ns"});
    plan.vpid = find_context(event_class, {"vpid"});
    plan.vtid = find_context(event_class, {"vtid"});
    return plan;
}

} // namespace lttng_gpu::trace
