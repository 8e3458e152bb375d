// SPDX-License-Identifier: MIT
#include "tsdl_lexer.hpp"

#include "../../../base/printable_text.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace lttng_gpu::trace::ctf {
namespace {

constexpr std::string_view space = " \t\r\n\v\f";
constexpr std::string_view symbols[]{"...", ":=", "->", "[", "]", "(", ")", "{", "}", "*",
                                     "+",   "-",  "<",  ">", ":", ";", ".", "=", ","};
constexpr std::size_t shown_length = 40; // of a token in a message

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool is_word_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

} // namespace

TsdlLexer::TsdlLexer(std::string_view text) : m_text(text), m_line_starts{0}
{
    for (std::size_t at = text.find('\n'); at != std::string_view::npos;
         at = text.find('\n', at + 1)) {
        m_line_starts.push_back(at + 1);
    }
    advance();
}

Token TsdlLexer::take()
{
    const Token taken = m_token;
    advance();
    return taken;
}

bool TsdlLexer::is_symbol(std::string_view symbol) const
{
    return m_token.kind == TokenKind::Symbol && m_token.text == symbol;
}

bool TsdlLexer::is_word(std::string_view word) const
{
    return m_token.kind == TokenKind::Word && m_token.text == word;
}

bool TsdlLexer::take_symbol(std::string_view symbol)
{
    const bool is_next = is_symbol(symbol);
    if (is_next) {
        advance();
    }
    return is_next;
}

bool TsdlLexer::take_word(std::string_view word)
{
    const bool is_next = is_word(word);
    if (is_next) {
        advance();
    }
    return is_next;
}

void TsdlLexer::expect_symbol(std::string_view symbol)
{
    if (!take_symbol(symbol)) {
        fail_here(fmt::format("\"{}\"", symbol));
    }
}

void TsdlLexer::seek(std::size_t offset)
{
    m_next = offset;
    advance();
}

void TsdlLexer::fail(std::size_t offset, std::string_view expected)
{
    if (!m_error) {
        m_error = Error{ErrorKind::UnreadableTrace,
                        fmt::format("{}: expected {}", place(offset), expected)};
    }
    m_token = {TokenKind::End, offset, {}};
}

void TsdlLexer::fail_here(std::string_view expected)
{
    const bool is_end = m_token.kind == TokenKind::End;
    fail(m_token.at, is_end ? fmt::format("{}, found the end", expected)
                            : fmt::format("{}, found \"{}\"", expected,
                                          printable_text(m_token.text.substr(0, shown_length))));
}

std::string TsdlLexer::place(std::size_t offset) const
{
    const auto after = std::upper_bound(m_line_starts.begin(), m_line_starts.end(), offset);
    const auto line = static_cast<std::size_t>(after - m_line_starts.begin());
    return fmt::format("{}:{}", line, offset - m_line_starts[line - 1] + 1);
}

void TsdlLexer::advance()
{
    if (m_error || !skip_space()) {
        m_token = {TokenKind::End, m_error ? m_token.at : m_text.size(), {}};
        return;
    }
    const std::string_view rest = m_text.substr(m_next);
    if (rest[0] == '"' || rest[0] == '\'') {
        read_quoted(rest[0]);
        return;
    }
    if (is_word_character(rest[0])) {
        std::size_t length = 1;
        while (length < rest.size() && is_word_character(rest[length])) {
            ++length;
        }
        const TokenKind kind = is_digit(rest[0]) ? TokenKind::Number : TokenKind::Word;
        m_token = {kind, m_next, rest.substr(0, length)};
        m_next += length;
        return;
    }
    for (const std::string_view symbol : symbols) {
        if (rest.starts_with(symbol)) {
            m_token = {TokenKind::Symbol, m_next, rest.substr(0, symbol.size())};
            m_next += symbol.size();
            return;
        }
    }
    fail(m_next, fmt::format("TSDL, found \"{}\"", printable_text(rest.substr(0, 1))));
}

/// Goes over space and comments; false at the end, or in a comment without end.
bool TsdlLexer::skip_space()
{
    while (true) {
        m_next = std::min(m_text.find_first_not_of(space, m_next), m_text.size());
        const std::string_view rest = m_text.substr(m_next);
        const bool is_line = rest.starts_with("//");
        if (!is_line && !rest.starts_with("/*")) {
            return !rest.empty();
        }
        const std::size_t end = is_line ? rest.find('\n') : rest.find("*/", 2);
        if (end == std::string_view::npos) {
            if (!is_line) {
                fail(m_next, "an end of this comment");
            }
            m_next = m_text.size();
            return false;
        }
        m_next += end + (is_line ? 1 : 2);
    }
}

void TsdlLexer::read_quoted(char quote)
{
    const std::size_t begin = m_next + 1;
    std::size_t end = begin;
    while (end < m_text.size() && m_text[end] != quote) {
        end += m_text[end] == '\\' ? 2 : 1;
    }
    if (end >= m_text.size()) {
        fail(m_next, "an end of this text");
        return;
    }
    m_token = {quote == '"' ? TokenKind::Text : TokenKind::Character, m_next,
               m_text.substr(begin, end - begin)};
    m_next = end + 1;
}

std::optional<std::uint64_t> number_value(std::string_view written)
{
    const std::size_t suffix = written.find_last_not_of("uUlL") + 1;
    written = written.substr(0, suffix);
    int base = 10;
    if (written.starts_with("0x") || written.starts_with("0X")) {
        base = 16;
        written.remove_prefix(2);
    } else if (written.starts_with('0') && written.size() > 1) {
        base = 8;
    }
    std::uint64_t value = 0;
    const char* const end = written.data() + written.size();
    const auto [stop, error] = std::from_chars(written.data(), end, value, base);
    return error == std::errc{} && stop == end ? std::optional{value} : std::nullopt;
}

namespace {

/// One to three octal digits, or hexadecimal ones after an x, as in C.
std::optional<char> escaped_code(std::string_view& rest)
{
    const bool is_hexadecimal = rest.starts_with('x');
    if (is_hexadecimal) {
        rest.remove_prefix(1);
    }
    unsigned value = 0;
    const std::string_view digits = rest.substr(0, is_hexadecimal ? 2 : 3);
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value,
                                               is_hexadecimal ? 16 : 8);
    if (error != std::errc{} || value > 0xff) {
        return {};
    }
    rest.remove_prefix(static_cast<std::size_t>(stop - digits.data()));
    return static_cast<char>(value);
}

} // namespace

std::optional<std::string> unescaped(std::string_view written)
{
    constexpr std::string_view letters = "abfnrtv\\'\"?";
    constexpr std::string_view meanings = "\a\b\f\n\r\t\v\\'\"?";
    std::string text;
    while (!written.empty()) {
        const char c = written[0];
        written.remove_prefix(1);
        if (c != '\\') {
            text += c;
            continue;
        }
        const std::size_t letter =
            written.empty() ? std::string_view::npos : letters.find(written[0]);
        if (letter != std::string_view::npos) {
            text += meanings[letter];
            written.remove_prefix(1);
            continue;
        }
        const auto code = escaped_code(written);
        if (!code) {
            return {};
        }
        text += *code;
    }
    return text;
}

} // namespace lttng_gpu::trace::ctf
