// SPDX-License-Identifier: MIT
//
// See leaves.hpp. The classes of fields are asked for per field: this is for
// comparing, not for speed.
#include "leaves.hpp"

namespace lttng_gpu::trace {
namespace {

constexpr unsigned deepest = 64;

void append(const bt_field* field, unsigned depth, std::vector<FieldValue>& values);

void append_structure(const bt_field* field, unsigned depth, std::vector<FieldValue>& values)
{
    const std::uint64_t count =
        bt_field_class_structure_get_member_count(bt_field_borrow_class_const(field));
    for (std::uint64_t index = 0; index < count; ++index) {
        append(bt_field_structure_borrow_member_field_by_index_const(field, index), depth, values);
    }
}

void append_array(const bt_field* field, unsigned depth, std::vector<FieldValue>& values)
{
    const std::uint64_t count = bt_field_array_get_length(field);
    for (std::uint64_t index = 0; index < count; ++index) {
        append(bt_field_array_borrow_element_field_by_index_const(field, index), depth, values);
    }
}

/// True: the field holds others, which were appended.
bool append_nested(const bt_field* field, bt_field_class_type type, unsigned depth,
                   std::vector<FieldValue>& values)
{
    const auto is = [type](bt_field_class_type parent) {
        return bt_field_class_type_is(type, parent) != BT_FALSE;
    };
    if (is(BT_FIELD_CLASS_TYPE_STRUCTURE)) {
        append_structure(field, depth, values);
    } else if (is(BT_FIELD_CLASS_TYPE_ARRAY)) {
        append_array(field, depth, values);
    } else if (is(BT_FIELD_CLASS_TYPE_OPTION)) {
        append(bt_field_option_borrow_field_const(field), depth, values);
    } else if (is(BT_FIELD_CLASS_TYPE_VARIANT)) {
        append(bt_field_variant_borrow_selected_option_field_const(field), depth, values);
    } else {
        return false;
    }
    return true;
}

FieldValue read_leaf(const bt_field* field, bt_field_class_type type)
{
    const auto is = [type](bt_field_class_type parent) {
        return bt_field_class_type_is(type, parent) != BT_FALSE;
    };
    if (is(BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)) {
        return FieldValue{std::uint64_t{bt_field_integer_unsigned_get_value(field)}};
    }
    if (is(BT_FIELD_CLASS_TYPE_SIGNED_INTEGER)) {
        return FieldValue{std::int64_t{bt_field_integer_signed_get_value(field)}};
    }
    if (is(BT_FIELD_CLASS_TYPE_BOOL)) {
        return FieldValue{std::uint64_t{bt_field_bool_get_value(field) != BT_FALSE}};
    }
    if (is(BT_FIELD_CLASS_TYPE_BIT_ARRAY)) {
        return FieldValue{std::uint64_t{bt_field_bit_array_get_value_as_integer(field)}};
    }
    if (is(BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL)) {
        return FieldValue{double{bt_field_real_single_precision_get_value(field)}};
    }
    if (is(BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL)) {
        return FieldValue{bt_field_real_double_precision_get_value(field)};
    }
    if (is(BT_FIELD_CLASS_TYPE_STRING)) {
        return FieldValue{
            std::string_view{bt_field_string_get_value(field), bt_field_string_get_length(field)}};
    }
    return {};
}

/// No field: a scope or an optional field that is not there, which has no leaves.
void append(const bt_field* field, unsigned depth, std::vector<FieldValue>& values)
{
    if (field == nullptr) {
        return;
    }
    if (depth == deepest) {
        values.emplace_back();
        return;
    }
    const bt_field_class_type type = bt_field_get_class_type(field);
    if (!append_nested(field, type, depth + 1, values)) {
        values.push_back(read_leaf(field, type));
    }
}

} // namespace

void append_leaves(const bt_event* event, std::vector<FieldValue>& values)
{
    append(bt_event_borrow_common_context_field_const(event), 0, values);
    append(bt_event_borrow_specific_context_field_const(event), 0, values);
    append(bt_event_borrow_payload_field_const(event), 0, values);
}

} // namespace lttng_gpu::trace
