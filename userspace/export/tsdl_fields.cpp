// SPDX-License-Identifier: MIT
//
// See tsdl_fields.hpp.
#include "tsdl_fields.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace lttng_gpu::exporting {
namespace {

using Json = TsdlJson;

struct RoleName {
    std::string_view role;
    const char* name;
    bool has_clock;
};

constexpr std::array role_names{
    RoleName{"packet-magic-number", "magic", false},
    RoleName{"metadata-stream-uuid", "uuid", false},
    RoleName{"data-stream-class-id", "stream_id", false},
    RoleName{"data-stream-id", "stream_instance_id", false},
    RoleName{"packet-total-length", "packet_size", false},
    RoleName{"packet-content-length", "content_size", false},
    RoleName{"packet-end-default-clock-timestamp", "timestamp_end", true},
    RoleName{"discarded-event-record-counter-snapshot", "events_discarded", false},
    RoleName{"packet-sequence-number", "packet_seq_num", false},
    RoleName{"event-record-class-id", "id", false},
    RoleName{"default-clock-timestamp", "timestamp", true},
};

const RoleName* role_of(const Json& field_class)
{
    const auto roles = field_class.find("roles");
    if (roles == field_class.end() || roles->empty()) {
        return nullptr;
    }
    const std::string role = roles->front().get<std::string>();
    const auto* found = std::find_if(role_names.begin(), role_names.end(),
                                     [&](const RoleName& known) { return known.role == role; });
    if (roles->size() != 1 || found == role_names.end()) {
        throw Untranslatable{"a field with the role " + role};
    }
    return found;
}

std::string text_or(const Json& object, const char* key, const char* fallback)
{
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? fallback : found->get<std::string>();
}

std::uint64_t number_or(const Json& object, const char* key, std::uint64_t fallback)
{
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? fallback : found->get<std::uint64_t>();
}

std::string byte_order(const Json& field_class)
{
    return text_or(field_class, "byte-order", "little-endian") == "big-endian" ? "be" : "le";
}

bool is_type(const Json& field_class, std::string_view type)
{
    return field_class.at("type").get<std::string>() == type;
}

bool has_role(const Json& field_class, std::string_view role)
{
    const auto* found = role_of(field_class);
    return found != nullptr && found->role == role;
}

} // namespace

std::string tsdl_text(const std::string& text)
{
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            quoted += '\\';
        }
        if (c == '\n') {
            quoted += "\\n";
        } else {
            quoted += c;
        }
    }
    return quoted + '"';
}

void TsdlFields::add_alias(const std::string& name, Json field_class)
{
    x_aliases[name] = std::move(field_class);
}

const Json& TsdlFields::resolve(const Json& field_class) const
{
    const Json* at = &field_class;
    while (at->is_string()) { // sound metadata has no circles: an alias comes before its use
        at = &x_aliases.at(at->get<std::string>());
    }
    return *at;
}

std::string TsdlFields::name_of(const Json& member, const Json& field_class, TsdlNames names) const
{
    const auto name = member.at("name").get<std::string>();
    if (names == TsdlNames::Prefixed) {
        const auto is_good = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                   c == '_';
        };
        if (!std::all_of(name.begin(), name.end(), is_good)) {
            throw Untranslatable{"a field named " + name};
        }
        return "_" + name;
    }
    const RoleName* role = role_of(field_class);
    if (role == nullptr) {
        return name;
    }
    // The same role at the beginning of a packet.
    return role->role == "default-clock-timestamp" && name == "timestamp_begin" ? name : role->name;
}

std::string TsdlFields::structure(const Json& field_class, TsdlNames names)
{
    const Json& resolved = resolve(field_class);
    std::string text = "struct {\n";
    const auto members = resolved.find("member-classes");
    if (members != resolved.end() && members->is_array()) {
        for (const Json& member : *members) {
            const Json& type = resolve(member.at("field-class"));
            const Declaration declared = declare(type, names, resolved);
            text += fmt::format("\t{} {}{};\n", declared.type, name_of(member, type, names),
                                declared.suffix);
        }
    }
    return text + fmt::format("}} align({})", number_or(resolved, "minimum-alignment", 1));
}

TsdlFields::Declaration TsdlFields::declare(const Json& field_class, TsdlNames names,
                                            const Json& around)
{
    const Json& type = resolve(field_class);
    if (is_type(type, "fixed-length-unsigned-integer")) {
        return {integer(type, false, false), ""};
    }
    if (is_type(type, "fixed-length-signed-integer")) {
        return {integer(type, true, false), ""};
    }
    if (is_type(type, "fixed-length-floating-point-number")) {
        return {real(type), ""};
    }
    if (is_type(type, "null-terminated-string")) {
        return text(type, "");
    }
    if (is_type(type, "static-length-string")) {
        return text(type, std::to_string(type.at("length").get<std::uint64_t>()));
    }
    if (is_type(type, "dynamic-length-string")) {
        return text(type, place(type.at("length-field-location"), names, around));
    }
    if (is_type(type, "structure")) {
        return {structure(type, names), ""};
    }
    if (is_type(type, "static-length-array")) {
        return array(type, std::to_string(type.at("length").get<std::uint64_t>()), names, around);
    }
    if (is_type(type, "dynamic-length-array")) {
        return array(type, place(type.at("length-field-location"), names, around), names, around);
    }
    if (is_type(type, "variant")) {
        return {variant(type, names, around), ""};
    }
    if (is_type(type, "static-length-blob") && has_role(type, "metadata-stream-uuid")) {
        return {"integer { size = 8; align = 8; signed = false; }", "[16]"};
    }
    throw Untranslatable{"the field class " + type.at("type").get<std::string>()};
}

