// SPDX-License-Identifier: MIT
//
// JSON values of CTF 2 metadata with the way to them, so that a message can
// say where something is wrong. The first failure is kept; what is read after
// it has no meaning, and everything goes on to an end.
#pragma once

#include "../../../base/expected.hpp"
#include "schema.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace lttng_gpu::trace::ctf {

/// A value inside others; those must live as long.
struct JsonPlace {
    const nlohmann::json* value = nullptr; // null: it is not there
    const JsonPlace* around = nullptr;
    std::string_view key;     // in an object
    std::size_t index = 0;    // in an array
    std::size_t fragment = 0; // counted from 1, of the outermost value

    bool exists() const { return value != nullptr; }
};

/// A JSON null counts as not there: LTTng writes it for empty objects.
JsonPlace json_member(const JsonPlace& object, std::string_view key);
JsonPlace json_element(const JsonPlace& array, std::size_t index);
/// Number of elements; none for what is no array.
std::size_t json_size(const JsonPlace& array);
/// "fragment 3, /payload-field-class/member-classes/0"
std::string json_place(const JsonPlace& place);

class JsonReader {
public:
    void fail(const JsonPlace& place, std::string_view expected);
    bool failed() const { return m_error.has_value(); }
    const std::optional<Error>& error() const { return m_error; }

    // Of what must be there.
    std::uint64_t count(const JsonPlace& place);
    std::int64_t integer(const JsonPlace& place);
    std::string text(const JsonPlace& place);
    /// A power of two.
    std::uint32_t alignment(const JsonPlace& place);
    /// Ranges of integers, as the bits of 64-bit numbers.
    std::vector<ValueRange> ranges(const JsonPlace& place);
    void expect_object(const JsonPlace& place);
    void expect_array(const JsonPlace& place);
    /// No extension is known, and one may change everything (CTF2-SPEC-2.0, section 5.1).
    void expect_no_extensions(const JsonPlace& object);

    // Of what may be missing.
    std::uint64_t count_or(const JsonPlace& place, std::uint64_t fallback);
    std::string text_or_empty(const JsonPlace& place);

private:
    std::optional<Error> m_error;
};

} // namespace lttng_gpu::trace::ctf
