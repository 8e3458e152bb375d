// SPDX-License-Identifier: MIT
//
// CTF 2 metadata: what becomes of each kind of fragment and field class
// (CTF2-SPEC-2.0, section 5), and the message for each thing that is wrong.
#include "lttng_metadata.hpp"
#include "schema_text.hpp"
#include "trace/ctf/metadata/read_metadata.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace lttng_gpu;
using namespace lttng_gpu::trace::ctf;

namespace {

constexpr const char* preamble = R"({"type": "preamble", "version": 2})";
constexpr const char* stream = R"({"type": "data-stream-class"})";
constexpr const char* u8 =
    R"({"type": "fixed-length-unsigned-integer", "length": 8, "byte-order": "little-endian", "alignment": 8})";

Schema read(const std::string& text)
{
    const auto schema = read_metadata(text);
    REQUIRE_MESSAGE(schema.has_value(), (schema ? "" : schema.error().message));
    return *schema;
}

std::string error_of(const std::string& text)
{
    const auto schema = read_metadata(text);
    REQUIRE_FALSE(schema.has_value());
    CHECK(schema.error().kind == ErrorKind::UnreadableTrace);
    CHECK(schema.error().message.find('\n') == std::string::npos);
    return schema.error().message;
}

/// Members as "name: field class".
std::string structure(const std::vector<std::pair<std::string, std::string>>& members)
{
    std::string list;
    for (const auto& [name, type] : members) {
        list += fmt::format("{}{{\"name\": \"{}\", \"field-class\": {}}}", list.empty() ? "" : ", ",
                            name, type);
    }
    return R"({"type": "structure", "member-classes": [)" + list + "]}";
}

std::string event(const std::string& payload, const std::string& context = "null")
{
    return fmt::format(R"({{"type": "event-record-class", "name": "e",
        "specific-context-field-class": {}, "payload-field-class": {}}})",
                       context, payload);
}

std::string payload_of(const std::vector<std::pair<std::string, std::string>>& members)
{
    const Schema schema = read(fragments({preamble, stream, event(structure(members))}));
    return schema_text(only_event(schema).payload);
}

std::string payload_error(const std::vector<std::pair<std::string, std::string>>& members)
{
    return error_of(fragments({preamble, stream, event(structure(members))}));
}

/// A length or a selector that is found by this path, as JSON.
std::string by_path(const std::string& type, const std::string& key, const std::string& path,
                    const std::string& rest = "")
{
    return fmt::format(R"({{"type": "{}", "{}-field-location": {{"path": [{}]}}{}{}}})", type, key,
                       path, rest.empty() ? "" : ", ", rest);
}

std::string element(const std::string& type)
{
    return "\"element-field-class\": " + type;
}

} // namespace

TEST_CASE("ctf2_metadata_when_it_is_lttngs_then_everything_has_its_role")
{
    const Schema schema = read(lttng_ctf2_metadata());
    CHECK(schema.identity == "lttng.org,2009::7f5e824f-6baf-8c42-9e58-675b5e598eb5");
    REQUIRE(schema.uuid.has_value());
    CHECK((*schema.uuid)[0] == 127);
    CHECK(text_of(schema.environment, "domain") == "kernel");
    CHECK(text_of(schema.environment, "tracer_major") == "2");
    CHECK(schema_text(schema.packet_header) ==
          "{magic:u32 magic uuid:blob(16) uuid stream_id:u32 stream_class "
          "stream_instance_id:u64 stream}");
    REQUIRE(schema.streams.size() == 1);
    const StreamClass& class_0 = schema.streams[0];
    CHECK(schema_text(class_0.packet_context) ==
          "{timestamp_begin:u64 begin timestamp_end:u64 end content_size:u64 content "
          "packet_size:u64 total packet_seq_num:u64 seq_num events_discarded:u64 discarded "
          "cpu_id:u32}");
    CHECK(schema_text(class_0.event_header) ==
          "{id:u5 event_id =r0 v:<r0 compact(0..30):{timestamp:u27 time} "
          "extended(31):{id:u32 event_id timestamp:u64 time}>}@8");
    CHECK(schema_text(class_0.common_context) == "{pid:i32 procname:text(16)}");
    REQUIRE(class_0.events.size() == 2);
    CHECK(class_0.events[0].name == "drm_sched_job_run");
    CHECK(schema_text(class_0.events[0].payload) == "{name:str _ids_length:u16 =r1 ids:[u64*r1]}");
    CHECK(class_0.events[1].id == 7);
    CHECK(schema_text(class_0.events[1].payload) == "none");
    REQUIRE(class_0.clock == 0);
    const ClockClass& clock = schema.clocks.at(0);
    CHECK(clock.name == "monotonic");
    CHECK(clock.uid == "ac9aa300-40a4-4f4b-9898-6c319e3bd5eb");
    CHECK(clock.offset_seconds == 1795224846);
    CHECK(clock.offset_cycles == 237226201);
    CHECK(clock.is_origin_unix_epoch);
}

