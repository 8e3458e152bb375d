// SPDX-License-Identifier: MIT
//
// Types and declarations of TSDL: everything that may stand before the name of
// a field, in a typedef or typealias, or right of `:=`. Stands between the
// lexer and the blocks of tsdl_reader.cpp. A failure is kept in the lexer and
// gives null.
#pragma once

#include "tsdl_named_types.hpp"
#include "tsdl_value.hpp"

namespace lttng_gpu::trace::ctf {

class TsdlTypeParser {
public:
    /// `clocks` and `environment` are those of the text, read before any type.
    TsdlTypeParser(TsdlLexer& lexer, ByteOrder byte_order, const std::vector<ClockClass>& clocks,
                   const Environment& environment)
        : m_lexer(lexer), m_byte_order(byte_order), m_clocks(clocks), m_environment(environment)
    {
    }

    /// A typedef or typealias, if one is next, with its semicolon.
    bool take_type_declaration();
    /// A type without a declarator, as right of `:=`.
    FieldDraftPtr read_type();
    /// A declaration outside all blocks, `struct name { … };` for example.
    void read_root_declaration();

    TsdlTypes& types() { return m_types; }

private:
    struct Specifier {
        FieldDraftPtr type; // integer {…}, struct …; null if it is words
        std::vector<std::string_view> words;
        std::size_t at = 0;
    };
    struct Declarator {
        std::string_view name;
        FieldDraftPtr type;
    };

    Specifier read_specifier();
    FieldDraftPtr named_type(const Specifier& specifier, std::size_t word_count,
                             std::size_t pointers);
    Declarator read_declarator(Specifier& specifier, bool is_first);
    FieldDraftPtr read_dimensions(FieldDraftPtr element);
    std::optional<FieldDraft> read_length();
    FieldDraftPtr seal(FieldDraft draft, std::size_t at);

    FieldDraftPtr read_integer();
    FieldDraftPtr read_real();
    FieldDraftPtr read_string();
    FieldDraftPtr read_structure(std::size_t at);
    FieldDraftPtr read_variant(std::size_t at);
    FieldDraftPtr read_enumeration(std::size_t at);
    FieldDraftPtr find_tagged(const char* kind, std::string_view name, std::size_t at);
    void add_tagged(const char* kind, std::string_view name, const FieldDraftPtr& type,
                    std::size_t at);
    void read_members(FieldDraft& draft);
    void read_labels(Labels& labels);
    FieldReference make_reference(const TsdlValue& name) const;

    void read_typedef();
    void read_typealias();
    void add_alias(std::string name, const FieldDraftPtr& type, std::size_t at);

    std::uint32_t read_alignment();
    ByteOrder read_byte_order();
    bool read_is_character();
    std::optional<std::size_t> read_clock();

    TsdlLexer& m_lexer;
    TsdlTypes m_types;
    ByteOrder m_byte_order;
    const std::vector<ClockClass>& m_clocks;
    const Environment& m_environment;
    std::uint32_t m_depth = 0;
    std::size_t m_copies_left = 1U << 16U; // of options
};

} // namespace lttng_gpu::trace::ctf
