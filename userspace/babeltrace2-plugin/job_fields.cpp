// SPDX-License-Identifier: MIT
//
// See job_fields.hpp.
#include "job_fields.hpp"

#include "../correlate/report/job_columns.hpp"
#include "../correlate/trace/bt2/mip.hpp"
#include "column_field.hpp"

#include <algorithm>
#include <numeric>

namespace lttng_gpu::plugin {
namespace {

constexpr std::size_t count = report::job_column_facts.size();

using Order = std::array<std::size_t, count>; // places in the table

constexpr void move_before(Order& order, std::size_t moved, std::size_t next)
{
    const auto from = std::ranges::find(order, moved);
    const auto to = std::ranges::find(order, next);
    if (from > to) {
        std::rotate(to, from, from + 1);
    } else {
        std::rotate(from, from + 1, to);
    }
}

/// The event's members keep the order that they had first; a new column is the last here, too.
consteval Order make_order()
{
    Order order{};
    std::iota(order.begin(), order.end(), std::size_t{0});
    move_before(order, report::job_place("interval"), report::job_place("api_call"));
    move_before(order, report::job_place("api_call"), report::job_place("clock_error_ns"));
    return order;
}

constexpr Order order = make_order();

bt_field_class* make_member_class(bt_trace_class* trace_class, const report::ColumnFacts& column)
{
    bt_field_class* content = make_value_class(trace_class, column.type);
    if (content == nullptr || !column.can_be_empty()) {
        return content;
    }
    bt_field_class* option = trace::make_option_class(trace_class, content);
    bt_field_class_put_ref(content);
    return option;
}

} // namespace

bt_field_class* make_job_class(bt_trace_class* trace_class)
{
    bt_field_class* payload = bt_field_class_structure_create(trace_class);
    for (const std::size_t place : order) {
        const report::ColumnFacts& column = report::job_column_facts[place];
        bt_field_class* field =
            payload == nullptr ? nullptr : make_member_class(trace_class, column);
        if (field == nullptr ||
            bt_field_class_structure_append_member(payload, column.name, field) !=
                BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK) {
            bt_field_class_put_ref(field); // null is fine for both
            bt_field_class_put_ref(payload);
            return nullptr;
        }
        bt_field_class_put_ref(field);
    }
    return payload;
}

bool set_job_fields(bt_field* payload, const model::Job& job, model::RingNames& names)
{
    const report::JobRow row{job, names};
    bool is_good = true;
    report::for_each_place<count>([&](auto member) {
        constexpr const auto& column = std::get<order[member]>(report::job_columns);
        const auto value = column.value(row);
        bt_field* field = bt_field_structure_borrow_member_field_by_index(payload, member);
        if constexpr (column.can_be_empty()) {
            bt_field_option_set_has_field(field, report::is_empty(value) ? BT_FALSE : BT_TRUE);
            if (report::is_empty(value)) {
                return;
            }
            field = bt_field_option_borrow_field(field);
        }
        is_good = set_value(field, report::plain_value(value)) && is_good;
    });
    return is_good;
}

} // namespace lttng_gpu::plugin