TEST_CASE("ctf2_scalars_when_properties_are_missing_then_have_their_defaults")
{
    CHECK(
        payload_of({
            {"a", R"({"type": "fixed-length-bit-array", "length": 3, "byte-order": "big-endian"})"},
            {"b", R"({"type": "fixed-length-bit-map", "length": 16, "byte-order": "little-endian",
                        "flags": {"x": [[0, 3]]}})"},
            {"c", R"({"type": "fixed-length-signed-integer", "length": 64, "alignment": 8,
                        "byte-order": "big-endian", "bit-order": "last-to-first"})"},
            {"d", R"({"type": "fixed-length-floating-point-number", "length": 32,
                        "byte-order": "little-endian", "alignment": 32})"},
            {"e", R"({"type": "variable-length-unsigned-integer"})"},
            {"f", R"({"type": "variable-length-signed-integer", "mappings": {"x": [[-1, 2]]}})"},
            {"g", R"({"type": "null-terminated-string"})"},
            {"h", R"({"type": "null-terminated-string", "encoding": "utf-32be"})"},
            {"i", R"({"type": "static-length-string", "length": 6, "encoding": "utf-16le"})"},
            {"j", R"({"type": "static-length-blob", "length": 18446744073709551615})"},
            {"_k", R"({"type": "structure"})"},
        }) == "{a:u3be b:u16@1 c:i64be d:f32@32 e:vu f:vi g:str h:str32 i:text16(6) "
              "j:blob(18446744073709551615) _k:{}}");
}

TEST_CASE("ctf2_arrays_when_lengths_are_fields_then_share_registers")
{
    CHECK(
        payload_of({
            {"n", u8},
            {"a", by_path("dynamic-length-array", "length", "\"n\"", element(u8))},
            {"b", by_path("dynamic-length-string", "length", "\"n\"", R"("encoding": "utf-16be")")},
            {"c", by_path("dynamic-length-blob", "length", "\"n\"")},
            {"d", fmt::format(R"({{"type": "static-length-array", "length": 4, {},
                                     "minimum-alignment": 32}})",
                              element(u8))},
        }) == "{n:u8 =r0 a:[u8*r0] b:text16(r0) c:blob(r0) d:[u8*4]@32}");
}

TEST_CASE("ctf2_location_when_it_is_relative_then_goes_up_by_nulls")
{
    const std::string inner = structure({
        {"n", u8},
        {"a", by_path("dynamic-length-blob", "length", "\"n\"")},
        {"b", by_path("dynamic-length-blob", "length", "null, \"n\"")},
        {"c", by_path("dynamic-length-blob", "length", "null, \"other\", \"n\"")},
    });
    CHECK(payload_of({{"n", u8}, {"other", structure({{"n", u8}})}, {"s", inner}}) ==
          "{n:u8 =r1 other:{n:u8 =r2} s:{n:u8 =r0 a:blob(r0) b:blob(r1) c:blob(r2)}}");
    CHECK(payload_error(
              {{"n", u8}, {"a", by_path("dynamic-length-blob", "length", "null, \"n\"")}}) ==
          "fragment 3, /payload-field-class/member-classes/1/field-class/length-field-location: "
          "expected \"n\" to name an integer field that is decoded before");
}

TEST_CASE("ctf2_location_when_it_has_an_origin_then_starts_there")
{
    const std::string blob = R"({"type": "dynamic-length-blob", "length-field-location":
        {"origin": "event-record-specific-context", "path": ["n"]}})";
    const Schema schema = read(fragments(
        {preamble, stream, event(structure({{"n", u8}, {"a", blob}}), structure({{"n", u8}}))}));
    CHECK(schema_text(only_event(schema).specific_context) == "{n:u8 =r0}");
    CHECK(schema_text(only_event(schema).payload) == "{n:u8 a:blob(r0)}");
}

