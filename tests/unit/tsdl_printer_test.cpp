// SPDX-License-Identifier: MIT
//
// Schemas as TSDL: what is read from it again is the same, and what TSDL cannot express is
// named.
#include "export/tsdl_printer.hpp"
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

Schema read(const std::string& text)
{
    const auto schema = read_metadata(text);
    REQUIRE_MESSAGE(schema.has_value(), (schema ? "" : schema.error().message));
    return *schema;
}

std::string printed(const Schema& schema)
{
    const auto text = exporting::print_tsdl(schema);
    REQUIRE_MESSAGE(text.has_value(), (text ? "" : text.error().message));
    return *text;
}

std::string integer(const std::string& type, int bits, const std::string& more = "")
{
    return fmt::format(
        R"({{"type": "fixed-length-{}", "length": {}, "alignment": 8, "byte-order": "little-endian"{}}})",
        type, bits, more);
}

const std::string u8 = integer("unsigned-integer", 8);

std::string structure(const std::string& members)
{
    return R"({"type": "structure", "member-classes": [)" + members + "]}";
}

std::string member(const std::string& name, const std::string& type)
{
    return fmt::format(R"({{"name": "{}", "field-class": {}}})", name, type);
}

Schema with_payload(const std::string& members)
{
    return read(
        fragments({preamble, stream,
                   R"({"type": "event-record-class", "name": "e", "payload-field-class": )" +
                       structure(members) + "}"}));
}

/// The payload as it is when the printed text is read.
std::string payload_again(const std::string& members)
{
    return schema_text(only_event(read(printed(with_payload(members)))).payload);
}

std::string missing(const std::string& members)
{
    const auto text = exporting::print_tsdl(with_payload(members));
    REQUIRE_FALSE(text.has_value());
    CHECK(text.error().kind == ErrorKind::UnreadableTrace);
    return text.error().message;
}

bool holds(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

std::string located(const std::string& type, const std::string& key, const std::string& origin,
                    const std::string& path, const std::string& rest)
{
    return fmt::format(R"({{"type": "{}", "{}-field-location": {{{}"path": [{}]}}, {}}})", type,
                       key, origin.empty() ? "" : "\"origin\": \"" + origin + "\", ", path, rest);
}

} // namespace

TEST_CASE("tsdl_when_printed_of_lttng_metadata_then_is_read_as_the_same")
{
    for (const std::string& text : {lttng_tsdl_metadata(), lttng_ctf2_metadata()}) {
        const Schema before = read(text);
        const Schema after = read(printed(before));
        CHECK(after.uuid == before.uuid);
        REQUIRE(after.streams.size() == 1);
        const StreamClass& old_stream = before.streams[0];
        const StreamClass& new_stream = after.streams[0];
        CHECK(schema_text(new_stream.packet_context) == schema_text(old_stream.packet_context));
        CHECK(schema_text(new_stream.event_header) == schema_text(old_stream.event_header));
        CHECK(new_stream.clock == old_stream.clock);
        REQUIRE(new_stream.events.size() == 2);
        for (std::size_t at = 0; at < 2; ++at) {
            CHECK(new_stream.events[at].id == old_stream.events[at].id);
            CHECK(new_stream.events[at].name == old_stream.events[at].name);
            CHECK(schema_text(new_stream.events[at].payload) ==
                  schema_text(old_stream.events[at].payload));
        }
        CHECK(after.clocks[0].uid == before.clocks[0].uid);
        CHECK(after.clocks[0].offset_seconds == before.clocks[0].offset_seconds);
        CHECK(after.clocks[0].offset_cycles == before.clocks[0].offset_cycles);
        CHECK(after.clocks[0].is_origin_unix_epoch);
    }
}

TEST_CASE("tsdl_when_printed_of_ctf2_then_has_what_no_decoder_needs")
{
    const std::string text = printed(read(lttng_ctf2_metadata()));
    CHECK(text.starts_with("/* CTF 1.8 */\n"));
    CHECK(holds(text, "tracer_name = \"lttng-modules\";\n"));
    CHECK(holds(text, "tracer_major = 2;\n"));
    CHECK(holds(text, "description = \"Monotonic Clock\";\n"));
    CHECK(holds(text, "loglevel = 6;\n"));
    CHECK(holds(text, "integer { size = 8; align = 8; signed = false; } uuid[16];"));
    CHECK(holds(text, "encoding = UTF8; } _procname[16];"));
    CHECK(holds(text, "map = clock.monotonic.value; } timestamp_begin;"));
}

