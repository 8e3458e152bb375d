// SPDX-License-Identifier: MIT
//
// The words of a TSDL text (CTF 1.8.3, appendix C), one at a time. The first
// thing wrong is kept with its line and column; from then on there are only
// ends of text, so that whoever reads on comes to an end.
#pragma once

#include "../../../base/expected.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lttng_gpu::trace::ctf {

enum class TokenKind : std::uint8_t { End, Word, Number, Text, Character, Symbol };

struct Token {
    TokenKind kind = TokenKind::End;
    std::size_t at = 0;    // offset in the text
    std::string_view text; // as written, without quotes
};

class TsdlLexer {
public:
    explicit TsdlLexer(std::string_view text);

    const Token& peek() const { return m_token; }
    Token take();
    bool is_symbol(std::string_view symbol) const;
    bool is_word(std::string_view word) const;
    bool take_symbol(std::string_view symbol);
    bool take_word(std::string_view word);
    void expect_symbol(std::string_view symbol);
    /// Goes on from here; the offset of a token.
    void seek(std::size_t offset);

    void fail(std::size_t offset, std::string_view expected);
    /// Wrong at the next token, which the message shows.
    void fail_here(std::string_view expected);
    bool failed() const { return m_error.has_value(); }
    const std::optional<Error>& error() const { return m_error; }
    /// "line:column"
    std::string place(std::size_t offset) const;

private:
    void advance();
    bool skip_space();
    void read_quoted(char quote);

    std::string_view m_text;
    std::size_t m_next = 0;
    Token m_token;
    std::vector<std::size_t> m_line_starts;
    std::optional<Error> m_error;
};

/// The value of a number as written: decimal, octal or hexadecimal, with a suffix of C.
std::optional<std::uint64_t> number_value(std::string_view written);

/// A quoted text with its escape sequences replaced; none if one is not valid.
std::optional<std::string> unescaped(std::string_view written);

} // namespace lttng_gpu::trace::ctf