TEST_CASE("ctf2_location_when_it_leads_through_a_variant_then_all_options_share_a_register")
{
    // After example 91 of the specification: each option has a length of its own.
    const auto option = [&](int number) {
        return fmt::format(
            R"({{"selector-field-ranges": [[{}, {}]], "field-class": {}}})", number, number,
            structure({{"n", u8}, {"x", by_path("dynamic-length-blob", "length", "\"n\"")}}));
    };
    const std::string variant = by_path("variant", "selector", "\"t\"",
                                        "\"options\": [" + option(1) + ", " + option(2) + "]");
    CHECK(payload_of({{"t", u8},
                      {"v", variant},
                      {"a", by_path("dynamic-length-blob", "length", "\"v\", \"n\"")}}) ==
          "{t:u8 =r0 v:<r0 (1):{n:u8 =r1 x:blob(r1)} (2):{n:u8 =r1 x:blob(r1)}> a:blob(r1)}");
}

TEST_CASE("ctf2_optional_when_its_selector_is_boolean_or_integer_then_has_ranges")
{
    const std::string boolean =
        R"({"type": "fixed-length-boolean", "length": 8, "byte-order": "little-endian", "alignment": 8})";
    const std::string signed_8 =
        R"({"type": "fixed-length-signed-integer", "length": 8, "byte-order": "little-endian", "alignment": 8})";
    const std::string content = fmt::format("\"field-class\": {}", u8);
    CHECK(payload_of({
              {"t", boolean},
              {"a", by_path("optional", "selector", "\"t\"", content)},
              {"s", signed_8},
              {"b", by_path("optional", "selector", "\"s\"",
                            content + R"(, "selector-field-ranges": [[-2, -1], [5, 7]])")},
              {"u", u8},
              {"c", by_path("optional", "selector", "\"u\"",
                            content + R"(, "selector-field-ranges": [[-2, 9]])")},
          }) == "{t:u8 =r0 a:?r0(1..18446744073709551615):u8 s:i8 =r1 b:?r1(-2..-1,5..7):u8 "
                "u:u8 =r2 c:?r2(0..9):u8}");
}

TEST_CASE("ctf2_alias_when_it_is_used_then_each_use_is_a_field_of_its_own")
{
    const std::string alias =
        fmt::format(R"({{"type": "field-class-alias", "name": "byte", "field-class": {}}})", u8);
    const std::string second =
        R"({"type": "field-class-alias", "name": "octet", "field-class": "byte"})";
    const std::string payload = structure(
        {{"n", "\"byte\""},
         {"m", "\"octet\""},
         {"a", by_path("dynamic-length-array", "length", "\"m\"", element("\"octet\""))}});
    const Schema schema = read(fragments({preamble, alias, second, stream, event(payload)}));
    CHECK(schema_text(only_event(schema).payload) == "{n:u8 m:u8 =r0 a:[u8*r0]}");
}

TEST_CASE("ctf2_sequence_when_it_has_empty_texts_and_attributes_then_they_are_skipped")
{
    const Schema schema = read("\x1e\x1e" + std::string{preamble} + "\n\x1e \n\x1e" +
                               R"({"type": "data-stream-class", "attributes": {"a": [1, {}]},
                                   "extensions": {}})" +
                               "\n");
    CHECK(schema.streams.size() == 1);
    CHECK(schema.identity.empty());
    CHECK_FALSE(schema.uuid.has_value());
}

TEST_CASE("ctf2_clock_when_properties_are_missing_then_has_their_defaults")
{
    const Schema schema = read(fragments(
        {preamble, R"({"type": "clock-class", "id": "c", "frequency": 1000})",
         R"({"type": "clock-class", "id": "d", "name": "n", "frequency": 8, "origin": {"name": "x", "uid": "y"},
             "offset-from-origin": {"seconds": -5, "cycles": 7}})",
         stream}));
    CHECK(schema.clocks.at(0).name == "c");
    CHECK(schema.clocks[0].frequency == 1000);
    CHECK_FALSE(schema.clocks[0].is_origin_unix_epoch);
    CHECK(schema.clocks.at(1).name == "n");
    CHECK(schema.clocks[1].offset_seconds == -5);
    CHECK(schema.clocks[1].offset_cycles == 7);
    CHECK_FALSE(schema.clocks[1].is_origin_unix_epoch);
    CHECK_FALSE(schema.streams[0].clock.has_value());
}

