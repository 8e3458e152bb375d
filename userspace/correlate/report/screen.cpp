// SPDX-License-Identifier: MIT
//
// See screen.hpp. The locale of the process is not set, as readers of numbers rely on "C"; its
// variables are looked at in the order that POSIX gives (XBD 8.2).
#include "screen.hpp"

#include "code_points.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

namespace lttng_gpu::report {
namespace {

std::string_view variable(const char* name)
{
    const char* value = std::getenv(name);
    return value != nullptr ? std::string_view{value} : std::string_view{};
}

bool has_utf8()
{
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        std::string value{variable(name)};
        if (value.empty()) {
            continue;
        }
        std::ranges::transform(value, value.begin(), [](char letter) {
            return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
        });
        return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
    }
    return false;
}

/// Below this nothing can be shown side by side.
constexpr std::size_t least_width = 40;

std::string_view code_of(Ink ink)
{
    switch (ink) {
    case Ink::Strong:
        return "\033[1m";
    case Ink::Faint:
        return "\033[2m";
    case Ink::Good:
        return "\033[32m";
    case Ink::Warning:
        return "\033[33m";
    case Ink::Bad:
        return "\033[31m";
    case Ink::Plain:
        break;
    }
    return {};
}

struct Replacement {
    char32_t letter;
    const char* text;
};
constexpr std::array<Replacement, 13> replacements{{{U'·', "|"},
                                                    {U'µ', "u"},
                                                    {U'≥', ">="},
                                                    {U'≤', "<="},
                                                    {U'±', "+-"},
                                                    {U'→', "->"},
                                                    {U'…', "~"},
                                                    {U'–', "-"},
                                                    {U'×', "x"},
                                                    {U'’', "'"},
                                                    {U'²', "^2"},
                                                    {U'−', "-"},
                                                    {U'█', "#"}}};

std::string ascii_of(char32_t letter)
{
    for (const Replacement& replacement : replacements) {
        if (replacement.letter == letter) {
            return replacement.text;
        }
    }
    // Bars grow in eighths from below (U+2581 to U+2587) and from the left (U+258F to U+2589).
    constexpr std::string_view heights = "..:-=+*";
    if (letter >= U'▁' && letter <= U'▇') {
        return std::string(1, heights[letter - U'▁']);
    }
    if (letter >= U'▉' && letter <= U'▏') {
        return letter <= U'▌' ? "#" : ".";
    }
    return std::string(columns_of(letter), '?');
}

} // namespace

std::string Screen::painted(std::string_view text, Ink ink) const
{
    if (!has_colour || ink == Ink::Plain || text.empty()) {
        return std::string{text};
    }
    return std::string{code_of(ink)} + std::string{text} + "\033[0m";
}

Screen screen_of_file(ColourChoice colour)
{
    return {.has_colour = colour == ColourChoice::Always, .is_ascii = !has_utf8()};
}

Screen screen_of(int descriptor, ColourChoice colour)
{
    Screen screen = screen_of_file(colour);
    const std::string columns{variable("COLUMNS")};
    const std::size_t wanted = std::strtoul(columns.c_str(), nullptr, 10);
    if (wanted > 0) {
        screen.width = std::max(wanted, least_width);
    }
    if (isatty(descriptor) == 0) {
        return screen;
    }
    screen.has_colour |= colour == ColourChoice::Automatic && variable("NO_COLOR").empty() &&
                         variable("TERM") != "dumb" && !variable("TERM").empty();
    winsize size{};
    if (wanted == 0 && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        screen.width = std::max<std::size_t>(size.ws_col, least_width);
    }
    return screen;
}

std::size_t columns_of(std::string_view text)
{
    std::size_t columns = 0;
    for_each_letter(text,
                    [&](char32_t letter, std::string_view) { columns += columns_of(letter); });
    return columns;
}

std::string cut_end(std::string_view text, std::size_t columns)
{
    if (columns_of(text) <= columns) {
        return std::string{text};
    }
    std::string result;
    std::size_t taken = 1; // the mark
    bool is_full = false;
    for_each_letter(text, [&](char32_t letter, std::string_view bytes) {
        taken += columns_of(letter);
        is_full |= taken > columns;
        result += is_full ? std::string_view{} : bytes;
    });
    return result + "…";
}

std::string cut_begin(std::string_view text, std::size_t columns)
{
    const std::size_t all = columns_of(text);
    if (all <= columns) {
        return std::string{text};
    }
    std::string result = "…";
    std::size_t left_out = 0;
    for_each_letter(text, [&](char32_t letter, std::string_view bytes) {
        if (left_out + columns < all + 1) {
            left_out += columns_of(letter);
        } else {
            result += bytes;
        }
    });
    return result;
}

std::string wrapped(std::string_view text, std::size_t columns)
{
    std::string result;
    std::size_t used = 0;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        const std::size_t width = columns_of(word);
        const bool fits = used + 1 + width <= columns;
        result += used == 0 ? "" : fits ? " " : "\n  ";
        used = used == 0 ? width : fits ? used + 1 + width : 2 + width;
        result += word;
        text.remove_prefix(std::min(word.size() + 1, text.size()));
    }
    return result;
}

std::string as_ascii(std::string_view text)
{
    std::string result;
    for_each_letter(text, [&](char32_t letter, std::string_view bytes) {
        constexpr char32_t first_other = 0x80;
        if (letter < first_other) {
            result += bytes;
        } else {
            result += ascii_of(letter);
        }
    });
    return result;
}

bool is_naturally_before(std::string_view left, std::string_view right)
{
    const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
    const auto take_number = [&](std::string_view& text) {
        const auto end = std::ranges::find_if_not(text, is_digit);
        auto digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
        text.remove_prefix(digits.size());
        digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
        return digits;
    };
    const std::string_view whole_left = left;
    const std::string_view whole_right = right;
    while (!left.empty() && !right.empty()) {
        if (is_digit(left.front()) && is_digit(right.front())) {
            const std::string_view one = take_number(left);
            const std::string_view other = take_number(right);
            if (one != other) {
                return one.size() != other.size() ? one.size() < other.size() : one < other;
            }
        } else if (left.front() != right.front()) {
            return left.front() < right.front();
        } else {
            left.remove_prefix(1);
            right.remove_prefix(1);
        }
    }
    if (left.empty() && right.empty()) {
        return whole_left < whole_right; // "1" and "01" differ
    }
    return left.empty();
}

} // namespace lttng_gpu::report
