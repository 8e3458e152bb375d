// SPDX-License-Identifier: MIT
//
// Values of TSDL: a number, a quoted text, or a name with its dots, as they
// stand right of `=`, between brackets and behind labels.
#pragma once

#include "tsdl_lexer.hpp"

namespace lttng_gpu::trace::ctf {

struct TsdlValue {
    enum class Kind : std::uint8_t { Number, Text, Name } kind = Kind::Number;
    bool is_negative = false;
    std::uint64_t number = 0; // a negative one as the bits of its two's complement
    std::string text;         // of a name with all its parts and dots
    std::size_t at = 0;

    bool is_text() const { return kind != Kind::Number; }
};

/// Fails in the lexer if there is no value.
TsdlValue read_value(TsdlLexer& lexer);

/// A name of words with dots (or arrows) between them.
TsdlValue read_name(TsdlLexer& lexer);

/// A number that is not negative; anything else fails in the lexer.
std::uint64_t read_count(TsdlLexer& lexer, std::string_view expected);

/// true, false, or a number.
bool read_truth(TsdlLexer& lexer);

} // namespace lttng_gpu::trace::ctf
