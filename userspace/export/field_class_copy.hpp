// SPDX-License-Identifier: MIT
//
// Field classes of one trace class made again in another: nothing of an event changes
// but the trace that it belongs to. Lengths and selectors are found again through the
// paths that the library gives, so scopes have to be copied from the outside inwards:
// packet context, common context, specific context, payload.
#pragma once

#include "../correlate/trace/bt2/ref.hpp"

#include <array>
#include <unordered_map>

namespace lttng_gpu::exporting {

/// The structures in which a path may begin, by bt_field_path_scope; null when there is none.
struct ScopeClasses {
    const bt_field_class* packet_context = nullptr;
    const bt_field_class* common_context = nullptr;
    const bt_field_class* specific_context = nullptr;
    const bt_field_class* payload = nullptr;
};

class FieldClassCopier {
public:
    /// The trace class must outlive the copier, and so must the classes that are copied.
    explicit FieldClassCopier(bt_trace_class* target) : m_target{target} {}

    /// Null when memory is short, or for a class that this does not know (later versions
    /// of babeltrace2 have more).
    trace::Bt2FieldClassRef copy(const bt_field_class* original, const ScopeClasses& scopes);

private:
    trace::Bt2FieldClassRef copy_scalar(const bt_field_class* original, bt_field_class_type type);
    trace::Bt2FieldClassRef copy_nested(const bt_field_class* original, bt_field_class_type type,
                                        const ScopeClasses& scopes);
    trace::Bt2FieldClassRef copy_structure(const bt_field_class* original,
                                           const ScopeClasses& scopes);
    trace::Bt2FieldClassRef copy_array(const bt_field_class* original, bt_field_class_type type,
                                       const ScopeClasses& scopes);
    trace::Bt2FieldClassRef copy_option(const bt_field_class* original, bt_field_class_type type,
                                        const ScopeClasses& scopes);
    trace::Bt2FieldClassRef copy_variant(const bt_field_class* original, bt_field_class_type type,
                                         const ScopeClasses& scopes);
    /// The copy of the class to which a path leads; null when there is none.
    bt_field_class* find_copy(const bt_field_path* path, const ScopeClasses& scopes) const;

    bt_trace_class* m_target;
    std::unordered_map<const bt_field_class*, bt_field_class*> m_copies; // borrowed both
};

} // namespace lttng_gpu::exporting
