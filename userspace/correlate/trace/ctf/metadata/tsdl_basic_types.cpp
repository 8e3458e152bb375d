// SPDX-License-Identifier: MIT
//
// Integers, reals and strings of TSDL (CTF 1.8.3, section 4.1). What does not
// change how bytes are read (base, for example) is checked no further; unknown
// attributes are skipped, as babeltrace2 does.
#include "tsdl_type_parser.hpp"

#include "shown_name.hpp"

#include <fmt/format.h>

namespace lttng_gpu::trace::ctf {
namespace {

constexpr std::uint32_t byte_bits = 8;

/// Calls `attribute(name)` with the lexer at its value, until the closing brace.
template <typename Attribute> void read_attributes(TsdlLexer& lexer, const Attribute& attribute)
{
    while (!lexer.failed() && !lexer.take_symbol("}")) {
        const TsdlValue name = read_name(lexer);
        lexer.expect_symbol("=");
        attribute(std::string_view{name.text}, name.at);
        lexer.expect_symbol(";");
    }
}

std::uint32_t default_alignment(std::uint64_t bits)
{
    return bits % byte_bits == 0 ? byte_bits : 1;
}

} // namespace

FieldDraftPtr TsdlTypeParser::read_integer()
{
    const std::size_t begin = m_lexer.peek().at;
    FieldDraft draft;
    IntegerClass integer;
    integer.byte_order = m_byte_order;
    std::optional<std::uint32_t> alignment;
    m_lexer.expect_symbol("{");
    read_attributes(m_lexer, [&](std::string_view name, std::size_t at) {
        if (name == "size") {
            const std::uint64_t size = read_count(m_lexer, "a number of bits");
            if (size == 0 || size > 64) {
                m_lexer.fail(at, fmt::format("a size of 1 to 64 bits, found {}", size));
            }
            integer.bits = static_cast<std::uint32_t>(size);
        } else if (name == "align") {
            alignment = read_alignment();
        } else if (name == "signed") {
            integer.is_signed = read_truth(m_lexer);
        } else if (name == "byte_order") {
            integer.byte_order = read_byte_order();
        } else if (name == "encoding") {
            integer.is_character = read_is_character();
        } else if (name == "map") {
            draft.clock = read_clock();
        } else {
            read_value(m_lexer);
        }
    });
    if (integer.bits == 0) {
        m_lexer.fail(begin, "an integer with a size");
    }
    integer.alignment = alignment.value_or(default_alignment(integer.bits));
    // Only such integers make a text (ctf-meta-update-text-array-sequence.c of babeltrace2).
    integer.is_character =
        integer.is_character && integer.bits == byte_bits && integer.alignment == byte_bits;
    draft.shape.kind = integer;
    return seal(std::move(draft), begin);
}

FieldDraftPtr TsdlTypeParser::read_real()
{
    const std::size_t begin = m_lexer.peek().at;
    std::uint64_t mantissa = 0; // with its hidden bit
    std::uint64_t exponent = 0;
    RealClass real;
    real.byte_order = m_byte_order;
    std::optional<std::uint32_t> alignment;
    m_lexer.expect_symbol("{");
    read_attributes(m_lexer, [&](std::string_view name, std::size_t) {
        if (name == "mant_dig") {
            mantissa = read_count(m_lexer, "a number of bits");
        } else if (name == "exp_dig") {
            exponent = read_count(m_lexer, "a number of bits");
        } else if (name == "align") {
            alignment = read_alignment();
        } else if (name == "byte_order") {
            real.byte_order = read_byte_order();
        } else {
            read_value(m_lexer);
        }
    });
    struct Format {
        std::uint64_t mantissa, exponent;
    };
    for (const Format& known : {Format{11, 5}, Format{24, 8}, Format{53, 11}, Format{113, 15}}) {
        if (known.mantissa == mantissa && known.exponent == exponent) {
            real.bits = static_cast<std::uint32_t>(mantissa + exponent);
        }
    }
    if (real.bits == 0) {
        m_lexer.fail(begin, "mant_dig and exp_dig of an IEEE 754 format: 24 and 8, or 53 and 11");
    }
    real.alignment = alignment.value_or(default_alignment(real.bits));
    FieldDraft draft;
    draft.shape.kind = real;
    return seal(std::move(draft), begin);
}

FieldDraftPtr TsdlTypeParser::read_string()
{
    if (m_lexer.take_symbol("{")) {
        read_attributes(m_lexer, [&](std::string_view name, std::size_t) {
            name == "encoding" ? static_cast<void>(read_is_character())
                               : static_cast<void>(read_value(m_lexer));
        });
    }
    FieldDraft draft;
    draft.shape.kind = StringClass{};
    return seal(std::move(draft), m_lexer.peek().at);
}

std::uint32_t TsdlTypeParser::read_alignment()
{
    const std::size_t at = m_lexer.peek().at;
    const std::uint64_t bits = read_count(m_lexer, "a number of bits");
    if (bits == 0 || (bits & (bits - 1)) != 0 || bits > alignment_limit) {
        m_lexer.fail(at, fmt::format("an alignment that is a power of two up to {}, found {}",
                                     alignment_limit, bits));
        return 1;
    }
    return static_cast<std::uint32_t>(bits);
}

ByteOrder TsdlTypeParser::read_byte_order()
{
    const TsdlValue value = read_value(m_lexer);
    if (value.text == "le") {
        return ByteOrder::Little;
    }
    if (value.text == "be" || value.text == "network") {
        return ByteOrder::Big;
    }
    if (value.text != "native") {
        m_lexer.fail(value.at, "a byte order: le, be, network or native");
    }
    return m_byte_order;
}

bool TsdlTypeParser::read_is_character()
{
    const TsdlValue value = read_value(m_lexer);
    for (const char* const encoding : {"UTF8", "utf8", "UTF-8", "utf-8", "ASCII", "ascii"}) {
        if (value.text == encoding) {
            return true;
        }
    }
    if (value.text != "none") {
        m_lexer.fail(value.at, "an encoding: none, UTF8 or ASCII");
    }
    return false;
}

/// `clock.NAME.value`; anything else maps to no clock.
std::optional<std::size_t> TsdlTypeParser::read_clock()
{
    constexpr std::string_view prefix = "clock.";
    constexpr std::string_view suffix = ".value";
    const TsdlValue value = read_value(m_lexer);
    const std::string_view path = value.text;
    if (!path.starts_with(prefix) || !path.ends_with(suffix) ||
        path.size() <= prefix.size() + suffix.size()) {
        return {};
    }
    const std::string_view name =
        path.substr(prefix.size(), path.size() - prefix.size() - suffix.size());
    for (std::size_t at = 0; at < m_clocks.size(); ++at) {
        if (m_clocks[at].name == name) {
            return at;
        }
    }
    m_lexer.fail(value.at, fmt::format("the name of a clock, found \"{}\"", shown_name(name)));
    return {};
}

} // namespace lttng_gpu::trace::ctf
