// SPDX-License-Identifier: MIT
//
// The columns of rows: each is described once, and every output takes it from there. A table is
// a std::tuple of Column, because each column's value has a type of its own. Who writes rows goes
// over it with for_each_place(), which the compiler unrolls: no call and no comparison per value.
#pragma once

#include "../base/known.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <tuple>
#include <utility>

namespace lttng_gpu::report {

enum class ValueType : std::uint8_t { Text, Unsigned, Signed };

/// Both are nanoseconds; a time is since the origin of the trace's clock.
enum class Unit : std::uint8_t { None, Time, Duration };

enum class Where : std::uint8_t { Everywhere, NotInCsv };

/// When a column is empty that never is.
inline constexpr const char* never = nullptr;

/// What there is to know of a column without a row.
struct ColumnFacts {
    const char* name;
    const char* meaning;
    const char* empty_when;
    ValueType type;
    Unit unit;
    Where where;

    constexpr bool can_be_empty() const { return empty_when != never; }
    constexpr bool is_in_csv() const { return where == Where::Everywhere; }
};

constexpr bool is_empty(std::string_view value)
{
    return value.empty();
}
template <typename Number> constexpr bool is_empty(const Known<Number>& value)
{
    return !value;
}
constexpr bool is_empty(std::uint64_t)
{
    return false;
}

/// A value as one of the three types; of a number only if it is not empty.
constexpr std::string_view plain_value(std::string_view value)
{
    return value;
}
template <typename Number> constexpr auto plain_value(const Known<Number>& value)
{
    using Rep = typename Number::rep;
    using Plain = std::conditional_t<std::is_signed_v<Rep>, std::int64_t, std::uint64_t>;
    return Plain{value->value()};
}
constexpr std::uint64_t plain_value(std::uint64_t value)
{
    return value;
}

template <typename Value> consteval ValueType type_of()
{
    using Plain = decltype(plain_value(std::declval<Value>()));
    if (std::is_same_v<Plain, std::string_view>) {
        return ValueType::Text;
    }
    return std::is_signed_v<Plain> ? ValueType::Signed : ValueType::Unsigned;
}

template <typename Value> consteval Unit unit_of()
{
    if (std::is_same_v<Value, KnownDuration>) {
        return Unit::Duration;
    }
    return std::is_same_v<Value, KnownTime> ? Unit::Time : Unit::None;
}

/// `Take` is called with a row and gives a text, a number, or one that may be unknown.
template <typename Row, typename Take> struct Column : ColumnFacts {
    Take take;

    constexpr auto value(const Row& row) const { return std::invoke(take, row); }
};

template <typename Row, typename Take>
constexpr Column<Row, Take> make_column(const char* name, Take take, const char* meaning,
                                        const char* empty_when, Where where = Where::Everywhere)
{
    using Value = std::remove_cvref_t<std::invoke_result_t<Take, const Row&>>;
    return {{name, meaning, empty_when, type_of<Value>(), unit_of<Value>(), where}, take};
}

/// For what needs the names and types only, in the order of the table.
template <typename... Columns>
constexpr std::array<ColumnFacts, sizeof...(Columns)>
facts_of(const std::tuple<Columns...>& columns)
{
    return std::apply(
        [](const Columns&... column) {
            return std::array<ColumnFacts, sizeof...(Columns)>{column...};
        },
        columns);
}

/// Calls with each place of a table, as a constant: `std::get<place>(table)` is a column.
template <std::size_t count, typename Do> constexpr void for_each_place(Do&& act)
{
    [&]<std::size_t... place>(std::index_sequence<place...>)
    {
        (act(std::integral_constant<std::size_t, place>{}), ...);
    }
    (std::make_index_sequence<count>{});
}

/// Does not compile for a name that the table has not.
template <std::size_t count>
consteval std::size_t place_of(const std::array<ColumnFacts, count>& columns, std::string_view name)
{
    std::size_t place = 0;
    while (columns.at(place).name != name) {
        ++place;
    }
    return place;
}

} // namespace lttng_gpu::report
