// SPDX-License-Identifier: MIT
//
// Declarations: specifiers, declarators, names of types. The types with braces
// are in tsdl_compound_types.cpp (structures, variants, enumerations) and
// tsdl_basic_types.cpp (integers, reals, strings).
#include "tsdl_type_parser.hpp"

#include "shown_name.hpp"

#include <charconv>
#include <fmt/format.h>

namespace lttng_gpu::trace::ctf {
namespace {

struct ScopePrefix {
    std::string_view prefix;
    Scope scope;
};
// CTF 1.8.3, section 7.3.2.
constexpr ScopePrefix scope_prefixes[]{
    {"trace.packet.header.", Scope::PacketHeader}, {"stream.packet.context.", Scope::PacketContext},
    {"stream.event.header.", Scope::EventHeader},  {"stream.event.context.", Scope::CommonContext},
    {"event.context.", Scope::SpecificContext},    {"event.fields.", Scope::Payload},
};

} // namespace

bool TsdlTypeParser::take_type_declaration()
{
    if (m_lexer.take_word("typedef")) {
        read_typedef();
        return true;
    }
    if (m_lexer.take_word("typealias")) {
        read_typealias();
        return true;
    }
    return false;
}

FieldDraftPtr TsdlTypeParser::read_type()
{
    const Specifier specifier = read_specifier();
    return specifier.type != nullptr ? specifier.type
                                     : named_type(specifier, specifier.words.size(), 0);
}

void TsdlTypeParser::read_root_declaration()
{
    if (!take_type_declaration()) {
        read_type();
        m_lexer.expect_symbol(";");
    }
}

TsdlTypeParser::Specifier TsdlTypeParser::read_specifier()
{
    while (m_lexer.take_word("const")) {
    }
    Specifier specifier;
    const Token first = m_lexer.peek();
    specifier.at = first.at;
    if (first.kind != TokenKind::Word) {
        m_lexer.fail_here("a type");
        return specifier;
    }
    m_lexer.take();
    if (first.text == "integer") {
        specifier.type = read_integer();
    } else if (first.text == "floating_point") {
        specifier.type = read_real();
    } else if (first.text == "string") {
        specifier.type = read_string();
    } else if (first.text == "struct") {
        specifier.type = read_structure(first.at);
    } else if (first.text == "variant") {
        specifier.type = read_variant(first.at);
    } else if (first.text == "enum") {
        specifier.type = read_enumeration(first.at);
    } else {
        specifier.words.push_back(first.text);
        while (m_lexer.peek().kind == TokenKind::Word) {
            const std::string_view word = m_lexer.take().text;
            if (word != "const") {
                specifier.words.push_back(word);
            }
        }
    }
    while (m_lexer.take_word("const")) {
    }
    return specifier;
}

/// The type that the first words name, with a star for each pointer.
FieldDraftPtr TsdlTypeParser::named_type(const Specifier& specifier, std::size_t word_count,
                                         std::size_t pointers)
{
    std::string name;
    for (std::size_t at = 0; at < word_count && at < specifier.words.size(); ++at) {
        name += (at == 0 ? "" : " ");
        name += specifier.words[at];
    }
    for (std::size_t at = 0; at < pointers; ++at) {
        name += " *";
    }
    FieldDraftPtr type = name.empty() ? nullptr : m_types.find(name);
    if (type == nullptr) {
        m_lexer.fail(specifier.at, name.empty() ? "a type and a name"
                                                : fmt::format("the name of a type, found \"{}\"",
                                                              shown_name(name)));
    }
    return type;
}

/// The name and dimensions of one field. Of a specifier that is words the last one
/// is the first field's name.
TsdlTypeParser::Declarator TsdlTypeParser::read_declarator(Specifier& specifier, bool is_first)
{
    std::size_t pointers = 0;
    while (m_lexer.take_symbol("*")) {
        ++pointers;
        while (m_lexer.take_word("const")) {
        }
    }
    Declarator declarator;
    if (is_first && specifier.type == nullptr && pointers == 0) {
        if (specifier.words.empty()) {
            m_lexer.fail_here("a type");
            return declarator;
        }
        declarator.name = specifier.words.back();
        specifier.words.pop_back();
    } else if (m_lexer.peek().kind == TokenKind::Word) {
        declarator.name = m_lexer.take().text;
    } else {
        m_lexer.fail_here("the name of a field");
        return declarator;
    }
    if (specifier.type != nullptr && pointers > 0) {
        m_lexer.fail(specifier.at, "the name of a type before \"*\"");
        return declarator;
    }
    FieldDraftPtr type = specifier.type != nullptr
                             ? specifier.type
                             : named_type(specifier, specifier.words.size(), pointers);
    declarator.type = read_dimensions(std::move(type));
    return declarator;
}

/// `[2][3]` is two arrays of three, so the last one is innermost.
FieldDraftPtr TsdlTypeParser::read_dimensions(FieldDraftPtr element)
{
    std::vector<FieldDraft> dimensions;
    const std::size_t at = m_lexer.peek().at;
    while (m_lexer.take_symbol("[")) {
        auto dimension = read_length();
        m_lexer.expect_symbol("]");
        if (!dimension || m_lexer.failed() || dimensions.size() == field_depth_limit) {
            m_lexer.fail(at, fmt::format("no more than {} dimensions", field_depth_limit));
            return nullptr;
        }
        dimensions.push_back(std::move(*dimension));
    }
    while (!dimensions.empty() && element != nullptr) {
        FieldDraft array = std::move(dimensions.back());
        dimensions.pop_back();
        array.members.push_back({{}, std::move(element), {}});
        element = seal(std::move(array), at);
    }
    return m_lexer.failed() ? nullptr : element;
}

/// A number, an integer of the environment, or a field.
std::optional<FieldDraft> TsdlTypeParser::read_length()
{
    const TsdlValue value = read_value(m_lexer);
    FieldDraft draft;
    if (value.kind == TsdlValue::Kind::Number && !value.is_negative) {
        draft.shape.kind = ArrayClass{nullptr, value.number};
        return draft;
    }
    if (value.kind != TsdlValue::Kind::Name) {
        m_lexer.fail(value.at, "a length: a number or the name of a field");
        return {};
    }
    if (!value.text.starts_with("env.")) {
        draft.shape.kind = SequenceClass{};
        draft.reference = std::make_shared<const FieldReference>(make_reference(value));
        return draft;
    }
    const std::string_view written = text_of(m_environment, std::string_view{value.text}.substr(4));
    const char* const end = written.data() + written.size();
    std::uint64_t length = 0;
    const auto [stop, error] = std::from_chars(written.data(), end, length);
    if (error != std::errc{} || stop != end) {
        m_lexer.fail(value.at, "an environment entry that is a number and not negative");
        return {};
    }
    draft.shape.kind = ArrayClass{nullptr, length};
    return draft;
}

FieldReference TsdlTypeParser::make_reference(const TsdlValue& name) const
{
    FieldReference reference;
    reference.place = m_lexer.place(name.at);
    reference.goes_outward = true;
    std::string_view rest = name.text;
    for (const ScopePrefix& candidate : scope_prefixes) {
        if (rest.starts_with(candidate.prefix)) {
            reference.origin = candidate.scope;
            reference.goes_outward = false;
            rest.remove_prefix(candidate.prefix.size());
            break;
        }
    }
    while (true) {
        const std::size_t dot = rest.find('.');
        reference.path.emplace_back(rest.substr(0, dot));
        if (dot == std::string_view::npos) {
            return reference;
        }
        rest.remove_prefix(dot + 1);
    }
}

FieldDraftPtr TsdlTypeParser::seal(FieldDraft draft, std::size_t at)
{
    if (m_lexer.failed()) {
        return nullptr;
    }
    auto type = sealed(std::move(draft));
    if (!type) {
        constexpr std::string_view expected = "expected ";
        m_lexer.fail(at, std::string_view{type.error().message}.substr(expected.size()));
        return nullptr;
    }
    return std::move(*type);
}

void TsdlTypeParser::read_typedef()
{
    Specifier specifier = read_specifier();
    for (bool is_first = true; !m_lexer.failed(); is_first = false) {
        const std::size_t at = m_lexer.peek().at;
        const Declarator declarator = read_declarator(specifier, is_first);
        add_alias(std::string{declarator.name}, declarator.type, at);
        if (!m_lexer.take_symbol(",")) {
            break;
        }
    }
    m_lexer.expect_symbol(";");
}

void TsdlTypeParser::read_typealias()
{
    const Specifier specifier = read_specifier();
    std::size_t pointers = 0;
    while (m_lexer.take_symbol("*")) {
        ++pointers;
    }
    FieldDraftPtr type = specifier.type != nullptr && pointers == 0
                             ? specifier.type
                             : named_type(specifier, specifier.words.size(), pointers);
    type = read_dimensions(std::move(type));
    m_lexer.expect_symbol(":=");
    const std::size_t at = m_lexer.peek().at;
    std::string name;
    while (m_lexer.peek().kind == TokenKind::Word || m_lexer.is_symbol("*")) {
        const std::string_view part = m_lexer.take().text;
        if (part != "const") {
            name += (name.empty() ? "" : " ");
            name += part;
        }
    }
    if (name.empty()) {
        m_lexer.fail_here("the name of a type");
    }
    add_alias(std::move(name), type, at);
    m_lexer.expect_symbol(";");
}

void TsdlTypeParser::add_alias(std::string name, const FieldDraftPtr& type, std::size_t at)
{
    if (m_lexer.failed()) {
        return;
    }
    const auto* variant = std::get_if<VariantClass>(&type->shape.kind);
    if (variant != nullptr && type->reference == nullptr) {
        m_lexer.fail(at, "a variant with a tag");
        return;
    }
    const std::string shown = shown_name(name);
    if (!m_types.add(std::move(name), type)) {
        m_lexer.fail(at, fmt::format("a new name for a type, found \"{}\" again", shown));
    }
}

} // namespace lttng_gpu::trace::ctf
