// SPDX-License-Identifier: MIT
//
// See tsdl_field_printer.hpp.
#include "tsdl_field_printer.hpp"

#include "../correlate/trace/ctf/metadata/field_roles.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace lttng_gpu::exporting {
namespace {

using namespace trace::ctf;

/// In a way: what TSDL has no path through.
constexpr char closed_step = '[';

struct ScopeName {
    const char* name;
    const char* origin; // of a path to a field inside
    /// Outside of headers names get the underscore that readers take off again, so that
    /// no name is a word of TSDL.
    bool has_prefixes;
};

constexpr ScopeName scope_names[scope_count]{
    {"packet.header", "trace.packet.header", false},
    {"packet.context", "stream.packet.context", false},
    {"event.header", "stream.event.header", false},
    {"event.context", "stream.event.context", true},
    {"context", "event.context", true},
    {"fields", "event.fields", true},
};

bool is_identifier(std::string_view name)
{
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_';
    });
}

const char* byte_order(ByteOrder order)
{
    return order == ByteOrder::Big ? "be" : "le";
}

Role role_of(const FieldClass& type)
{
    return std::visit(
        [](const auto& kind) {
            if constexpr (requires { kind.role; }) {
                return kind.role;
            } else {
                return Role::None;
            }
        },
        type.kind);
}

std::uint32_t alignment_of(const FieldClass& type)
{
    return std::visit(
        [](const auto& kind) {
            if constexpr (requires { kind.alignment; }) {
                return kind.alignment;
            } else {
                return std::uint32_t{1};
            }
        },
        type.kind);
}

std::string bound(std::uint64_t value, bool is_signed)
{
    return is_signed ? std::to_string(static_cast<std::int64_t>(value)) : std::to_string(value);
}

std::string enumeration(const std::string& integer, const Labels& labels, bool is_signed)
{
    std::string text = "enum : " + integer + " {";
    for (const auto& [label, ranges] : labels) {
        for (const ValueRange& range : ranges) {
            text += fmt::format(" {} = {} ... {},", tsdl_text(label), bound(range.lower, is_signed),
                                bound(range.upper, is_signed));
        }
    }
    return text + " }";
}

void expect_bytes(std::uint32_t unit_bytes)
{
    if (unit_bytes != 1) {
        throw Untranslatable{fmt::format("a string in UTF-{}", unit_bytes * 8)};
    }
}

constexpr const char* byte_type = "integer { size = 8; align = 8; signed = false; }";
constexpr const char* character_type =
    "integer { size = 8; align = 8; signed = false; encoding = UTF8; }";

} // namespace

std::string tsdl_text(std::string_view text)
{
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            quoted += '\\';
        }
        quoted += c == '\n' ? "\\n" : std::string(1, c);
    }
    return quoted + '"';
}

std::string TsdlFieldPrinter::scope(Scope scope, const FieldClass& type)
{
    const ScopeName& known = scope_names[static_cast<std::size_t>(scope)];
    m_has_prefixes = known.has_prefixes;
    m_way = known.origin;
    return fmt::format("{} := {};\n", known.name, declare(type).type);
}

TsdlFieldPrinter::Declaration TsdlFieldPrinter::declare(const FieldClass& type)
{
    return std::visit([this](const auto& kind) { return declare(kind); }, type.kind);
}

TsdlFieldPrinter::Declaration TsdlFieldPrinter::inside(const std::string& step,
                                                       const FieldClass& type)
{
    const std::string way = std::exchange(m_way, m_way + step);
    Declaration declared = declare(type);
    m_way = way;
    return declared;
}

TsdlFieldPrinter::Declaration TsdlFieldPrinter::declare(const IntegerClass& type)
{
    if (type.kind != IntegerKind::Number) {
        throw Untranslatable{type.kind == IntegerKind::Boolean ? "a boolean field"
                                                               : "a field of bits"};
    }
    const bool has_clock = type.role == Role::PacketBegin || type.role == Role::PacketEnd ||
                           type.role == Role::Timestamp;
    const std::string integer = fmt::format(
        "integer {{ size = {}; align = {}; signed = {}; byte_order = {}; base = {};{}{} }}",
        type.bits, type.alignment, type.is_signed, byte_order(type.byte_order), type.base,
        type.is_character ? " encoding = UTF8;" : "",
        has_clock && !m_clock.empty() ? " map = clock." + m_clock + ".value;" : "");
    return {type.labels ? enumeration(integer, *type.labels, type.is_signed) : integer};
}

TsdlFieldPrinter::Declaration TsdlFieldPrinter::declare(const VariableIntegerClass&)
{
    throw Untranslatable{"an integer of variable length"};
}

TsdlFieldPrinter::Declaration TsdlFieldPrinter::declare(const RealClass& type)
{
    if (type.bits != 32 && type.bits != 64) {
        throw Untranslatable{fmt::format("a floating point number of {} bits", type.bits)};
    }
    return {fmt::format(
        "floating_point {{ exp_dig = {}; mant_dig = {}; byte_order = {}; align = {}; }}",
        type.bits == 32 ? 8 : 11, type.bits == 32 ? 24 : 53, byte_order(type.byte_order),
        type.alignment)};
}

