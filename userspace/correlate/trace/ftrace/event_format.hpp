// SPDX-License-Identifier: MIT
//
// The description of an event's record as tracefs gives it (events/*/*/format) and
// trace.dat keeps it: where which field lies. The print format in it is not looked at.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lttng_gpu::trace::ftrace {

enum class RecordKind : std::uint8_t {
    Other, // arrays of numbers, structures: no single value
    Unsigned,
    Signed,
    Characters,    // an array of characters in the record
    LocatedText,   // __data_loc: offset and length of the text, from the record's begin
    RelativeText,  // __rel_loc: the same, from behind the field
    PointerToText, // only the address was recorded
};

struct RecordField {
    std::string name;
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
    RecordKind kind = RecordKind::Other;
};

struct EventFormat {
    std::string name;
    std::uint32_t id = 0;
    std::vector<RecordField> fields; // common_type and its like first
};

/// Nothing when it has no name or id. Lines that are no fields are passed over.
std::optional<EventFormat> parse_event_format(std::string_view text);

/// The lines `field:` of a text, also of header_page.
std::vector<RecordField> parse_record_fields(std::string_view text);

const RecordField* find_field(const std::vector<RecordField>& fields, std::string_view name);

} // namespace lttng_gpu::trace::ftrace
