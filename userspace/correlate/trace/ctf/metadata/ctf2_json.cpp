// SPDX-License-Identifier: MIT
#include "ctf2_json.hpp"

#include "field_draft.hpp"
#include "shown_name.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lttng_gpu::trace::ctf {
namespace {

/// RFC 6901.
std::string pointer_part(const JsonPlace& place)
{
    if (place.key.empty()) {
        return fmt::format("/{}", place.index);
    }
    std::string part = "/";
    for (const char c : shown_name(place.key)) {
        part += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    }
    return part;
}

bool is_count(const nlohmann::json& value)
{
    return value.is_number_unsigned() ||
           (value.is_number_integer() && value.get<std::int64_t>() >= 0);
}

} // namespace

JsonPlace json_member(const JsonPlace& object, std::string_view key)
{
    JsonPlace place{.around = &object, .key = key};
    if (object.exists() && object.value->is_object()) {
        const auto found = object.value->find(key);
        if (found != object.value->end() && !found->is_null()) {
            place.value = &*found;
        }
    }
    return place;
}

JsonPlace json_element(const JsonPlace& array, std::size_t index)
{
    return {.value = &(*array.value)[index], .around = &array, .key = {}, .index = index};
}

std::size_t json_size(const JsonPlace& array)
{
    return array.exists() && array.value->is_array() ? array.value->size() : 0;
}

std::string json_place(const JsonPlace& place)
{
    std::string pointer;
    const JsonPlace* at = &place;
    for (; at->around != nullptr; at = at->around) {
        pointer.insert(0, pointer_part(*at));
    }
    return pointer.empty() ? fmt::format("fragment {}", at->fragment)
                           : fmt::format("fragment {}, {}", at->fragment, pointer);
}

void JsonReader::fail(const JsonPlace& place, std::string_view expected)
{
    if (m_error) {
        return;
    }
    constexpr auto replace = nlohmann::json::error_handler_t::replace;
    const bool is_small = place.exists() && !place.value->is_structured();
    const std::string found =
        !place.exists() ? "nothing"
                        : (is_small ? shown_name(place.value->dump(-1, ' ', false, replace))
                                    : fmt::format("an {}", place.value->type_name()));
    m_error = Error{ErrorKind::UnreadableTrace,
                    fmt::format("{}: expected {}, found {}", json_place(place), expected, found)};
}

std::uint64_t JsonReader::count(const JsonPlace& place)
{
    if (!place.exists() || !is_count(*place.value)) {
        fail(place, "a number that is not negative");
        return 0;
    }
    return place.value->get<std::uint64_t>();
}

std::int64_t JsonReader::integer(const JsonPlace& place)
{
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (!place.exists() || !place.value->is_number_integer() ||
        (place.value->is_number_unsigned() && place.value->get<std::uint64_t>() > largest)) {
        fail(place, "a signed number of 64 bits");
        return 0;
    }
    return place.value->get<std::int64_t>();
}

std::string JsonReader::text(const JsonPlace& place)
{
    if (!place.exists() || !place.value->is_string()) {
        fail(place, "a text");
        return {};
    }
    return place.value->get<std::string>();
}

std::uint32_t JsonReader::alignment(const JsonPlace& place)
{
    if (!place.exists()) {
        return 1;
    }
    const std::uint64_t bits = count(place);
    if (bits == 0 || (bits & (bits - 1)) != 0 || bits > alignment_limit) {
        fail(place, fmt::format("a power of two up to {}", alignment_limit));
        return 1;
    }
    return static_cast<std::uint32_t>(bits);
}

std::vector<ValueRange> JsonReader::ranges(const JsonPlace& place)
{
    expect_array(place);
    std::vector<ValueRange> ranges;
    for (std::size_t at = 0; at < json_size(place) && !failed(); ++at) {
        const JsonPlace pair = json_element(place, at);
        const nlohmann::json& bounds = *pair.value;
        if (!bounds.is_array() || bounds.size() != 2 || !bounds[0].is_number_integer() ||
            !bounds[1].is_number_integer() || bounds[0] > bounds[1]) {
            fail(pair, "a range: its lower and its upper bound");
            break;
        }
        ranges.push_back({bounds[0].get<std::uint64_t>(), bounds[1].get<std::uint64_t>()});
    }
    if (ranges.empty()) {
        fail(place, "one or more ranges");
    }
    return ranges;
}

void JsonReader::expect_object(const JsonPlace& place)
{
    if (!place.exists() || !place.value->is_object()) {
        fail(place, "an object");
    }
}

void JsonReader::expect_array(const JsonPlace& place)
{
    if (!place.exists() || !place.value->is_array()) {
        fail(place, "an array");
    }
}

void JsonReader::expect_no_extensions(const JsonPlace& object)
{
    const JsonPlace extensions = json_member(object, "extensions");
    if (!extensions.exists()) {
        return;
    }
    expect_object(extensions);
    if (failed() || extensions.value->empty()) {
        return;
    }
    const auto space = extensions.value->begin();
    const bool has_name = space->is_object() && !space->empty();
    const std::string name = has_name ? space->begin().key() : "";
    fail(extensions, fmt::format("no extension (\"{}\" of \"{}\" is not known)", shown_name(name),
                                 shown_name(space.key())));
}

std::uint64_t JsonReader::count_or(const JsonPlace& place, std::uint64_t fallback)
{
    return place.exists() ? count(place) : fallback;
}

std::string JsonReader::text_or_empty(const JsonPlace& place)
{
    return place.exists() ? text(place) : std::string{};
}

} // namespace lttng_gpu::trace::ctf