TEST_CASE("tsdl_when_an_integer_has_base_and_labels_then_keeps_them")
{
    const std::string text = printed(with_payload(
        member("a", integer("unsigned-integer", 8, R"(, "preferred-display-base": 16)")) + ", " +
        member("b", integer("unsigned-integer", 8, R"(, "preferred-display-base": "x")")) + ", " +
        member("c", integer("signed-integer", 8,
                            R"(, "mappings": {"low \"": [[-8, -1]], "one": [[1, 1], [3, 3]]})"))));
    CHECK(holds(text, "base = 16; } _a;"));
    CHECK(holds(text, "base = 10; } _b;"));
    CHECK(holds(text, R"({ "low \"" = -8 ... -1, "one" = 1 ... 1, "one" = 3 ... 3, } _c;)"));
}

TEST_CASE("tsdl_when_fields_depend_on_others_then_finds_them")
{
    const std::string length = member("length", u8);
    CHECK(payload_again(length + ", " +
                        member("list", located("dynamic-length-array", "length", "", "\"length\"",
                                               "\"element-field-class\": " + u8))) ==
          "{length:u8 =r0 list:[u8*r0]}");
    // From a structure further in, and with a name that is a word of TSDL.
    CHECK(payload_again(
              member("struct", structure(length)) + ", " +
              member("s", structure(member("list",
                                           located("dynamic-length-array", "length",
                                                   "event-record-payload", R"("struct", "length")",
                                                   "\"element-field-class\": " + u8))))) ==
          "{struct:{length:u8 =r0} s:{list:[u8*r0]}}");
    CHECK(payload_again(
              member("tag", integer("unsigned-integer", 8,
                                    R"(, "mappings": {"a": [[0, 1]], "b": [[2, 2]]})")) +
              ", " +
              member("v", located("variant", "selector", "", "\"tag\"",
                                  R"("options": [{"name": "a", "selector-field-ranges": [[0, 1]],
                                      "field-class": )" +
                                      u8 + R"(}, {"name": "b", "selector-field-ranges": [[2, 2]],
                                      "field-class": {"type": "null-terminated-string"}}])"))) ==
          "{tag:u8 =r0 v:<r0 a(0..1):u8 b(2):str>}");
}

TEST_CASE("tsdl_when_it_cannot_express_a_field_then_says_which")
{
    const auto one = [](const std::string& type) { return missing(member("f", type)); };
    CHECK(one(R"({"type": "variable-length-unsigned-integer"})") ==
          "CTF 2 metadata has an integer of variable length, which CTF 1.8 cannot express; record "
          "with `lttng create --trace-format=ctf-1.8`");
    CHECK(holds(one(integer("boolean", 8)), "has a boolean field,"));
    CHECK(holds(one(integer("bit-array", 8)), "has a field of bits,"));
    CHECK(holds(one(integer("floating-point-number", 16)), "a floating point number of 16 bits,"));
    CHECK(holds(one(R"({"type": "null-terminated-string", "encoding": "utf-16le"})"),
                "a string in UTF-16,"));
    CHECK(holds(one(R"({"type": "static-length-blob", "length": 2})"), "a blob,"));
    const std::string two = R"("length": 2, "element-field-class": )";
    CHECK(holds(one(R"({"type": "static-length-array", )" + two +
                    R"({"type": "static-length-array", )" + two + u8 + "}}"),
                "an array of arrays,"));
    CHECK(
        holds(one(R"({"type": "static-length-array", "minimum-alignment": 64, )" + two + u8 + "}"),
              "an array with its own alignment,"));
    CHECK(holds(missing(member("a-b", u8)), "a field named a-b,"));
    CHECK(holds(
        missing(member("is", u8) + ", " +
                member("f", located("optional", "selector", "", "\"is\"",
                                    R"("selector-field-ranges": [[1, 1]], "field-class": )" + u8))),
        "an optional field,"));
    const std::string options =
        R"("options": [{"name": "a", "selector-field-ranges": [[0, 1]], "field-class": )" + u8 +
        "}]";
    const std::string variant = member("v", located("variant", "selector", "", "\"tag\"", options));
    CHECK(holds(missing(member("tag", u8) + ", " + variant),
                "a variant whose selector is not an enumeration,"));
    CHECK(holds(
        missing(member("tag", integer("unsigned-integer", 8, R"(, "mappings": {"a": [[0, 2]]})")) +
                ", " + variant),
        "a variant whose options are not named like the mappings of its selector,"));
}