TsdlFieldPrinter::Declaration TsdlFieldPrinter::declare(const StringClass& type)
{
    expect_bytes(type.unit_bytes);
    return {"string { encoding = UTF8; }"};
}

TsdlFieldPrinter::Declaration TsdlFieldPrinter::declare(const StructureClass& type)
{
    const std::string around = std::exchange(m_around, m_way);
    std::string text = "struct {\n";
    for (const Member& member : type.members) {
        const std::string name = name_of(member);
        const Declaration declared = inside("." + name, *member.type);
        text += fmt::format("\t{} {}{};\n", declared.type, name, declared.suffix);
        keep(*member.type, name);
    }
    m_around = around;
    return {text + fmt::format("}} align({})", type.alignment)};
}

TsdlFieldPrinter::Declaration TsdlFieldPrinter::declare(const ArrayClass& type)
{
    return array(*type.element, type.alignment, std::to_string(type.length));
}

TsdlFieldPrinter::Declaration TsdlFieldPrinter::declare(const SequenceClass& type)
{
    return array(*type.element, type.alignment, place(type.length));
}

TsdlFieldPrinter::Declaration TsdlFieldPrinter::declare(const StaticTextClass& type)
{
    expect_bytes(type.unit_bytes);
    return {character_type, fmt::format("[{}]", type.bytes)};
}

TsdlFieldPrinter::Declaration TsdlFieldPrinter::declare(const DynamicTextClass& type)
{
    expect_bytes(type.unit_bytes);
    return {character_type, "[" + place(type.bytes) + "]"};
}

TsdlFieldPrinter::Declaration TsdlFieldPrinter::declare(const StaticBlobClass& type)
{
    if (type.role != Role::TraceUuid) {
        throw Untranslatable{"a blob"};
    }
    return {byte_type, fmt::format("[{}]", type.bytes)};
}

TsdlFieldPrinter::Declaration TsdlFieldPrinter::declare(const DynamicBlobClass&)
{
    throw Untranslatable{"a blob"};
}

/// TSDL selects by labels of an enumeration: they have to be those of the options.
TsdlFieldPrinter::Declaration TsdlFieldPrinter::declare(const VariantClass& type)
{
    const auto labels = kept(type.tag).labels;
    if (labels == nullptr) {
        throw Untranslatable{"a variant whose selector is not an enumeration"};
    }
    std::string text = "variant <" + place(type.tag) + "> {\n";
    for (const VariantOption& option : type.options) {
        const auto label = labels->find(option.name);
        if (label == labels->end() || label->second != option.ranges ||
            !is_identifier(option.name)) {
            throw Untranslatable{
                "a variant whose options are not named like the mappings of its selector"};
        }
        const Declaration declared = inside(closed_step + option.name, *option.type);
        text += fmt::format("\t{} {}{};\n", declared.type, option.name, declared.suffix);
    }
    return {text + "}"};
}

TsdlFieldPrinter::Declaration TsdlFieldPrinter::declare(const OptionalClass&)
{
    throw Untranslatable{"an optional field"};
}

TsdlFieldPrinter::Declaration TsdlFieldPrinter::array(const FieldClass& element,
                                                      std::uint32_t alignment,
                                                      const std::string& length)
{
    const Declaration declared = inside(std::string(1, closed_step), element);
    if (!declared.suffix.empty()) {
        throw Untranslatable{"an array of arrays"};
    }
    // TSDL aligns an array as its elements.
    if (alignment > alignment_of(element)) {
        throw Untranslatable{"an array with its own alignment"};
    }
    return {declared.type, "[" + length + "]"};
}

/// TSDL tells meanings by names, the schema by roles.
std::string TsdlFieldPrinter::name_of(const Member& member) const
{
    const std::string_view meaning = name_of_role(role_of(*member.type));
    if (!meaning.empty()) {
        return std::string{meaning};
    }
    if (!is_identifier(member.name)) {
        throw Untranslatable{"a field named " + member.name};
    }
    return m_has_prefixes ? "_" + member.name : member.name;
}

void TsdlFieldPrinter::keep(const FieldClass& type, const std::string& name)
{
    const auto* integer = std::get_if<IntegerClass>(&type.kind);
    if (integer != nullptr && integer->keeps) {
        const bool is_one = !m_kept.contains(*integer->keeps);
        m_kept[*integer->keeps] = {name, m_around, integer->labels, is_one};
    }
}

const TsdlFieldPrinter::Kept& TsdlFieldPrinter::kept(Register number) const
{
    const auto found = m_kept.find(number);
    if (found == m_kept.end()) {
        throw Untranslatable{"a length or selector that is no member of a structure"};
    }
    return found->second;
}

/// A neighbour by its name, anything else by the whole way to it.
std::string TsdlFieldPrinter::place(Register number) const
{
    const Kept& field = kept(number);
    if (field.around == m_around) {
        return field.name;
    }
    if (!field.is_one || field.around.find(closed_step) != std::string::npos) {
        throw Untranslatable{"a length or selector in an array or variant, for a field outside of "
                             "its structure"};
    }
    return field.around + "." + field.name;
}

} // namespace lttng_gpu::exporting
