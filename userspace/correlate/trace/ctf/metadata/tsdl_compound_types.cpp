// SPDX-License-Identifier: MIT
//
// Structures, variants and enumerations of TSDL (CTF 1.8.3, sections 4.1.8 and 4.2).
#include "tsdl_type_parser.hpp"

#include "shown_name.hpp"

#include <fmt/format.h>

namespace lttng_gpu::trace::ctf {

FieldDraftPtr TsdlTypeParser::find_tagged(const char* kind, std::string_view name, std::size_t at)
{
    FieldDraftPtr type = m_types.find(fmt::format("{} {}", kind, name));
    if (type == nullptr) {
        m_lexer.fail(at, fmt::format("a known {}, found \"{} {}\"", kind, kind, shown_name(name)));
    }
    return type;
}

void TsdlTypeParser::add_tagged(const char* kind, std::string_view name, const FieldDraftPtr& type,
                                std::size_t at)
{
    if (type == nullptr || name.empty()) {
        return;
    }
    if (!m_types.add(fmt::format("{} {}", kind, name), type)) {
        m_lexer.fail(at, fmt::format("a new name, found \"{} {}\" again", kind, shown_name(name)));
    }
}

FieldDraftPtr TsdlTypeParser::read_structure(std::size_t at)
{
    const std::string_view name =
        m_lexer.peek().kind == TokenKind::Word ? m_lexer.take().text : std::string_view{};
    if (!name.empty() && !m_lexer.is_symbol("{")) {
        return find_tagged("struct", name, at);
    }
    FieldDraft draft;
    StructureClass structure;
    read_members(draft);
    if (m_lexer.take_word("align")) {
        m_lexer.expect_symbol("(");
        structure.alignment = read_alignment();
        m_lexer.expect_symbol(")");
    }
    draft.shape.kind = structure;
    FieldDraftPtr type = seal(std::move(draft), at);
    add_tagged("struct", name, type, at);
    return type;
}

/// `variant name <tag> { … }`, of which the name, the tag or the body may be missing.
FieldDraftPtr TsdlTypeParser::read_variant(std::size_t at)
{
    const std::string_view name =
        m_lexer.peek().kind == TokenKind::Word ? m_lexer.take().text : std::string_view{};
    std::shared_ptr<const FieldReference> tag;
    if (m_lexer.take_symbol("<")) {
        tag = std::make_shared<const FieldReference>(make_reference(read_name(m_lexer)));
        m_lexer.expect_symbol(">");
    }
    FieldDraftPtr untagged;
    if (!name.empty() && !m_lexer.is_symbol("{")) {
        untagged = find_tagged("variant", name, at);
    } else {
        FieldDraft draft;
        read_members(draft);
        draft.shape.kind = VariantClass{};
        untagged = seal(std::move(draft), at);
        add_tagged("variant", name, untagged, at);
    }
    if (untagged == nullptr || tag == nullptr || m_lexer.failed()) {
        return m_lexer.failed() ? nullptr : untagged;
    }
    // A copy for each tag; what a text can ask for by this stays small.
    if (untagged->members.size() > m_copies_left) {
        m_lexer.fail(at, "fewer uses of large variants");
        return nullptr;
    }
    m_copies_left -= untagged->members.size();
    FieldDraft tagged = *untagged;
    tagged.reference = std::move(tag);
    return std::make_shared<const FieldDraft>(std::move(tagged));
}

/// The fields between braces; a structure's members or a variant's options.
void TsdlTypeParser::read_members(FieldDraft& draft)
{
    m_lexer.expect_symbol("{");
    if (++m_depth > field_depth_limit) {
        m_lexer.fail_here(fmt::format("no more than {} levels of fields", field_depth_limit));
    }
    const TsdlScope scope{m_types};
    while (!m_lexer.failed() && !m_lexer.take_symbol("}")) {
        if (take_type_declaration()) {
            continue;
        }
        Specifier specifier = read_specifier();
        for (bool is_first = true; !m_lexer.failed(); is_first = false) {
            const std::size_t at = m_lexer.peek().at;
            Declarator field = read_declarator(specifier, is_first);
            if (m_lexer.failed()) {
                break;
            }
            if (std::holds_alternative<VariantClass>(field.type->shape.kind) &&
                field.type->reference == nullptr) {
                m_lexer.fail(at, "a variant with a tag");
            }
            draft.members.push_back({std::string{field.name}, std::move(field.type), {}});
            if (!m_lexer.take_symbol(",")) {
                break;
            }
        }
        m_lexer.expect_symbol(";");
    }
    --m_depth;
}

/// `enum name : type { … }`, of which the name, the type or the body may be missing.
FieldDraftPtr TsdlTypeParser::read_enumeration(std::size_t at)
{
    const std::string_view name =
        m_lexer.peek().kind == TokenKind::Word ? m_lexer.take().text : std::string_view{};
    const bool has_type = m_lexer.take_symbol(":");
    if (!name.empty() && !has_type && !m_lexer.is_symbol("{")) {
        return find_tagged("enum", name, at);
    }
    if (++m_depth > field_depth_limit) { // an enumeration of an enumeration of …
        m_lexer.fail_here(fmt::format("no more than {} levels of types", field_depth_limit));
    }
    const FieldDraftPtr container = has_type ? read_type() : m_types.find("int");
    --m_depth;
    if (container == nullptr || !std::holds_alternative<IntegerClass>(container->shape.kind)) {
        m_lexer.fail(at, "an enumeration of integers");
        return nullptr;
    }
    Labels labels;
    read_labels(labels);
    FieldDraft draft = *container;
    std::get<IntegerClass>(draft.shape.kind).is_character = false;
    draft.labels = std::make_shared<const Labels>(std::move(labels));
    FieldDraftPtr type = m_lexer.failed() ? nullptr : std::make_shared<const FieldDraft>(draft);
    add_tagged("enum", name, type, at);
    return type;
}

void TsdlTypeParser::read_labels(Labels& labels)
{
    m_lexer.expect_symbol("{");
    std::uint64_t next = 0; // of a label without a value
    while (!m_lexer.failed() && !m_lexer.take_symbol("}")) {
        const Token token = m_lexer.peek();
        const bool is_label = token.kind == TokenKind::Word || token.kind == TokenKind::Text;
        auto label = is_label ? unescaped(token.text) : std::nullopt;
        if (!label) {
            m_lexer.fail_here("a label");
            return;
        }
        m_lexer.take();
        ValueRange range{next, next};
        if (m_lexer.take_symbol("=")) {
            const TsdlValue lower = read_value(m_lexer);
            range = {lower.number, lower.number};
            const TsdlValue upper = m_lexer.take_symbol("...") ? read_value(m_lexer) : lower;
            range.upper = upper.number;
            if (lower.is_text() || upper.is_text()) {
                m_lexer.fail(lower.at, "a number or a range of numbers");
                return;
            }
        }
        next = range.upper + 1;
        labels[std::move(*label)].push_back(range);
        if (!m_lexer.take_symbol(",") && !m_lexer.is_symbol("}")) {
            m_lexer.fail_here("\",\" or \"}\"");
        }
    }
}

} // namespace lttng_gpu::trace::ctf
