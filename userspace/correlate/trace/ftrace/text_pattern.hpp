// SPDX-License-Identifier: MIT
//
// The print format of an event, turned round: what a kernel printed with it is taken
// apart again. A pattern is the text of the format with places for the values:
//   {seqno}      a decimal number, or a hexadecimal one that begins with 0x
//   {flags:x}    a hexadecimal number or a pointer, with or without 0x
//   {name:s}     a text, up to the literal that follows (never a place)
//   {a|b}        a value that answers to two names
//   {is_render=1} no text, but a value
//   {?, tail={tail}?}  a part that may be missing; must begin with a literal
//   {*}          anything
// What follows the whole pattern is ignored when a comma or a space begins it.
#pragma once

#include "../raw_event.hpp"

#include <string>
#include <vector>

namespace lttng_gpu::trace::ftrace {

class TextPattern {
public:
    /// `pattern` must live as long as this; it comes from a table of constants.
    TextPattern(std::string_view pattern, const std::vector<std::string>& fields);

    /// False when the text is not of this pattern; the values are then of no use.
    /// Text values point into `text`.
    bool match(std::string_view text, std::span<FieldValue> values) const;

    /// The fields that every text of this pattern has.
    const std::vector<std::size_t>& required() const { return m_required; }

private:
    enum class Kind : std::uint8_t { Literal, Number, Hex, Text, Constant, Begin, End, Rest };
    struct Piece {
        Kind kind = Kind::Literal;
        std::string_view literal;
        std::size_t behind = 0; // Begin: the piece after the part
        std::uint64_t constant = 0;
        std::vector<std::size_t> fields;
    };
    struct Walk {
        std::string_view text;
        std::span<FieldValue> values;
        unsigned tries_left;
    };

    Piece& add_place(std::string_view place, const std::vector<std::string>& fields);
    bool match_from(std::size_t piece, std::size_t at, Walk& walk) const;
    bool match_text(std::size_t piece, std::size_t at, Walk& walk) const;
    void clear_after(std::size_t piece, Walk& walk) const;
    bool skips(std::size_t piece, std::size_t at, const Walk& walk) const;

    std::vector<Piece> m_pieces;
    std::vector<std::size_t> m_required;
};

} // namespace lttng_gpu::trace::ftrace
