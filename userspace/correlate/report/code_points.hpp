// SPDX-License-Identifier: MIT
//
// The letters of a text in UTF-8, and how many columns of a terminal each takes. A byte that is
// no UTF-8 is a letter of its own. Widths are those of Unicode's East Asian Width (UAX #11: wide
// and fullwidth) for the blocks that thread and device names have; marks that combine take none.
#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace lttng_gpu::report {

constexpr std::size_t columns_of(char32_t letter)
{
    using Range = std::pair<char32_t, char32_t>;
    constexpr std::array<Range, 7> none{{{0x0300, 0x036F},
                                         {0x200B, 0x200F},
                                         {0x20D0, 0x20FF},
                                         {0xFE00, 0xFE0F},
                                         {0xFE20, 0xFE2F},
                                         {0xFEFF, 0xFEFF},
                                         {0xE0100, 0xE01EF}}};
    constexpr std::array<Range, 11> two{{{0x1100, 0x115F},
                                         {0x2E80, 0x303E},
                                         {0x3041, 0x33FF},
                                         {0x3400, 0x4DBF},
                                         {0x4E00, 0x9FFF},
                                         {0xA000, 0xA4CF},
                                         {0xAC00, 0xD7A3},
                                         {0xF900, 0xFAFF},
                                         {0xFF00, 0xFF60},
                                         {0x1F300, 0x1FAFF},
                                         {0x20000, 0x3FFFD}}};
    const auto is_in = [letter](const auto& ranges) {
        for (const Range& range : ranges) {
            if (range.first <= letter && letter <= range.second) {
                return true;
            }
        }
        return false;
    };
    if (letter < none.front().first) {
        return 1;
    }
    return is_in(none) ? 0 : is_in(two) ? 2 : 1;
}

/// Calls with each letter and its bytes.
template <typename Do> constexpr void for_each_letter(std::string_view text, const Do& act)
{
    while (!text.empty()) {
        const auto byte = [&](std::size_t place) {
            return static_cast<unsigned char>(text[place]);
        };
        const unsigned first = byte(0);
        std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
        char32_t letter = length == 1 ? first : first & (0x7FU >> length);
        for (std::size_t place = 1; place < length; ++place) {
            if (place >= text.size() || (byte(place) & 0xC0U) != 0x80) {
                length = 0;
                break;
            }
            letter = letter << 6U | (byte(place) & 0x3FU);
        }
        if (length == 0) {
            constexpr char32_t replacement = 0xFFFD;
            letter = replacement;
            length = 1;
        }
        act(letter, text.substr(0, length));
        text.remove_prefix(length);
    }
}

} // namespace lttng_gpu::report
