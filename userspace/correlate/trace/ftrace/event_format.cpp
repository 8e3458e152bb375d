// SPDX-License-Identifier: MIT
//
// See event_format.hpp. Format: kernel/trace/trace_events.c, f_show():
//   field:__data_loc char[] name;<tab>offset:8;<tab>size:4;<tab>signed:0;
#include "event_format.hpp"

#include "text_value.hpp"

#include <algorithm>

namespace lttng_gpu::trace::ftrace {
namespace {

constexpr std::string_view blanks = " \t";

std::string_view trimmed(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

/// Takes what stands before the next `border`, which goes, too.
std::string_view take_until(std::string_view& text, char border)
{
    const std::size_t end = std::min(text.find(border), text.size());
    const std::string_view taken = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return taken;
}

/// The number behind `key` in the next part that ends in ';'.
std::optional<std::uint32_t> take_property(std::string_view& line, std::string_view key)
{
    std::string_view part = trimmed(take_until(line, ';'));
    if (!part.starts_with(key)) {
        return {};
    }
    part.remove_prefix(key.size());
    const auto value = take_digits(part);
    return value && *value <= UINT32_MAX ? std::optional{static_cast<std::uint32_t>(*value)}
                                         : std::nullopt;
}

bool is_of_characters(std::string_view type)
{
    const bool has_word = type == "char" || type.starts_with("char ") ||
                          type.starts_with("char[") || type.find(" char") != std::string_view::npos;
    return has_word && type.find("unsigned char") == std::string_view::npos;
}

RecordKind kind_of(std::string_view type, bool is_array, std::uint32_t size, bool is_signed)
{
    if (type.starts_with("__data_loc")) {
        return is_of_characters(type) && size == 4 ? RecordKind::LocatedText : RecordKind::Other;
    }
    if (type.starts_with("__rel_loc")) {
        return is_of_characters(type) && size == 4 ? RecordKind::RelativeText : RecordKind::Other;
    }
    if (is_array) {
        return is_of_characters(type) ? RecordKind::Characters : RecordKind::Other;
    }
    if (size != 1 && size != 2 && size != 4 && size != 8) {
        return RecordKind::Other;
    }
    if (type.ends_with('*')) {
        const bool is_text = is_of_characters(type) && type.find("**") == std::string_view::npos;
        return is_text ? RecordKind::PointerToText : RecordKind::Unsigned;
    }
    return is_signed ? RecordKind::Signed : RecordKind::Unsigned;
}

std::optional<RecordField> parse_field(std::string_view line)
{
    constexpr std::string_view begin = "field";
    line = trimmed(line);
    if (!line.starts_with(begin)) { // "field:", "field special:"
        return {};
    }
    take_until(line, ':');
    std::string_view declaration = trimmed(take_until(line, ';'));
    const auto offset = take_property(line, "offset:");
    const auto size = take_property(line, "size:");
    const auto is_signed = take_property(line, "signed:"); // missing before v2.6.32
    if (!offset || !size) {
        return {};
    }
    const bool is_array = declaration.ends_with(']');
    std::string_view type_and_name = declaration;
    if (is_array) {
        type_and_name = trimmed(declaration.substr(0, declaration.rfind('[')));
    }
    const std::size_t border = type_and_name.find_last_of(" \t*]") + 1;
    const std::string_view type = trimmed(type_and_name.substr(0, border));
    return RecordField{std::string{type_and_name.substr(border)}, *offset, *size,
                       kind_of(type, is_array, *size, is_signed.value_or(0) != 0)};
}

} // namespace

std::vector<RecordField> parse_record_fields(std::string_view text)
{
    std::vector<RecordField> fields;
    while (!text.empty()) {
        if (auto field = parse_field(take_until(text, '\n'))) {
            fields.push_back(std::move(*field));
        }
    }
    return fields;
}

std::optional<EventFormat> parse_event_format(std::string_view text)
{
    EventFormat format;
    bool has_id = false;
    const std::string_view record = text.substr(0, text.find("print fmt:"));
    for (std::string_view rest = record; !rest.empty();) {
        std::string_view line = trimmed(take_until(rest, '\n'));
        if (line.starts_with("name:")) {
            format.name = trimmed(line.substr(5));
        } else if (line.starts_with("ID:")) {
            std::string_view digits = trimmed(line.substr(3));
            const auto id = take_digits(digits);
            has_id = id && *id <= UINT16_MAX;
            format.id = static_cast<std::uint32_t>(id.value_or(0));
        }
    }
    if (!has_id || format.name.empty()) {
        return {};
    }
    format.fields = parse_record_fields(record);
    return format;
}

const RecordField* find_field(const std::vector<RecordField>& fields, std::string_view name)
{
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const RecordField& field) { return field.name == name; });
    return found == fields.end() ? nullptr : &*found;
}

} // namespace lttng_gpu::trace::ftrace
