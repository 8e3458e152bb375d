// SPDX-License-Identifier: MIT
//
// A table of columns (correlate/report/columns.hpp) as the payload of an event class.
#pragma once

#include "../babeltrace2-plugin/column_field.hpp"
#include "../correlate/trace/bt2/ref.hpp"

#include <span>

namespace lttng_gpu::exporting {

/// Null when memory is short.
inline trace::Bt2FieldClassRef make_payload_class(bt_trace_class* trace_class,
                                                  std::span<const report::ColumnFacts> fields)
{
    trace::Bt2FieldClassRef payload{bt_field_class_structure_create(trace_class)};
    for (const report::ColumnFacts& field : fields) {
        const trace::Bt2FieldClassRef content{plugin::make_value_class(trace_class, field.type)};
        if (!payload || !content ||
            bt_field_class_structure_append_member(payload.get(), field.name, content.get()) !=
                BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK) {
            return {};
        }
    }
    return payload;
}

/// CTF 1.8 has no options: an unknown number is 0, or -1 if it has a sign.
template <typename Value> auto value_or_none(const Value& value)
{
    using Plain = decltype(report::plain_value(value));
    if constexpr (std::is_same_v<Plain, std::string_view>) {
        return Plain{value};
    } else {
        return report::is_empty(value) ? Plain(std::is_signed_v<Plain> ? -1 : 0)
                                       : report::plain_value(value);
    }
}

/// False when memory is short.
template <const auto& fields, typename Row> bool set_payload(bt_field* payload, const Row& row)
{
    bool is_good = true;
    report::for_each_place<std::tuple_size_v<std::remove_cvref_t<decltype(fields)>>>(
        [&](auto place) {
            const auto value = value_or_none(std::get<place>(fields).value(row));
            bt_field* field = bt_field_structure_borrow_member_field_by_index(payload, place);
            is_good = plugin::set_value(field, value) && is_good;
        });
    return is_good;
}

} // namespace lttng_gpu::exporting
