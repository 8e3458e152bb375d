// SPDX-License-Identifier: MIT
#include "ctf2_fields.hpp"

#include "field_roles.hpp"
#include "shown_name.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lttng_gpu::trace::ctf {

const Ctf2Fields::Kind Ctf2Fields::kinds[]{
    {"fixed-length-unsigned-integer", &Ctf2Fields::fill_unsigned},
    {"fixed-length-signed-integer", &Ctf2Fields::fill_signed},
    {"fixed-length-bit-array", &Ctf2Fields::fill_bits},
    {"fixed-length-bit-map", &Ctf2Fields::fill_bits},
    {"fixed-length-boolean", &Ctf2Fields::fill_boolean},
    {"fixed-length-floating-point-number", &Ctf2Fields::fill_real},
    {"variable-length-unsigned-integer", &Ctf2Fields::fill_variable_unsigned},
    {"variable-length-signed-integer", &Ctf2Fields::fill_variable_signed},
    {"null-terminated-string", &Ctf2Fields::fill_string},
    {"static-length-string", &Ctf2Fields::fill_static_text},
    {"dynamic-length-string", &Ctf2Fields::fill_dynamic_text},
    {"static-length-blob", &Ctf2Fields::fill_static_blob},
    {"dynamic-length-blob", &Ctf2Fields::fill_dynamic_blob},
    {"structure", &Ctf2Fields::fill_structure},
    {"static-length-array", &Ctf2Fields::fill_static_array},
    {"dynamic-length-array", &Ctf2Fields::fill_dynamic_array},
    {"optional", &Ctf2Fields::fill_optional},
    {"variant", &Ctf2Fields::fill_variant},
};

FieldDraftPtr Ctf2Fields::read(const JsonPlace& place)
{
    if (m_json.failed()) {
        return nullptr;
    }
    if (place.exists() && place.value->is_string()) {
        return find_alias(place);
    }
    if (!place.exists() || !place.value->is_object()) {
        m_json.fail(place, "a field class or the name of one");
        return nullptr;
    }
    if (m_depth == field_depth_limit) {
        m_json.fail(place, fmt::format("no more than {} levels of fields", field_depth_limit));
        return nullptr;
    }
    ++m_depth;
    m_json.expect_no_extensions(place);
    const JsonPlace type = json_member(place, "type");
    const std::string name = m_json.text(type);
    Fill fill = nullptr;
    for (const Kind& kind : kinds) {
        fill = kind.type == name ? kind.fill : fill;
    }
    FieldDraft draft;
    if (fill == nullptr) {
        m_json.fail(type, "a type of field class");
    } else {
        (this->*fill)(place, draft);
    }
    --m_depth;
    return seal(std::move(draft), place);
}

FieldDraftPtr Ctf2Fields::read_optional(const JsonPlace& place)
{
    return place.exists() ? read(place) : nullptr;
}

void Ctf2Fields::read_alias(const JsonPlace& fragment)
{
    const JsonPlace name_place = json_member(fragment, "name");
    std::string name = m_json.text(name_place);
    const JsonPlace field_class = json_member(fragment, "field-class");
    FieldDraftPtr type = read(field_class);
    if (type != nullptr && !m_aliases.emplace(std::move(name), std::move(type)).second) {
        m_json.fail(name_place, "a new name for a field class");
    }
}

FieldDraftPtr Ctf2Fields::find_alias(const JsonPlace& place)
{
    const auto found = m_aliases.find(place.value->get<std::string>());
    if (found == m_aliases.end()) {
        m_json.fail(place, "the name of a field class alias that comes before");
        return nullptr;
    }
    return found->second;
}

FieldDraftPtr Ctf2Fields::seal(FieldDraft draft, const JsonPlace& place)
{
    if (m_json.failed()) {
        return nullptr;
    }
    auto type = sealed(std::move(draft));
    if (!type) {
        constexpr std::string_view expected = "expected ";
        m_json.fail(place, std::string_view{type.error().message}.substr(expected.size()));
        return nullptr;
    }
    return std::move(*type);
}

void Ctf2Fields::fill_string(const JsonPlace& place, FieldDraft& draft)
{
    draft.shape.kind = StringClass{read_unit_bytes(place)};
}

void Ctf2Fields::fill_static_text(const JsonPlace& place, FieldDraft& draft)
{
    const JsonPlace length = json_member(place, "length");
    draft.shape.kind = StaticTextClass{m_json.count(length), read_unit_bytes(place)};
}

void Ctf2Fields::fill_dynamic_text(const JsonPlace& place, FieldDraft& draft)
{
    draft.shape.kind = DynamicTextClass{0, read_unit_bytes(place)};
    read_reference(place, "length-field-location", draft);
}

void Ctf2Fields::fill_static_blob(const JsonPlace& place, FieldDraft& draft)
{
    const JsonPlace length = json_member(place, "length");
    draft.shape.kind = StaticBlobClass{m_json.count(length)};
    read_roles(place, draft);
}

void Ctf2Fields::fill_dynamic_blob(const JsonPlace& place, FieldDraft& draft)
{
    draft.shape.kind = DynamicBlobClass{};
    read_reference(place, "length-field-location", draft);
}

