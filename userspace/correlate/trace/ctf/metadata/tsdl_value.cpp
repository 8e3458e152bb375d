// SPDX-License-Identifier: MIT
#include "tsdl_value.hpp"

#include <limits>

namespace lttng_gpu::trace::ctf {
namespace {

TsdlValue read_number(TsdlLexer& lexer, TsdlValue value)
{
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    const Token& token = lexer.peek();
    const auto number =
        token.kind == TokenKind::Number ? number_value(token.text) : std::optional<std::uint64_t>{};
    if (!number || (value.is_negative && *number > largest + 1)) {
        lexer.fail_here("a number of 64 bits");
        return value;
    }
    value.number = value.is_negative ? 0 - *number : *number;
    lexer.take();
    return value;
}

} // namespace

TsdlValue read_name(TsdlLexer& lexer)
{
    TsdlValue value{.kind = TsdlValue::Kind::Name, .text = {}, .at = lexer.peek().at};
    while (true) {
        if (lexer.peek().kind != TokenKind::Word) {
            lexer.fail_here("a name");
            return value;
        }
        value.text += lexer.take().text;
        if (!lexer.take_symbol(".") && !lexer.take_symbol("->")) {
            return value;
        }
        value.text += '.';
    }
}

TsdlValue read_value(TsdlLexer& lexer)
{
    const Token token = lexer.peek();
    TsdlValue value{.text = {}, .at = token.at};
    switch (token.kind) {
    case TokenKind::Text:
    case TokenKind::Character: {
        auto text = unescaped(token.text);
        if (!text) {
            lexer.fail_here("a text with valid escape sequences");
            return value;
        }
        value.kind = TsdlValue::Kind::Text;
        value.text = std::move(*text);
        lexer.take();
        return value;
    }
    case TokenKind::Word:
        return read_name(lexer);
    case TokenKind::Symbol:
        value.is_negative = lexer.take_symbol("-");
        if (!value.is_negative && !lexer.take_symbol("+")) {
            lexer.fail_here("a value");
            return value;
        }
        return read_number(lexer, value);
    case TokenKind::Number:
        return read_number(lexer, value);
    case TokenKind::End:
        break;
    }
    lexer.fail_here("a value");
    return value;
}

std::uint64_t read_count(TsdlLexer& lexer, std::string_view expected)
{
    const TsdlValue value = read_value(lexer);
    if (value.is_text() || value.is_negative) {
        lexer.fail(value.at, expected);
    }
    return value.number;
}

bool read_truth(TsdlLexer& lexer)
{
    const TsdlValue value = read_value(lexer);
    if (!value.is_text()) {
        return value.number != 0;
    }
    const bool is_true = value.text == "true" || value.text == "TRUE";
    if (!is_true && value.text != "false" && value.text != "FALSE") {
        lexer.fail(value.at, "true or false");
    }
    return is_true;
}

} // namespace lttng_gpu::trace::ctf
