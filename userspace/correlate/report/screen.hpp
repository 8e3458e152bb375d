// SPDX-License-Identifier: MIT
//
// What texts for people are written on: how wide it is, whether it has colours, and whether it
// shows more than ASCII. Widths are columns of a terminal, not bytes: a letter of Chinese takes
// two.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lttng_gpu::report {

enum class Ink : std::uint8_t { Plain, Strong, Faint, Good, Warning, Bad };

struct Screen {
    static constexpr std::size_t usual_width = 100;

    std::size_t width = usual_width;
    bool has_colour = false;
    bool is_ascii = false;

    /// The text in that colour, where there are colours.
    std::string painted(std::string_view text, Ink ink) const;
};

enum class ColourChoice : std::uint8_t { Automatic, Always, Never };

/// What the environment says of the screen behind a file descriptor: COLUMNS and the terminal's own
/// width, NO_COLOR (no-color.org), TERM, and the locale's character set.
Screen screen_of(int descriptor, ColourChoice colour);
/// Of a file, or of what else is not looked at while it is written.
Screen screen_of_file(ColourChoice colour);

/// Columns of a terminal that the text takes; it has no colours.
std::size_t columns_of(std::string_view text);
/// Cut to that many columns, with a mark where something is missing.
std::string cut_end(std::string_view text, std::size_t columns);
/// The same, but the end is kept.
std::string cut_begin(std::string_view text, std::size_t columns);

/// With a line end in place of the space before each word that does not fit.
std::string wrapped(std::string_view text, std::size_t columns);

/// Every other character becomes one of ASCII that takes as many columns, or the same in words.
std::string as_ascii(std::string_view text);

/// Numbers in texts are compared as numbers: "ring 2" is before "ring 10".
bool is_naturally_before(std::string_view left, std::string_view right);

} // namespace lttng_gpu::report
