// SPDX-License-Identifier: MIT
//
// Field classes of CTF 2 (CTF2-SPEC-2.0, section 5.3) and their aliases, from
// JSON to drafts. A failure is kept in the JSON reader and gives null.
#pragma once

#include "ctf2_json.hpp"
#include "field_draft.hpp"

#include <unordered_map>

namespace lttng_gpu::trace::ctf {

class Ctf2Fields {
public:
    explicit Ctf2Fields(JsonReader& json) : m_json(json) {}

    /// A field class, or the name of an alias.
    FieldDraftPtr read(const JsonPlace& place);
    /// A field class that may be missing.
    FieldDraftPtr read_optional(const JsonPlace& place);
    void read_alias(const JsonPlace& fragment);

private:
    using Fill = void (Ctf2Fields::*)(const JsonPlace& place, FieldDraft& draft);
    struct Kind {
        std::string_view type;
        Fill fill;
    };
    static const Kind kinds[];

    FieldDraftPtr find_alias(const JsonPlace& place);
    FieldDraftPtr seal(FieldDraft draft, const JsonPlace& place);

    void fill_unsigned(const JsonPlace& place, FieldDraft& draft);
    void fill_signed(const JsonPlace& place, FieldDraft& draft);
    void fill_bits(const JsonPlace& place, FieldDraft& draft);
    void fill_boolean(const JsonPlace& place, FieldDraft& draft);
    void fill_real(const JsonPlace& place, FieldDraft& draft);
    void fill_variable_unsigned(const JsonPlace& place, FieldDraft& draft);
    void fill_variable_signed(const JsonPlace& place, FieldDraft& draft);
    void fill_string(const JsonPlace& place, FieldDraft& draft);
    void fill_static_text(const JsonPlace& place, FieldDraft& draft);
    void fill_dynamic_text(const JsonPlace& place, FieldDraft& draft);
    void fill_static_blob(const JsonPlace& place, FieldDraft& draft);
    void fill_dynamic_blob(const JsonPlace& place, FieldDraft& draft);
    void fill_structure(const JsonPlace& place, FieldDraft& draft);
    void fill_static_array(const JsonPlace& place, FieldDraft& draft);
    void fill_dynamic_array(const JsonPlace& place, FieldDraft& draft);
    void fill_optional(const JsonPlace& place, FieldDraft& draft);
    void fill_variant(const JsonPlace& place, FieldDraft& draft);

    IntegerClass read_integer(const JsonPlace& place);
    std::uint8_t read_base(const JsonPlace& place);
    ByteOrder read_byte_order(const JsonPlace& place);
    void expect_usual_bit_order(const JsonPlace& place, ByteOrder byte_order, std::uint64_t bits);
    std::uint32_t read_unit_bytes(const JsonPlace& place);
    void read_roles(const JsonPlace& place, FieldDraft& draft);
    void read_mappings(const JsonPlace& place, FieldDraft& draft);
    void read_element(const JsonPlace& place, std::string_view key, FieldDraft& draft);
    void read_reference(const JsonPlace& place, std::string_view key, FieldDraft& draft);

    JsonReader& m_json;
    std::unordered_map<std::string, FieldDraftPtr> m_aliases;
    std::uint32_t m_depth = 0;
};

} // namespace lttng_gpu::trace::ctf
