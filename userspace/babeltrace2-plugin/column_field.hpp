// SPDX-License-Identifier: MIT
//
// A value of a column (correlate/report/columns.hpp) as a field of babeltrace2.
#pragma once

#include "../correlate/report/columns.hpp"

#include <babeltrace2/babeltrace.h>

namespace lttng_gpu::plugin {

/// Owned by the caller; null when memory is short.
inline bt_field_class* make_value_class(bt_trace_class* trace_class, report::ValueType type)
{
    switch (type) {
    case report::ValueType::Text:
        return bt_field_class_string_create(trace_class);
    case report::ValueType::Unsigned:
        return bt_field_class_integer_unsigned_create(trace_class);
    case report::ValueType::Signed:
        break;
    }
    return bt_field_class_integer_signed_create(trace_class);
}

/// False when memory is short, as all of these.
inline bool set_value(bt_field* field, std::string_view value)
{
    bt_field_string_clear(field);
    return bt_field_string_append_with_length(field, value.data(), value.size()) ==
           BT_FIELD_STRING_APPEND_STATUS_OK;
}
inline bool set_value(bt_field* field, std::uint64_t value)
{
    bt_field_integer_unsigned_set_value(field, value);
    return true;
}
inline bool set_value(bt_field* field, std::int64_t value)
{
    bt_field_integer_signed_set_value(field, value);
    return true;
}

} // namespace lttng_gpu::plugin
