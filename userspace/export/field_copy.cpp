// SPDX-License-Identifier: MIT
//
// See field_copy.hpp.
#include "field_copy.hpp"

#include <cstdint>

namespace lttng_gpu::exporting {
namespace {

/// By length: libbabeltrace2 2.0 leaves the text of an event that used this memory before
/// behind an empty one.
bool copy_text(const bt_field* original, bt_field* target)
{
    bt_field_string_clear(target);
    return bt_field_string_append_with_length(target, bt_field_string_get_value(original),
                                              bt_field_string_get_length(original)) ==
           BT_FIELD_STRING_APPEND_STATUS_OK;
}

bool copy_structure(const bt_field* original, bt_field* target)
{
    const std::uint64_t count =
        bt_field_class_structure_get_member_count(bt_field_borrow_class_const(original));
    for (std::uint64_t index = 0; index < count; ++index) {
        if (!copy_field(bt_field_structure_borrow_member_field_by_index_const(original, index),
                        bt_field_structure_borrow_member_field_by_index(target, index))) {
            return false;
        }
    }
    return true;
}

bool copy_array(const bt_field* original, bt_field* target, bt_field_class_type type)
{
    const std::uint64_t count = bt_field_array_get_length(original);
    if (type != BT_FIELD_CLASS_TYPE_STATIC_ARRAY &&
        bt_field_array_dynamic_set_length(target, count) !=
            BT_FIELD_DYNAMIC_ARRAY_SET_LENGTH_STATUS_OK) {
        return false;
    }
    for (std::uint64_t index = 0; index < count; ++index) {
        if (!copy_field(bt_field_array_borrow_element_field_by_index_const(original, index),
                        bt_field_array_borrow_element_field_by_index(target, index))) {
            return false;
        }
    }
    return true;
}

bool copy_option(const bt_field* original, bt_field* target)
{
    const bt_field* content = bt_field_option_borrow_field_const(original);
    bt_field_option_set_has_field(target, content == nullptr ? BT_FALSE : BT_TRUE);
    return content == nullptr || copy_field(content, bt_field_option_borrow_field(target));
}

bool copy_variant(const bt_field* original, bt_field* target)
{
    return bt_field_variant_select_option_by_index(
               target, bt_field_variant_get_selected_option_index(original)) ==
               BT_FIELD_VARIANT_SELECT_OPTION_STATUS_OK &&
           copy_field(bt_field_variant_borrow_selected_option_field_const(original),
                      bt_field_variant_borrow_selected_option_field(target));
}

bool copy_nested(const bt_field* original, bt_field* target, bt_field_class_type type)
{
    const auto is = [type](bt_field_class_type parent) {
        return bt_field_class_type_is(type, parent) != BT_FALSE;
    };
    if (is(BT_FIELD_CLASS_TYPE_STRUCTURE)) {
        return copy_structure(original, target);
    }
    if (is(BT_FIELD_CLASS_TYPE_ARRAY)) {
        return copy_array(original, target, type);
    }
    return is(BT_FIELD_CLASS_TYPE_OPTION) ? copy_option(original, target)
                                          : copy_variant(original, target);
}

} // namespace

bool copy_field(const bt_field* original, bt_field* target)
{
    if (original == nullptr || target == nullptr) {
        return original == nullptr && target == nullptr;
    }
    const bt_field_class_type type = bt_field_get_class_type(original);
    switch (type) {
    case BT_FIELD_CLASS_TYPE_BOOL:
        bt_field_bool_set_value(target, bt_field_bool_get_value(original));
        return true;
    case BT_FIELD_CLASS_TYPE_BIT_ARRAY:
        bt_field_bit_array_set_value_as_integer(target,
                                                bt_field_bit_array_get_value_as_integer(original));
        return true;
    case BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER:
    case BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION:
        bt_field_integer_unsigned_set_value(target, bt_field_integer_unsigned_get_value(original));
        return true;
    case BT_FIELD_CLASS_TYPE_SIGNED_INTEGER:
    case BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION:
        bt_field_integer_signed_set_value(target, bt_field_integer_signed_get_value(original));
        return true;
    case BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL:
        bt_field_real_single_precision_set_value(
            target, bt_field_real_single_precision_get_value(original));
        return true;
    case BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL:
        bt_field_real_double_precision_set_value(
            target, bt_field_real_double_precision_get_value(original));
        return true;
    case BT_FIELD_CLASS_TYPE_STRING:
        return copy_text(original, target);
    default:
        return copy_nested(original, target, type);
    }
}

} // namespace lttng_gpu::exporting
