// SPDX-License-Identifier: MIT
//
// See line_prefix.hpp. The forms, by example, also one behind the other:
//   mail        `> > ` `>> `
//   printk      `<0>` `[  574.303565] ` `[  574.303565][  T829] `
//   dmesg       `kern  :emerg : ` `[Fri Nov 27 15:40:01 2026] ` `2026-11-27T15:40:01,123456+00:00 `
//   syslog      `Nov 27 15:40:01 host kernel: ` `2026-11-27T15:40:01.123456+00:00 host kernel: `
#include "line_prefix.hpp"

#include <algorithm>
#include <array>

namespace lttng_gpu::trace::ftrace {
namespace {

constexpr std::string_view digits = "0123456789";

bool is_digit(char character)
{
    return character >= '0' && character <= '9';
}

/// Whether `text` has this shape: 0 stands for a digit, A for a letter, all else for itself.
bool has_shape(std::string_view text, std::string_view shape)
{
    const auto fits = [](char character, char wanted) {
        const bool is_letter =
            (character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z');
        return wanted == '0'   ? is_digit(character)
               : wanted == 'A' ? is_letter
                               : character == wanted;
    };
    return text.size() >= shape.size() &&
           std::equal(shape.begin(), shape.end(), text.begin(),
                      [&](char wanted, char character) { return fits(character, wanted); });
}

void trim(std::string_view& text)
{
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
}

std::string_view take_word(std::string_view& text)
{
    trim(text);
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    return word;
}

/// `[  574.303565] `, `[  T829]`, `[Fri Nov 27 15:40:01 2026] `
bool take_log_time(std::string_view& text)
{
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos || end > 32) {
        return false;
    }
    std::string_view inside = text.substr(1, end - 1);
    trim(inside);
    const std::size_t point = inside.find('.');
    const bool is_time = point != std::string_view::npos && point > 0 &&
                         inside.size() == point + 7 && inside.find_first_not_of(digits) == point &&
                         inside.find_first_not_of(digits, point + 1) == std::string_view::npos;
    const bool is_caller = inside.size() > 1 && (inside[0] == 'T' || inside[0] == 'C') &&
                           inside.find_first_not_of(digits, 1) == std::string_view::npos;
    const bool is_date = has_shape(inside, "AAA AAA ");
    if (!is_time && !is_caller && !is_date) {
        return false;
    }
    text.remove_prefix(end + 1);
    return true;
}

/// `<0>`, as printk wants it and `dmesg --raw` prints it.
bool take_level(std::string_view& text)
{
    const std::size_t end = text.find_first_not_of(digits, 1);
    if (end == std::string_view::npos || end == 1 || end > 4 || text[end] != '>') {
        return false;
    }
    text.remove_prefix(end + 1);
    return true;
}

/// `kern  :emerg : `
bool take_facility(std::string_view& text)
{
    if (!text.starts_with("kern ")) {
        return false;
    }
    const std::size_t first = text.find(':');
    const std::size_t second = first > 8 ? std::string_view::npos : text.find(':', first + 1);
    if (second == std::string_view::npos || second > 16) {
        return false;
    }
    text.remove_prefix(second + 1);
    return true;
}

/// `host kernel: `; journalctl puts it behind its own time.
bool take_host(std::string_view& text)
{
    std::string_view rest = text;
    const bool has_host = !take_word(rest).empty();
    const std::string_view tag = take_word(rest);
    if (!has_host || !tag.ends_with(':') || !tag.starts_with("kernel")) {
        return false;
    }
    text = rest;
    return true;
}

bool take_date(std::string_view& text)
{
    constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    std::string_view rest = text;
    if (has_shape(text, "0000-00-00T00:00:00")) {
        take_word(rest);
    } else if (std::ranges::find(months, text.substr(0, 3)) != months.end() &&
               text.substr(3, 1) == " ") {
        take_word(rest);
        take_word(rest);
        if (!has_shape(take_word(rest), "00:00:00")) {
            return false;
        }
    } else {
        return false;
    }
    take_host(rest); // dmesg gives none
    text = rest;
    return true;
}

bool take_prefix(std::string_view& text)
{
    switch (text.front()) {
    case '>':
        text.remove_prefix(1);
        return true;
    case '<':
        return take_level(text);
    case '[':
        if (!take_log_time(text)) {
            return false;
        }
        take_host(text); // journalctl -o short-monotonic
        return true;
    case 'k':
        return take_facility(text);
    default:
        return take_date(text);
    }
}

} // namespace

std::string_view without_prefix(std::string_view line)
{
    for (;;) {
        std::string_view rest = line;
        trim(rest);
        if (rest.empty() || !take_prefix(rest)) {
            return line;
        }
        line = rest;
    }
}

} // namespace lttng_gpu::trace::ftrace
