// SPDX-License-Identifier: MIT
//
// See line_columns.hpp.
#include "line_columns.hpp"

#include "text_value.hpp"

namespace lttng_gpu::trace::ftrace {
namespace {

constexpr std::size_t none = std::string_view::npos;
constexpr std::int64_t billion = 1'000'000'000;

bool is_digit(char character)
{
    return character >= '0' && character <= '9';
}

/// The digits at the end, removed from `text`.
std::optional<std::int64_t> take_digits_back(std::string_view& text)
{
    const std::size_t begin = text.find_last_not_of("0123456789") + 1;
    std::string_view digits = text.substr(begin);
    const auto value = take_digits(digits);
    if (!value || *value > INT32_MAX) {
        return {};
    }
    text = text.substr(0, begin);
    return static_cast<std::int64_t>(*value);
}

/// Seconds and as many digits behind the point as there are, up to nine.
std::optional<std::int64_t> to_nanoseconds(std::uint64_t seconds, std::string_view fraction)
{
    if (seconds >= static_cast<std::uint64_t>(INT64_MAX / billion) || fraction.size() > 9) {
        return {};
    }
    std::int64_t part = 0;
    for (std::size_t digit = 0; digit < 9; ++digit) {
        const char character = digit < fraction.size() ? fraction[digit] : '0';
        if (!is_digit(character)) {
            return {};
        }
        part = part * 10 + (character - '0');
    }
    return static_cast<std::int64_t>(seconds) * billion + part;
}

/// What is before the number of a thread, behind a `-`. The name has 16 columns; what is before
/// them names the buffer or the file.
std::string_view name_before(std::string_view left)
{
    left.remove_prefix(left.size() > 16 ? left.size() - 16 : 0);
    return left;
}

} // namespace

Clock read_clock(std::string_view word)
{
    const auto count = take_digits(word);
    if (!count) {
        return {};
    }
    if (word.starts_with("us")) {
        const bool fits = *count < static_cast<std::uint64_t>(INT64_MAX / 1000);
        return {fits, static_cast<std::int64_t>(*count) * (fits ? 1000 : 0)};
    }
    if (!word.ends_with(':')) {
        return {};
    }
    word.remove_suffix(1);
    if (word.empty()) {
        return {true, {}};
    }
    if (!word.starts_with('.') || word.size() < 2) {
        return {};
    }
    const auto time = to_nanoseconds(*count, word.substr(1));
    return {time.has_value(), time};
}

bool read_thread(std::string_view left, TextLine& line)
{
    trim_back(left);
    if (left.ends_with(')')) {
        const std::size_t open = left.rfind('(');
        if (open == none) {
            return false;
        }
        std::string_view inside = left.substr(open + 1, left.size() - open - 2);
        if (const auto pid = take_digits_back(inside)) {
            line.pid = FieldValue{*pid};
        }
        left = left.substr(0, open);
        trim_back(left);
    }
    const auto tid = take_digits_back(left);
    if (!tid) {
        return false;
    }
    line.tid = FieldValue{*tid};
    const char border = left.empty() ? ' ' : left.back();
    left.remove_suffix(left.empty() ? 0 : 1);
    if (border == '/') {
        const auto pid = take_digits_back(left);
        if (!pid) {
            return false;
        }
        line.pid = FieldValue{*pid};
    } else if (border == '-' && !left.empty() && !left.ends_with(' ')) {
        left = name_before(left);
    } else if (border == '-') {
        line.tid = {}; // perf writes -1 for a thread that it does not know
    } else if (border != ' ') {
        return false;
    }
    trim_front(left);
    trim_back(left);
    if (left != "<...>" && left != "<idle>" && left != ":-1" && left != ":") {
        line.comm = left;
    }
    return true;
}

} // namespace lttng_gpu::trace::ftrace