TEST_CASE("ctf2_fragment_when_it_is_wrong_then_message_says_where")
{
    CHECK(error_of(fragments({stream})) ==
          "fragment 1, /type: expected a preamble, found \"data-stream-class\"");
    CHECK(error_of(fragments({preamble, preamble})) ==
          "fragment 2, /type: expected one preamble only, at the beginning, found \"preamble\"");
    CHECK(error_of(fragments({R"({"type": "preamble", "version": 3})"})) ==
          "fragment 1, /version: expected version 2 of CTF, found 3");
    CHECK(error_of(fragments({preamble})) ==
          "fragment 1: expected a data stream class, found nothing");
    CHECK(error_of(fragments({preamble, "{\"type\": "})) ==
          "fragment 2: expected a whole JSON text, found nothing");
    CHECK(error_of(fragments({preamble, "[]"})) ==
          "fragment 2: expected an object, found an array");
    CHECK(error_of(fragments({preamble, "{}"})) ==
          "fragment 2, /type: expected a text, found nothing");
    CHECK(error_of(fragments({preamble, R"({"type": "x"})"})) ==
          "fragment 2, /type: expected a type of fragment, found \"x\"");
    CHECK(error_of(fragments({preamble, stream, stream})) ==
          "fragment 3, /id: expected an id that no other data stream class has, found nothing");
    CHECK(error_of(fragments({preamble, event("null")})) ==
          "fragment 2, /data-stream-class-id: expected the id of a data stream class that comes "
          "before, found nothing");
    CHECK(error_of(fragments({preamble, stream, R"({"type": "trace-class"})"})) ==
          "fragment 3: expected one trace class, before any data stream class, found an object");
    CHECK(error_of(fragments({R"({"type": "preamble", "version": 2, "uuid": [1, 2]})"})) ==
          "fragment 1, /uuid: expected 16 numbers, found an array");
    CHECK(
        error_of(fragments({preamble, R"({"type": "clock-class", "id": "c", "frequency": 0})"})) ==
        "fragment 2, /frequency: expected a frequency that is not 0, found 0");
    CHECK(
        error_of(fragments(
            {preamble, R"({"type": "data-stream-class", "default-clock-class-id": "c"})"})) ==
        "fragment 2, /default-clock-class-id: expected the id of a clock class that comes before, "
        "found \"c\"");
    CHECK(error_of(fragments({preamble, "[" + std::string(300, '[')})) ==
          "fragment 2: expected no more than 256 levels of JSON, found nothing");
}

TEST_CASE("ctf2_extension_when_it_is_declared_then_error_names_it")
{
    CHECK(
        error_of(fragments(
            {R"({"type": "preamble", "version": 2, "extensions": {"my.tracer": {"piano": 1}}})"})) ==
        "fragment 1, /extensions: expected no extension (\"piano\" of \"my.tracer\" is not known), "
        "found an object");
    CHECK(payload_error({{"a", R"({"type": "structure", "extensions": {"x": {"y": null}}})"}})
              .ends_with("(\"y\" of \"x\" is not known), found an object"));
}

