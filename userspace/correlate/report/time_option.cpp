// SPDX-License-Identifier: MIT
//
// See time_option.hpp.
#include "time_option.hpp"

#include <charconv>
#include <limits>
#include <string>

namespace lttng_gpu::report {
namespace {

constexpr std::size_t fraction_digits = 9; // nanoseconds

template <typename Number> std::optional<Number> parse_whole(std::string_view text)
{
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) {
        return {};
    }
    return number;
}

/// "1", "1.5", ".5"; at most nine digits after the point.
std::optional<std::int64_t> parse_seconds(std::string_view text)
{
    const std::size_t point = text.find('.');
    const std::string_view whole = text.substr(0, point);
    const std::string_view fraction =
        point == std::string_view::npos ? std::string_view{} : text.substr(point + 1);
    if (fraction.size() > fraction_digits || whole.size() + fraction.size() == 0) {
        return {};
    }
    std::string digits{whole};
    digits += fraction;
    digits.append(fraction_digits - fraction.size(), '0');
    const auto nanoseconds = parse_whole<std::uint64_t>(digits);
    if (!nanoseconds || *nanoseconds > std::numeric_limits<std::int64_t>::max() / 2) {
        return {};
    }
    return static_cast<std::int64_t>(*nanoseconds);
}

} // namespace

std::optional<report::TimeBound> parse_time(std::string_view text)
{
    const bool is_relative = text.starts_with('+');
    const auto nanoseconds =
        is_relative ? parse_seconds(text.substr(1)) : parse_whole<std::int64_t>(text);
    if (!nanoseconds) {
        return {};
    }
    return report::TimeBound{is_relative, *nanoseconds};
}

} // namespace lttng_gpu::report
