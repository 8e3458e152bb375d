// SPDX-License-Identifier: MIT
//
// See field_class_copy.hpp.
#include "field_class_copy.hpp"

namespace lttng_gpu::exporting {
namespace {

trace::Bt2FieldClassRef copy_unsigned(bt_field_class* made, const bt_field_class* original)
{
    trace::Bt2FieldClassRef owned{made};
    if (owned) {
        bt_field_class_integer_set_field_value_range(
            made, bt_field_class_integer_get_field_value_range(original));
        bt_field_class_integer_set_preferred_display_base(
            made, bt_field_class_integer_get_preferred_display_base(original));
    }
    return owned;
}

trace::Bt2FieldClassRef copy_unsigned_mappings(trace::Bt2FieldClassRef made,
                                               const bt_field_class* original)
{
    const std::uint64_t count = bt_field_class_enumeration_get_mapping_count(original);
    for (std::uint64_t index = 0; made && index < count; ++index) {
        const auto* mapping =
            bt_field_class_enumeration_unsigned_borrow_mapping_by_index_const(original, index);
        const char* label = bt_field_class_enumeration_mapping_get_label(
            bt_field_class_enumeration_unsigned_mapping_as_mapping_const(mapping));
        if (bt_field_class_enumeration_unsigned_add_mapping(
                made.get(), label,
                bt_field_class_enumeration_unsigned_mapping_borrow_ranges_const(mapping)) !=
            BT_FIELD_CLASS_ENUMERATION_ADD_MAPPING_STATUS_OK) {
            made.reset();
        }
    }
    return made;
}

trace::Bt2FieldClassRef copy_signed_mappings(trace::Bt2FieldClassRef made,
                                             const bt_field_class* original)
{
    const std::uint64_t count = bt_field_class_enumeration_get_mapping_count(original);
    for (std::uint64_t index = 0; made && index < count; ++index) {
        const auto* mapping =
            bt_field_class_enumeration_signed_borrow_mapping_by_index_const(original, index);
        const char* label = bt_field_class_enumeration_mapping_get_label(
            bt_field_class_enumeration_signed_mapping_as_mapping_const(mapping));
        if (bt_field_class_enumeration_signed_add_mapping(
                made.get(), label,
                bt_field_class_enumeration_signed_mapping_borrow_ranges_const(mapping)) !=
            BT_FIELD_CLASS_ENUMERATION_ADD_MAPPING_STATUS_OK) {
            made.reset();
        }
    }
    return made;
}

bool is_added(bt_field_class_variant_without_selector_append_option_status status)
{
    return status == BT_FIELD_CLASS_VARIANT_WITHOUT_SELECTOR_FIELD_APPEND_OPTION_STATUS_OK;
}

bool is_added(bt_field_class_variant_with_selector_field_integer_append_option_status status)
{
    return status == BT_FIELD_CLASS_VARIANT_WITH_SELECTOR_FIELD_APPEND_OPTION_STATUS_OK;
}

/// The member that one item of a path leads to.
const bt_field_class* step_into(const bt_field_class* from, const bt_field_path_item* item)
{
    const bt_field_class_type type = bt_field_class_get_type(from);
    const auto is = [type](bt_field_class_type parent) {
        return bt_field_class_type_is(type, parent) != BT_FALSE;
    };
    if (bt_field_path_item_get_type(item) != BT_FIELD_PATH_ITEM_TYPE_INDEX) {
        if (is(BT_FIELD_CLASS_TYPE_ARRAY)) {
            return bt_field_class_array_borrow_element_field_class_const(from);
        }
        return is(BT_FIELD_CLASS_TYPE_OPTION) ? bt_field_class_option_borrow_field_class_const(from)
                                              : nullptr;
    }
    const std::uint64_t index = bt_field_path_item_index_get_index(item);
    if (is(BT_FIELD_CLASS_TYPE_STRUCTURE)) {
        return bt_field_class_structure_member_borrow_field_class_const(
            bt_field_class_structure_borrow_member_by_index_const(from, index));
    }
    return is(BT_FIELD_CLASS_TYPE_VARIANT)
               ? bt_field_class_variant_option_borrow_field_class_const(
                     bt_field_class_variant_borrow_option_by_index_const(from, index))
               : nullptr;
}

} // namespace

trace::Bt2FieldClassRef FieldClassCopier::copy(const bt_field_class* original,
                                               const ScopeClasses& scopes)
{
    const bt_field_class_type type = bt_field_class_get_type(original);
    trace::Bt2FieldClassRef made = copy_scalar(original, type);
    if (!made) {
        made = copy_nested(original, type, scopes);
    }
    if (made) {
        m_copies[original] = made.get();
    }
    return made;
}

trace::Bt2FieldClassRef FieldClassCopier::copy_scalar(const bt_field_class* original,
                                                      bt_field_class_type type)
{
    switch (type) {
    case BT_FIELD_CLASS_TYPE_BOOL:
        return trace::Bt2FieldClassRef{bt_field_class_bool_create(m_target)};
    case BT_FIELD_CLASS_TYPE_BIT_ARRAY:
        return trace::Bt2FieldClassRef{bt_field_class_bit_array_create(
            m_target, bt_field_class_bit_array_get_length(original))};
    case BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER:
        return copy_unsigned(bt_field_class_integer_unsigned_create(m_target), original);
    case BT_FIELD_CLASS_TYPE_SIGNED_INTEGER:
        return copy_unsigned(bt_field_class_integer_signed_create(m_target), original);
    case BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION:
        return copy_unsigned_mappings(
            copy_unsigned(bt_field_class_enumeration_unsigned_create(m_target), original),
            original);
    case BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION:
        return copy_signed_mappings(
            copy_unsigned(bt_field_class_enumeration_signed_create(m_target), original), original);
    case BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL:
        return trace::Bt2FieldClassRef{bt_field_class_real_single_precision_create(m_target)};
    case BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL:
        return trace::Bt2FieldClassRef{bt_field_class_real_double_precision_create(m_target)};
    case BT_FIELD_CLASS_TYPE_STRING:
        return trace::Bt2FieldClassRef{bt_field_class_string_create(m_target)};
    default:
        return {};
    }
}

trace::Bt2FieldClassRef FieldClassCopier::copy_nested(const bt_field_class* original,
                                                      bt_field_class_type type,
                                                      const ScopeClasses& scopes)
{
    const auto is = [type](bt_field_class_type parent) {
        return bt_field_class_type_is(type, parent) != BT_FALSE;
    };
    if (is(BT_FIELD_CLASS_TYPE_STRUCTURE)) {
        return copy_structure(original, scopes);
    }
    if (is(BT_FIELD_CLASS_TYPE_ARRAY)) {
        return copy_array(original, type, scopes);
    }
    if (is(BT_FIELD_CLASS_TYPE_OPTION)) {
        return copy_option(original, type, scopes);
    }
    return is(BT_FIELD_CLASS_TYPE_VARIANT) ? copy_variant(original, type, scopes)
                                           : trace::Bt2FieldClassRef{};
}

trace::Bt2FieldClassRef FieldClassCopier::copy_structure(const bt_field_class* original,
                                                         const ScopeClasses& scopes)
{
    trace::Bt2FieldClassRef made{bt_field_class_structure_create(m_target)};
    const std::uint64_t count = bt_field_class_structure_get_member_count(original);
    for (std::uint64_t index = 0; made && index < count; ++index) {
        const auto* member = bt_field_class_structure_borrow_member_by_index_const(original, index);
        const trace::Bt2FieldClassRef content =
            copy(bt_field_class_structure_member_borrow_field_class_const(member), scopes);
        if (!content || bt_field_class_structure_append_member(
                            made.get(), bt_field_class_structure_member_get_name(member),
                            content.get()) != BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK) {
            return {};
        }
    }
    return made;
}

trace::Bt2FieldClassRef FieldClassCopier::copy_array(const bt_field_class* original,
                                                     bt_field_class_type type,
                                                     const ScopeClasses& scopes)
{
    const trace::Bt2FieldClassRef element =
        copy(bt_field_class_array_borrow_element_field_class_const(original), scopes);
    if (!element) {
        return {};
    }
    if (type == BT_FIELD_CLASS_TYPE_STATIC_ARRAY) {
        return trace::Bt2FieldClassRef{bt_field_class_array_static_create(
            m_target, element.get(), bt_field_class_array_static_get_length(original))};
    }
    bt_field_class* length = nullptr;
    if (type == BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY_WITH_LENGTH_FIELD) {
        length = find_copy(
            bt_field_class_array_dynamic_with_length_field_borrow_length_field_path_const(original),
            scopes);
        if (length == nullptr) {
            return {};
        }
    }
    return trace::Bt2FieldClassRef{
        bt_field_class_array_dynamic_create(m_target, element.get(), length)};
}

trace::Bt2FieldClassRef FieldClassCopier::copy_option(const bt_field_class* original,
                                                      bt_field_class_type type,
                                                      const ScopeClasses& scopes)
{
    const trace::Bt2FieldClassRef content =
        copy(bt_field_class_option_borrow_field_class_const(original), scopes);
    if (!content) {
        return {};
    }
    if (type == BT_FIELD_CLASS_TYPE_OPTION_WITHOUT_SELECTOR_FIELD) {
        return trace::Bt2FieldClassRef{
            bt_field_class_option_without_selector_create(m_target, content.get())};
    }
    bt_field_class* selector = find_copy(
        bt_field_class_option_with_selector_field_borrow_selector_field_path_const(original),
        scopes);
    if (selector == nullptr) {
        return {};
    }
    if (type == BT_FIELD_CLASS_TYPE_OPTION_WITH_BOOL_SELECTOR_FIELD) {
        bt_field_class* made = bt_field_class_option_with_selector_field_bool_create(
            m_target, content.get(), selector);
        if (made != nullptr) {
            bt_field_class_option_with_selector_field_bool_set_selector_is_reversed(
                made,
                bt_field_class_option_with_selector_field_bool_selector_is_reversed(original));
        }
        return trace::Bt2FieldClassRef{made};
    }
    return trace::Bt2FieldClassRef{
        type == BT_FIELD_CLASS_TYPE_OPTION_WITH_UNSIGNED_INTEGER_SELECTOR_FIELD
            ? bt_field_class_option_with_selector_field_integer_unsigned_create(
                  m_target, content.get(), selector,
                  bt_field_class_option_with_selector_field_integer_unsigned_borrow_selector_ranges_const(
                      original))
            : bt_field_class_option_with_selector_field_integer_signed_create(
                  m_target, content.get(), selector,
                  bt_field_class_option_with_selector_field_integer_signed_borrow_selector_ranges_const(
                      original))};
}

trace::Bt2FieldClassRef FieldClassCopier::copy_variant(const bt_field_class* original,
                                                       bt_field_class_type type,
                                                       const ScopeClasses& scopes)
{
    const bool has_selector = type != BT_FIELD_CLASS_TYPE_VARIANT_WITHOUT_SELECTOR_FIELD;
    bt_field_class* selector =
        has_selector
            ? find_copy(bt_field_class_variant_with_selector_field_borrow_selector_field_path_const(
                            original),
                        scopes)
            : nullptr;
    if (has_selector && selector == nullptr) {
        return {};
    }
    trace::Bt2FieldClassRef made{bt_field_class_variant_create(m_target, selector)};
    const std::uint64_t count = bt_field_class_variant_get_option_count(original);
    for (std::uint64_t index = 0; made && index < count; ++index) {
        const auto* option = bt_field_class_variant_borrow_option_by_index_const(original, index);
        const char* name = bt_field_class_variant_option_get_name(option);
        const trace::Bt2FieldClassRef content =
            copy(bt_field_class_variant_option_borrow_field_class_const(option), scopes);
        bool is_good = content != nullptr;
        if (is_good && !has_selector) {
            is_good = is_added(bt_field_class_variant_without_selector_append_option(
                made.get(), name, content.get()));
        } else if (is_good &&
                   type == BT_FIELD_CLASS_TYPE_VARIANT_WITH_SIGNED_INTEGER_SELECTOR_FIELD) {
            is_good = is_added(bt_field_class_variant_with_selector_field_integer_signed_append_option(
                made.get(), name, content.get(),
                bt_field_class_variant_with_selector_field_integer_signed_option_borrow_ranges_const(
                    bt_field_class_variant_with_selector_field_integer_signed_borrow_option_by_index_const(
                        original, index))));
        } else if (is_good) {
            is_good = is_added(bt_field_class_variant_with_selector_field_integer_unsigned_append_option(
                made.get(), name, content.get(),
                bt_field_class_variant_with_selector_field_integer_unsigned_option_borrow_ranges_const(
                    bt_field_class_variant_with_selector_field_integer_unsigned_borrow_option_by_index_const(
                        original, index))));
        }
        if (!is_good) {
            return {};
        }
    }
    return made;
}

bt_field_class* FieldClassCopier::find_copy(const bt_field_path* path,
                                            const ScopeClasses& scopes) const
{
    const bt_field_class* at = nullptr;
    switch (bt_field_path_get_root_scope(path)) {
    case BT_FIELD_PATH_SCOPE_PACKET_CONTEXT:
        at = scopes.packet_context;
        break;
    case BT_FIELD_PATH_SCOPE_EVENT_COMMON_CONTEXT:
        at = scopes.common_context;
        break;
    case BT_FIELD_PATH_SCOPE_EVENT_SPECIFIC_CONTEXT:
        at = scopes.specific_context;
        break;
    case BT_FIELD_PATH_SCOPE_EVENT_PAYLOAD:
        at = scopes.payload;
        break;
    }
    const std::uint64_t count = bt_field_path_get_item_count(path);
    for (std::uint64_t index = 0; at != nullptr && index < count; ++index) {
        at = step_into(at, bt_field_path_borrow_item_by_index_const(path, index));
    }
    const auto found = m_copies.find(at);
    return found == m_copies.end() ? nullptr : found->second;
}

} // namespace lttng_gpu::exporting