void Ctf2Fields::fill_structure(const JsonPlace& place, FieldDraft& draft)
{
    const JsonPlace alignment = json_member(place, "minimum-alignment");
    StructureClass structure;
    structure.alignment = m_json.alignment(alignment);
    draft.shape.kind = structure;
    const JsonPlace members = json_member(place, "member-classes");
    if (members.exists()) {
        m_json.expect_array(members);
    }
    for (std::size_t at = 0; at < json_size(members) && !m_json.failed(); ++at) {
        const JsonPlace member = json_element(members, at);
        m_json.expect_no_extensions(member);
        const JsonPlace name = json_member(member, "name");
        const JsonPlace field_class = json_member(member, "field-class");
        std::string name_text = m_json.text(name);
        draft.members.push_back({std::move(name_text), read(field_class), {}});
    }
}

void Ctf2Fields::fill_static_array(const JsonPlace& place, FieldDraft& draft)
{
    const JsonPlace length = json_member(place, "length");
    const JsonPlace alignment = json_member(place, "minimum-alignment");
    draft.shape.kind = ArrayClass{nullptr, m_json.count(length), m_json.alignment(alignment)};
    read_element(place, "element-field-class", draft);
}

void Ctf2Fields::fill_dynamic_array(const JsonPlace& place, FieldDraft& draft)
{
    const JsonPlace alignment = json_member(place, "minimum-alignment");
    draft.shape.kind = SequenceClass{nullptr, 0, m_json.alignment(alignment)};
    read_reference(place, "length-field-location", draft);
    read_element(place, "element-field-class", draft);
}

void Ctf2Fields::fill_optional(const JsonPlace& place, FieldDraft& draft)
{
    OptionalClass optional;
    const JsonPlace ranges = json_member(place, "selector-field-ranges");
    if (ranges.exists()) {
        optional.ranges = m_json.ranges(ranges);
    }
    draft.shape.kind = std::move(optional);
    read_reference(place, "selector-field-location", draft);
    read_element(place, "field-class", draft);
}

void Ctf2Fields::fill_variant(const JsonPlace& place, FieldDraft& draft)
{
    draft.shape.kind = VariantClass{};
    read_reference(place, "selector-field-location", draft);
    const JsonPlace options = json_member(place, "options");
    m_json.expect_array(options);
    for (std::size_t at = 0; at < json_size(options) && !m_json.failed(); ++at) {
        const JsonPlace option = json_element(options, at);
        m_json.expect_no_extensions(option);
        const JsonPlace name = json_member(option, "name");
        const JsonPlace ranges = json_member(option, "selector-field-ranges");
        const JsonPlace field_class = json_member(option, "field-class");
        std::string name_text = m_json.text_or_empty(name);
        auto option_ranges = m_json.ranges(ranges);
        draft.members.push_back(
            {std::move(name_text), read(field_class), std::move(option_ranges)});
    }
    if (draft.members.empty()) {
        m_json.fail(options, "one or more options");
    }
}

std::uint32_t Ctf2Fields::read_unit_bytes(const JsonPlace& place)
{
    const JsonPlace encoding = json_member(place, "encoding");
    const std::string name = encoding.exists() ? m_json.text(encoding) : "utf-8";
    if (name == "utf-16be" || name == "utf-16le") {
        return 2;
    }
    if (name == "utf-32be" || name == "utf-32le") {
        return 4;
    }
    if (name != "utf-8") {
        m_json.fail(encoding, "an encoding: utf-8, or utf-16 or utf-32 with be or le");
    }
    return 1;
}

void Ctf2Fields::read_roles(const JsonPlace& place, FieldDraft& draft)
{
    const JsonPlace roles = json_member(place, "roles");
    if (roles.exists()) {
        m_json.expect_array(roles);
    }
    for (std::size_t at = 0; at < json_size(roles) && !m_json.failed(); ++at) {
        const JsonPlace name = json_element(roles, at);
        const Role role = role_named(m_json.text(name));
        if (role == Role::None) {
            m_json.fail(name, "a role of CTF 2");
        }
        draft.roles.push_back(role);
    }
}

void Ctf2Fields::read_element(const JsonPlace& place, std::string_view key, FieldDraft& draft)
{
    const JsonPlace element = json_member(place, key);
    FieldDraftPtr type = read(element);
    draft.members.push_back({{}, std::move(type), {}});
}

void Ctf2Fields::read_reference(const JsonPlace& place, std::string_view key, FieldDraft& draft)
{
    constexpr std::pair<std::string_view, Scope> origins[]{
        {"packet-header", Scope::PacketHeader},
        {"packet-context", Scope::PacketContext},
        {"event-record-header", Scope::EventHeader},
        {"event-record-common-context", Scope::CommonContext},
        {"event-record-specific-context", Scope::SpecificContext},
        {"event-record-payload", Scope::Payload},
    };
    const JsonPlace location = json_member(place, key);
    m_json.expect_object(location);
    FieldReference reference;
    reference.place = json_place(location);
    const JsonPlace origin = json_member(location, "origin");
    if (origin.exists()) {
        const std::string name = m_json.text(origin);
        for (const auto& [known, scope] : origins) {
            reference.origin = known == name ? scope : reference.origin;
        }
        if (!reference.origin) {
            m_json.fail(origin, "an origin: packet-header, event-record-payload or another");
        }
    }
    const JsonPlace path = json_member(location, "path");
    m_json.expect_array(path);
    for (std::size_t at = 0; at < json_size(path) && !m_json.failed(); ++at) {
        const JsonPlace part = json_element(path, at);
        if (part.value->is_null() && reference.path.empty() && !reference.origin) {
            ++reference.levels_up;
        } else {
            reference.path.push_back(m_json.text(part));
        }
    }
    if (reference.path.empty()) {
        m_json.fail(path, "the name of a field");
    }
    draft.reference = std::make_shared<const FieldReference>(std::move(reference));
}

} // namespace lttng_gpu::trace::ctf