std::string TsdlFields::integer(const Json& field_class, bool is_signed, bool is_text) const
{
    if (!is_text && field_class.contains("mappings") && !field_class.at("mappings").is_null()) {
        return enumeration(field_class, is_signed);
    }
    const RoleName* role = role_of(field_class);
    const bool has_clock = role != nullptr && role->has_clock && !x_clock.empty();
    return fmt::format(
        "integer {{ size = {}; align = {}; signed = {}; byte_order = {}; base = "
        "{};{}{} }}",
        field_class.at("length").get<std::uint64_t>(), number_or(field_class, "alignment", 1),
        is_signed, byte_order(field_class), number_or(field_class, "preferred-display-base", 10),
        is_text ? " encoding = UTF8;" : "", has_clock ? " map = clock." + x_clock + ".value;" : "");
}

std::string TsdlFields::enumeration(const Json& field_class, bool is_signed) const
{
    Json plain = field_class;
    plain.erase("mappings");
    std::string text = "enum : " + integer(plain, is_signed, false) + " {";
    for (const auto& [label, ranges] : field_class.at("mappings").items()) {
        for (const Json& range : ranges) {
            text += fmt::format(" {} = {} ... {},", tsdl_text(label), range.at(0).dump(),
                                range.at(1).dump());
        }
    }
    return text + " }";
}

std::string TsdlFields::real(const Json& field_class) const
{
    const auto bits = field_class.at("length").get<std::uint64_t>();
    if (bits != 32 && bits != 64) {
        throw Untranslatable{fmt::format("a floating point number of {} bits", bits)};
    }
    return fmt::format("floating_point {{ exp_dig = {}; mant_dig = {}; byte_order = {}; align = "
                       "{}; }}",
                       bits == 32 ? 8 : 11, bits == 32 ? 24 : 53, byte_order(field_class),
                       number_or(field_class, "alignment", 1));
}

TsdlFields::Declaration TsdlFields::text(const Json& field_class, const std::string& length) const
{
    if (text_or(field_class, "encoding", "utf-8") != "utf-8") {
        throw Untranslatable{"a string in the encoding " + text_or(field_class, "encoding", "")};
    }
    if (length.empty()) {
        return {"string { encoding = UTF8; }", ""};
    }
    return {"integer { size = 8; align = 8; signed = false; encoding = UTF8; }",
            "[" + length + "]"};
}

TsdlFields::Declaration TsdlFields::array(const Json& field_class, const std::string& length,
                                          TsdlNames names, const Json& around)
{
    const Json& element = resolve(field_class.at("element-field-class"));
    const Declaration declared = declare(element, names, around);
    if (!declared.suffix.empty()) {
        throw Untranslatable{"an array of arrays"};
    }
    // TSDL aligns an array as its elements.
    if (number_or(field_class, "minimum-alignment", 1) >
        number_or(element, is_type(element, "structure") ? "minimum-alignment" : "alignment", 1)) {
        throw Untranslatable{"an array with its own alignment"};
    }
    return {declared.type, "[" + length + "]"};
}

/// A neighbour by its name, anything else by the whole way to it.
std::string TsdlFields::place(const Json& location, TsdlNames names, const Json& around) const
{
    const Json& path = location.at("path");
    const std::string prefix = names == TsdlNames::Prefixed ? "_" : "";
    if (path.size() == 1) {
        for (const Json& member : around.at("member-classes")) {
            if (member.at("name") == path.front()) {
                return prefix + path.front().get<std::string>();
            }
        }
    }
    static const std::map<std::string, std::string> origins{
        {"packet-header", "trace.packet.header"},
        {"packet-context", "stream.packet.context"},
        {"event-record-header", "stream.event.header"},
        {"event-record-common-context", "stream.event.context"},
        {"event-record-specific-context", "event.context"},
        {"event-record-payload", "event.fields"}};
    const auto origin = origins.find(text_or(location, "origin", ""));
    if (origin == origins.end()) {
        throw Untranslatable{
            "a length or selector field outside of its structure, without an origin"};
    }
    std::string whole = origin->second;
    for (const Json& step : path) {
        if (!step.is_string()) {
            throw Untranslatable{"a path to a length or selector field that goes up"};
        }
        const bool is_plain = origin->first == "packet-header" ||
                              origin->first == "packet-context" ||
                              origin->first == "event-record-header";
        whole += (is_plain ? "." : "._") + step.get<std::string>();
    }
    return whole;
}

/// TSDL selects by labels of an enumeration: they have to be those of the options.
std::string TsdlFields::variant(const Json& field_class, TsdlNames names, const Json& around)
{
    const Json& location = field_class.at("selector-field-location");
    const Json* selector = nullptr;
    for (const Json& member : around.at("member-classes")) {
        if (location.at("path").size() == 1 && member.at("name") == location.at("path").front()) {
            selector = &resolve(member.at("field-class"));
        }
    }
    if (selector == nullptr || !selector->contains("mappings")) {
        throw Untranslatable{
            "a variant whose selector is not an enumeration in the same structure"};
    }
    std::string text = "variant <" + place(location, names, around) + "> {\n";
    for (const Json& option : field_class.at("options")) {
        const auto name = option.at("name").get<std::string>();
        const auto label = selector->at("mappings").find(name);
        if (label == selector->at("mappings").end() ||
            *label != option.at("selector-field-ranges")) {
            throw Untranslatable{
                "a variant whose options are not named like the mappings of its selector"};
        }
        const Json& type = resolve(option.at("field-class"));
        const Declaration declared = declare(type, names, around);
        text += fmt::format("\t{} {}{};\n", declared.type, name, declared.suffix);
    }
    return text + "}";
}

} // namespace lttng_gpu::exporting