TEST_CASE("ctf2_field_class_when_it_is_wrong_then_message_says_what_was_expected")
{
    const std::string at = "fragment 3, /payload-field-class/member-classes/0/field-class";
    const auto error = [&](const std::string& type) {
        const std::string message = payload_error({{"a", type}});
        REQUIRE(message.starts_with(at));
        return message.substr(at.size());
    };
    const auto integer = [](const std::string& properties) {
        return R"({"type": "fixed-length-unsigned-integer", )" + properties + "}";
    };
    CHECK(error("3") == ": expected a field class or the name of one, found 3");
    CHECK(error("\"x\"") ==
          ": expected the name of a field class alias that comes before, found \"x\"");
    CHECK(error("{\"type\": \"x\"}") == "/type: expected a type of field class, found \"x\"");
    CHECK(error(integer(R"("length": 65)")) == "/length: expected 1 to 64 bits, found 65");
    CHECK(error(integer(R"("length": -1)")) ==
          "/length: expected a number that is not negative, found -1");
    CHECK(error(integer(R"("length": 8.5)")) ==
          "/length: expected a number that is not negative, found 8.5");
    CHECK(error(integer(R"("length": 8, "alignment": 3)")) ==
          "/alignment: expected a power of two up to 1048576, found 3");
    CHECK(error(integer(R"("length": 8)")) == "/byte-order: expected a text, found nothing");
    CHECK(error(integer(R"("length": 8, "byte-order": "le")")) ==
          "/byte-order: expected little-endian or big-endian, found \"le\"");
    CHECK(error(integer(
              R"("length": 8, "byte-order": "big-endian", "bit-order": "first-to-last")")) ==
          "/bit-order: expected last-to-first with this byte order (no other can be read), found "
          "\"first-to-last\"");
    CHECK(error(integer(R"("length": 8, "byte-order": "big-endian", "roles": ["x"])")) ==
          "/roles/0: expected a role of CTF 2, found \"x\"");
    CHECK(error(R"({"type": "fixed-length-floating-point-number", "length": 80})") ==
          "/length: expected 16, 32, 64 or 128 bits, found 80");
    CHECK(error(R"({"type": "null-terminated-string", "encoding": "latin-1"})") ==
          "/encoding: expected an encoding: utf-8, or utf-16 or utf-32 with be or le, found "
          "\"latin-1\"");
    CHECK(error(structure({{"b", u8}, {"b", u8}})) ==
          ": expected one field named \"b\" only, found an object");
    CHECK(error(by_path("dynamic-length-blob", "length", "")) ==
          "/length-field-location/path: expected the name of a field, found an array");
    CHECK(error(by_path("variant", "selector", "\"t\"", "\"options\": []")) ==
          "/options: expected one or more options, found an array");
    CHECK(error(by_path("optional", "selector", "\"t\"", R"("selector-field-ranges": [[3, 2]])")) ==
          "/selector-field-ranges/0: expected a range: its lower and its upper bound, found an "
          "array");
    CHECK(error(by_path("dynamic-length-blob", "length", "\"a\"")) ==
          "/length-field-location: expected \"a\" to name an integer field that is decoded before");
}

TEST_CASE("ctf2_selector_when_its_type_does_not_fit_then_message_says_which_is_needed")
{
    const std::string signed_8 =
        R"({"type": "fixed-length-signed-integer", "length": 8, "byte-order": "little-endian"})";
    CHECK(payload_error({{"n", signed_8}, {"a", by_path("dynamic-length-blob", "length", "\"n\"")}})
              .ends_with("expected the field \"n\" to be an unsigned integer"));
    CHECK(payload_error({{"n", u8},
                         {"a", by_path("optional", "selector", "\"n\"",
                                       fmt::format("\"field-class\": {}", u8))}})
              .ends_with("expected the field \"n\" to be a boolean, as there are no ranges"));
}

TEST_CASE("ctf2_time_when_the_stream_has_no_clock_then_is_an_error")
{
    const std::string header = structure(
        {{"t",
          R"({"type": "variable-length-unsigned-integer", "roles": ["default-clock-timestamp"]})"}});
    CHECK(error_of(fragments({preamble, fmt::format(R"({{"type": "data-stream-class",
                                  "event-record-header-field-class": {}}})",
                                                    header)})) ==
          "expected a data stream class with timestamps to have a default clock class");
}

TEST_CASE("ctf2_aliases_when_they_would_make_too_many_fields_then_is_an_error")
{
    std::vector<std::string> list{preamble};
    std::string last = u8;
    for (int level = 0; level < 40; ++level) {
        const std::string name = fmt::format("\"s{}\"", level);
        list.push_back(
            fmt::format(R"({{"type": "field-class-alias", "name": {}, "field-class": {}}})", name,
                        structure({{"a", last}, {"b", last}})));
        last = name;
    }
    list.emplace_back(stream);
    list.push_back(event(last));
    CHECK(error_of(fragments(list)) ==
          "expected fewer fields: named types inside named types make too many");
    for (int level = 40; level < 80; ++level) {
        const std::string name = fmt::format("\"s{}\"", level);
        list.push_back(
            fmt::format(R"({{"type": "field-class-alias", "name": {}, "field-class": {}}})", name,
                        structure({{"a", last}})));
        last = name;
    }
    CHECK(error_of(fragments(list))
              .ends_with("expected no more than 64 levels of fields, found an object"));
}
