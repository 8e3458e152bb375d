// SPDX-License-Identifier: MIT
//
// TSDL metadata (CTF 1.8): what becomes of each construct, and the message for
// each thing that is wrong. What LTTng writes is in tests/golden.
#include "lttng_metadata.hpp"
#include "schema_text.hpp"
#include "trace/ctf/metadata/read_metadata.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace lttng_gpu;
using namespace lttng_gpu::trace::ctf;

namespace {

constexpr const char* head = R"(/* CTF 1.8 */
typealias integer { size = 8; } := uint8_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 32; signed = true; } := int;
trace { major = 1; minor = 8; byte_order = le; };
)";

Schema read(const std::string& text)
{
    const auto schema = read_metadata(text);
    REQUIRE_MESSAGE(schema.has_value(), (schema ? "" : schema.error().message));
    return *schema;
}

/// What becomes of these fields as the payload of an event.
std::string payload_of(const std::string& fields, const std::string& before = "")
{
    const Schema schema =
        read(head + before + "event { name = \"e\"; fields := struct {" + fields + "}; };");
    return schema_text(only_event(schema).payload);
}

std::string error_of(const std::string& text)
{
    const auto schema = read_metadata(text);
    REQUIRE_FALSE(schema.has_value());
    CHECK(schema.error().kind == ErrorKind::UnreadableTrace);
    CHECK(schema.error().message.find('\n') == std::string::npos);
    return schema.error().message;
}

} // namespace

TEST_CASE("integer_when_attributes_are_missing_then_has_their_defaults")
{
    CHECK(payload_of("uint8_t a; integer { size = 5; } b; integer { size = 16; align = 32; "
                     "signed = 1; byte_order = be; base = x; } c;") == "{a:u8 b:u5 c:i16be@32}");
}

TEST_CASE("integer_when_byte_order_is_native_then_is_that_of_the_later_trace_block")
{
    const Schema schema = read(R"(
        typealias integer { size = 16; byte_order = native; } := u16;
        event { name = "e"; fields := struct { u16 a; integer { size = 8; byte_order = le; } b; }; };
        trace { byte_order = be; };)");
    CHECK(schema_text(only_event(schema).payload) == "{a:u16be b:u8}");
}

TEST_CASE("type_when_its_name_has_several_words_or_pointers_then_is_found")
{
    const char* const types = "typealias integer { size = 64; } := unsigned long;"
                              "typealias integer { size = 32; base = 16; } := void *;"
                              "typedef unsigned long const ticks_t, triple_t[3];";
    CHECK(payload_of("unsigned long a; const void *b; ticks_t c, d[2]; triple_t e;", types) ==
          "{a:u64 b:u32 c:u64 d:[u64*2] e:[u64*3]}");
}

TEST_CASE("field_when_its_name_begins_with_underscores_then_loses_one")
{
    CHECK(payload_of("uint8_t _a; uint8_t __b; uint8_t c_;") == "{a:u8 _b:u8 c_:u8}");
}

TEST_CASE("real_when_it_is_read_then_has_the_bits_of_its_format")
{
    CHECK(payload_of("floating_point { exp_dig = 8; mant_dig = 24; byte_order = be; } a;"
                     "floating_point { exp_dig = 11; mant_dig = 53; align = 64; } b;") ==
          "{a:f32be b:f64@64}");
}

TEST_CASE("string_when_it_has_attributes_or_none_then_is_a_string")
{
    CHECK(payload_of("string a; string { encoding = ASCII; } b; string {} c;") ==
          "{a:str b:str c:str}");
}

TEST_CASE("array_when_elements_are_encoded_bytes_then_they_are_characters")
{
    CHECK(payload_of("integer { size = 8; encoding = UTF8; } a[16];"
                     "integer { size = 8; encoding = UTF8; align = 4; } b[2];"
                     "integer { size = 16; encoding = UTF8; } c[2];") ==
          "{a:[u8c*16] b:[u8@4*2] c:[u16*2]}");
}

TEST_CASE("array_when_it_has_several_dimensions_then_the_last_is_innermost")
{
    CHECK(payload_of("uint8_t n; uint8_t a[2][3]; uint8_t b[2][n], c[n][2];") ==
          "{n:u8 =r0 a:[[u8*3]*2] b:[[u8*r0]*2] c:[[u8*2]*r0]}");
}

TEST_CASE("array_when_its_length_is_of_the_environment_then_is_static")
{
    CHECK(payload_of("uint8_t a[env.cpus];", "env { cpus = 12; };") == "{a:[u8*12]}");
}

TEST_CASE("array_when_its_length_is_huge_then_is_kept_as_a_number")
{
    CHECK(payload_of("uint8_t a[0xffffffffffffffff]; uint8_t b[0];") ==
          "{a:[u8*18446744073709551615] b:[u8*0]}");
}

TEST_CASE("enumeration_when_values_are_missing_or_ranges_then_options_get_them")
{
    const char* const tag = "enum : uint8_t { A, B = 5 ... 7, C, \"D\" = 0x20, A = 40, } t;";
    CHECK(payload_of(std::string{tag} +
                     "variant <t> { uint8_t A; string B; uint32_t C; uint8_t D; uint8_t E; } v;") ==
          "{t:u8 =r0 v:<r0 A(0,40):u8 B(5..7):str C(8):u32 D(32):u8 E():u8>}");
}

TEST_CASE("enumeration_when_it_has_negative_values_then_ranges_are_signed")
{
    CHECK(payload_of("enum { low = -5 ... -1, high = 3 } t;"
                     "variant <t> { uint8_t low; uint32_t high; } v;") ==
          "{t:i32 =r0 v:<r0 low(-5..-1):u8 high(3):u32>}");
}

TEST_CASE("enumeration_when_it_is_named_then_can_be_used_again")
{
    CHECK(payload_of("enum color a; enum shape { round } b; enum shape c;",
                     "enum color : uint8_t { red, stream = 9 };") == "{a:u8 b:i32 c:i32}");
}

TEST_CASE("structure_when_it_is_named_or_aligned_then_can_be_used_again")
{
    const char* const types = "struct point { uint8_t x; uint8_t y; } align(32);"
                              "typealias struct point := point_t;"
                              "typedef struct { uint8_t z; } other_t;";
    CHECK(payload_of("struct point a; point_t b[2]; other_t c; struct { } align(64) d;", types) ==
          "{a:{x:u8 y:u8}@32 b:[{x:u8 y:u8}@32*2] c:{z:u8} d:{}@64}");
}

TEST_CASE("type_when_it_is_declared_inside_a_structure_then_ends_with_it")
{
    CHECK(payload_of("struct { typealias integer { size = 4; } := uint8_t; uint8_t a; } s;"
                     "uint8_t b;") == "{s:{a:u4} b:u8}");
    CHECK(error_of(std::string{head} +
                   "event { fields := struct { struct { typedef uint8_t t; t a; } s; t b; }; };") ==
          "6:66: expected the name of a type, found \"t\"");
}

TEST_CASE("variant_when_it_is_named_then_gets_its_tag_where_it_is_used")
{
    const char* const types = "variant content { uint8_t A; uint32_t B; };"
                              "enum tag : uint8_t { A, B = 7 };";
    CHECK(payload_of("enum tag s; enum tag t; variant content <t> a; variant content <s> b;",
                     types) ==
          "{s:u8 =r1 t:u8 =r0 a:<r0 A(0):u8 B(7):u32> b:<r1 A(0):u8 B(7):u32>}");
}

TEST_CASE("reference_when_several_fields_have_the_name_then_is_the_innermost_one_before")
{
    CHECK(payload_of("uint8_t n; struct { uint8_t a[n]; uint8_t n; uint8_t b[n]; } s;"
                     "uint8_t c[n]; uint8_t d[s.n];") ==
          "{n:u8 =r0 s:{a:[u8*r0] n:u8 =r1 b:[u8*r1]} c:[u8*r0] d:[u8*r1]}");
}

TEST_CASE("reference_when_it_leads_through_a_variant_then_names_its_option")
{
    CHECK(payload_of("enum : uint8_t { A, B } t;"
                     "variant <t> { struct { uint8_t n; uint8_t x[n]; } A; uint8_t B; } v;"
                     "uint8_t a[v.A.n]; uint8_t b[v.B];") ==
          "{t:u8 =r0 v:<r0 A(0):{n:u8 =r1 x:[u8*r1]} B(1):u8 =r2> a:[u8*r1] b:[u8*r2]}");
}

TEST_CASE("reference_when_it_leads_out_of_the_payload_then_finds_headers_and_contexts")
{
    const Schema schema = read(R"(
        typealias integer { size = 8; } := uint8_t;
        typealias integer { size = 32; } := uint32_t;
        trace { byte_order = le; packet.header := struct { uint32_t magic; uint32_t stream_id; }; };
        stream { id = 3;
            packet.context := struct { uint8_t cpu; };
            event.header := struct { enum : uint8_t { A, B } id; };
            event.context := struct { uint8_t n; };
        };
        event { id = 1; name = "e"; stream_id = 3;
            context := struct { uint8_t m; };
            fields := struct { uint8_t a[stream.packet.context.cpu]; uint8_t b[n]; uint8_t c[m];
                variant <stream.event.header.id> { uint8_t A; string B; } v;
                uint8_t d[trace.packet.header.stream_id]; uint8_t e[event.context.m];
                struct { uint8_t k; uint8_t f[event.fields.s.k]; } s; };
        };)");
    const StreamClass& stream = schema.streams.at(0);
    CHECK(schema_text(schema.packet_header) == "{magic:u32 magic stream_id:u32 stream_class =r4}");
    CHECK(schema_text(stream.packet_context) == "{cpu:u8 =r0}");
    CHECK(schema_text(stream.event_header) == "{id:u8 event_id =r3}");
    CHECK(schema_text(stream.common_context) == "{n:u8 =r1}");
    CHECK(schema_text(only_event(schema).specific_context) == "{m:u8 =r2}");
    CHECK(schema_text(only_event(schema).payload) ==
          "{a:[u8*r0] b:[u8*r1] c:[u8*r2] v:<r3 A(0):u8 B(1):str> d:[u8*r4] e:[u8*r2] "
          "s:{k:u8 =r5 f:[u8*r5]}}");
    CHECK(schema.register_count == 6);
}

TEST_CASE("header_when_it_is_lttngs_then_both_ids_and_times_have_roles")
{
    const Schema schema = read(lttng_tsdl_metadata());
    CHECK(schema_text(schema.packet_header) ==
          "{magic:u32 magic uuid:[u8*16] uuid stream_id:u32 stream_class "
          "stream_instance_id:u64 stream}");
    const StreamClass& stream = schema.streams.at(0);
    CHECK(schema_text(stream.packet_context) ==
          "{timestamp_begin:u64 begin timestamp_end:u64 end content_size:u64 content "
          "packet_size:u64 total packet_seq_num:u64 seq_num events_discarded:u64 discarded "
          "cpu_id:u32}");
    CHECK(schema_text(stream.event_header) ==
          "{id:u5 event_id =r0 v:<r0 compact(0..30):{timestamp:u27 time} "
          "extended(31):{id:u32 event_id timestamp:u64 time}>}@8");
    REQUIRE(schema.uuid.has_value());
    CHECK((*schema.uuid)[0] == 0x7f);
    CHECK((*schema.uuid)[15] == 0xb5);
    CHECK(text_of(schema.environment, "tracer_major") == "2");
    REQUIRE(stream.clock == 0);
    const ClockClass& clock = schema.clocks.at(0);
    CHECK(clock.uid == "ac9aa300-40a4-4f4b-9898-6c319e3bd5eb");
    CHECK(clock.offset_seconds == 1795224846);
    CHECK(clock.offset_cycles == 237226201);
    CHECK(clock.is_origin_unix_epoch);
    REQUIRE(stream.events.size() == 2);
    CHECK(stream.events[0].name == "drm_sched_job_run");
    CHECK(schema_text(stream.events[0].payload) == "{name:str _ids_length:u16 =r1 ids:[u64*r1]}");
    CHECK(stream.events[1].id == 7);
}

TEST_CASE("clock_when_it_is_read_then_has_its_offset_and_origin")
{
    const Schema schema = read(std::string{head} + R"(
        clock { name = a; freq = 1000; offset = 2500; offset_s = -3; absolute = TRUE; };
        clock { name = "b"; description = "x\n\x41\101\"\\"; precision = 1; };)");
    CHECK(schema.clocks.at(0).frequency == 1000);
    CHECK(schema.clocks[0].offset_seconds == -1);
    CHECK(schema.clocks[0].offset_cycles == 500);
    CHECK(schema.clocks[0].is_origin_unix_epoch);
    CHECK(schema.clocks.at(1).frequency == 1'000'000'000);
    CHECK_FALSE(schema.clocks[1].is_origin_unix_epoch);
}

TEST_CASE("timestamp_when_it_maps_to_no_clock_then_is_of_the_only_one")
{
    const char* const stream = R"(stream {
        packet.context := struct { uint32_t timestamp_begin; uint32_t timestamp_end; };
        event.header := struct { uint32_t timestamp; }; };)";
    const Schema implicit = read(std::string{head} + stream);
    CHECK(implicit.clocks.at(0).name == "default");
    CHECK(implicit.streams.at(0).clock == 0);
    CHECK(schema_text(implicit.streams[0].event_header) == "{timestamp:u32 time}");
    const Schema one = read(std::string{head} + "clock { name = a; freq = 5; };" + stream);
    REQUIRE(one.clocks.size() == 1);
    CHECK(one.streams.at(0).clock == 0);
    CHECK(error_of(std::string{head} + "clock { name = a; }; clock { name = b; };" + stream) ==
          "expected the field \"timestamp_begin\" of the packet context to say which clock it maps "
          "to");
}

TEST_CASE("environment_when_values_are_texts_or_numbers_then_all_are_texts")
{
    const Schema schema =
        read(std::string{head} + "env { a = \"x\\ty\"; b = -5; c = 0x10; d = 'c'; };");
    CHECK(text_of(schema.environment, "a") == "x\ty");
    CHECK(text_of(schema.environment, "b") == "-5");
    CHECK(text_of(schema.environment, "c") == "16");
    CHECK(text_of(schema.environment, "d") == "c");
}

TEST_CASE("text_when_it_has_comments_and_unknown_attributes_then_they_are_skipped")
{
    const Schema schema = read(std::string{head} + R"(// one
        /* two * / */ callsite { name = "x"; func = y; ip = 0x40; };
        event { name = "e"; id = 0; loglevel = 14; model.emf.uri = "http://x"; // three
            fields := struct { integer { size = 8; unknown = a.b; } a; /**/ }; }; // four)");
    CHECK(schema_text(only_event(schema).payload) == "{a:u8}");
}

TEST_CASE("metadata_when_it_is_in_packets_then_is_read_in_either_byte_order")
{
    const std::string text = std::string{head} + "stream { };";
    const auto packet = [](std::string_view content, std::size_t padding, bool is_big) {
        const auto u32 = [&](std::size_t value) {
            std::string bytes;
            for (int byte = 0; byte < 4; ++byte) {
                bytes += static_cast<char>(value >> (8 * (is_big ? 3 - byte : byte)));
            }
            return bytes;
        };
        return u32(0x75d11d57) + std::string(20, 'u').replace(16, 4, 4, '\0') +
               u32((37 + content.size()) * 8) + u32((37 + content.size() + padding) * 8) +
               std::string("\0\0\0\1\10", 5) + std::string{content} + std::string(padding, '#');
    };
    for (const bool is_big : {false, true}) {
        const std::string bytes =
            packet(text.substr(0, 50), 11, is_big) + packet(text.substr(50), 3, is_big);
        CHECK(read(bytes).streams.size() == 1);
        CHECK(error_of(bytes.substr(0, bytes.size() - 4)) == "its packet at byte 98 is cut off");
        std::string compressed = bytes;
        compressed[98 + 32] = 1;
        CHECK(error_of(compressed) ==
              "its packet at byte 98 is compressed, encrypted or has a checksum, which cannot be "
              "read");
        CHECK(error_of(bytes + "x") == fmt::format("its packet at byte {} is none", bytes.size()));
    }
}

TEST_CASE("tsdl_when_it_is_wrong_then_message_says_line_column_and_what_was_expected")
{
    const auto error = [](const std::string& text) { return error_of(std::string{head} + text); };
    CHECK(error_of("") == "1:1: expected a trace block, found the end");
    CHECK(error_of("trace { major = 1; };") == "1:7: expected a trace block with a byte_order");
    CHECK(error_of("trace { byte_order = x; };") ==
          "1:22: expected a byte order: le, be or network");
    CHECK(error_of("trace { byte_order = le; major = 2; };") ==
          "1:34: expected major version 1, of CTF 1.8");
    CHECK(error_of("trace { byte_order = le; uuid = \"7\"; };") == "1:33: expected a UUID");
    CHECK(error("trace { byte_order = le; };") == "6:7: expected one trace block");
    CHECK(error("stream {") == "6:9: expected \"}\", found the end");
    CHECK(error("typedef uint8_t a\n") == "7:1: expected \";\", found the end");
    CHECK(error("}") == "6:1: expected \";\", found \"}\"");
    CHECK(error("$") == "6:1: expected TSDL, found \"$\"");
    CHECK(error("/* x") == "6:1: expected an end of this comment");
    CHECK(error("env { a = \"x;\n };") == "6:11: expected an end of this text");
    CHECK(error("env { a = \"\\q\"; };") ==
          "6:11: expected a text with valid escape sequences, found \"\\q\"");
    CHECK(error("env { a = 08; };") == "6:11: expected a number of 64 bits, found \"08\"");
    CHECK(error("env { a = 18446744073709551616; };") ==
          "6:11: expected a number of 64 bits, found \"18446744073709551616\"");
    CHECK(error("env { a = -9223372036854775809; };") ==
          "6:12: expected a number of 64 bits, found \"9223372036854775809\"");
    CHECK(error("env { a = ; };") == "6:11: expected a value, found \";\"");
    CHECK(error("env { a := 3; };") == "6:9: expected \"=\", found \":=\"");
    CHECK(error("clock { freq = 1; };") == "6:7: expected a clock with a name");
    CHECK(error("clock { name = a; freq = 0; };") == "6:26: expected a frequency that is not 0");
    CHECK(error("clock { name = a; }; clock { name = a; };") ==
          "6:28: expected one clock named \"a\" only");
    CHECK(error("stream { id = 1; }; stream { id = 1; };") ==
          "6:28: expected one stream class with id 1 only");
    CHECK(error("stream { id = 1; }; stream { };") ==
          "6:28: expected an id for each of several stream classes");
    CHECK(error("stream { id = 1; }; stream { id = 2; };") ==
          "expected a stream class id in the packet header, as there are several stream classes");
    CHECK(error("event { stream_id = 1; };") == "6:7: expected a stream class with id 1");
    CHECK(error("event { id = 1; }; event { id = 1; };") ==
          "6:26: expected one event class with id 1 in stream class 0 only");
    CHECK(error("event { id = 1; }; event { id = 2; };") ==
          "expected an event class id in the event header of stream class 0, as there are several "
          "event classes");
    CHECK(error("event { fields := uint8_t; };") == "expected the event payload to be a structure");
    CHECK(error("typealias uint8_t := uint32_t;") ==
          "6:22: expected a new name for a type, found \"uint32_t\" again");
    CHECK(error("typealias variant { uint8_t a; } := v;") == "6:37: expected a variant with a tag");
    CHECK(error("stream { event.header := struct { integer { size = 8; map = clock.x.value; } a; "
                "}; };") == "6:61: expected the name of a clock, found \"x\"");
    CHECK(error("stream { packet.context := struct { string content_size; }; };") ==
          "expected the field \"content_size\" of the packet context to be an unsigned integer");
    CHECK(error("stream { event.header := struct { int id; }; };") ==
          "expected the field \"id\" of the event header to be an unsigned integer");
}

TEST_CASE("type_when_it_is_wrong_then_message_says_what_was_expected")
{
    const auto error = [](const std::string& field) {
        const std::string message =
            error_of(std::string{head} + "event { fields := struct {\n" + field + " }; };");
        return message.substr(message.find(' ') + 1);
    };
    CHECK(error("integer { size = 0; } a;") == "expected a size of 1 to 64 bits, found 0");
    CHECK(error("integer { size = 65; } a;") == "expected a size of 1 to 64 bits, found 65");
    CHECK(error("integer { size = x; } a;") == "expected a number of bits");
    CHECK(error("integer { signed = true; } a;") == "expected an integer with a size");
    CHECK(error("integer { size = 8; align = 3; } a;") ==
          "expected an alignment that is a power of two up to 1048576, found 3");
    CHECK(error("struct { } align(2097152) a;") ==
          "expected an alignment that is a power of two up to 1048576, found 2097152");
    CHECK(error("integer { size = 8; byte_order = x; } a;") ==
          "expected a byte order: le, be, network or native");
    CHECK(error("integer { size = 8; signed = x; } a;") == "expected true or false");
    CHECK(error("string { encoding = latin1; } a;") == "expected an encoding: none, UTF8 or ASCII");
    CHECK(error("floating_point { exp_dig = 8; mant_dig = 25; } a;") ==
          "expected mant_dig and exp_dig of an IEEE 754 format: 24 and 8, or 53 and 11");
    CHECK(error("struct nope a;") == "expected a known struct, found \"struct nope\"");
    CHECK(error("enum nope a;") == "expected a known enum, found \"enum nope\"");
    CHECK(error("typedef string s; enum : s { a } b;") == "expected an enumeration of integers");
    CHECK(error("enum : uint8_t { a = b } c;") == "expected a number or a range of numbers");
    CHECK(error("enum : uint8_t { 3 } c;") == "expected a label, found \"3\"");
    CHECK(error("enum : uint8_t { a b } c;") == "expected \",\" or \"}\", found \"b\"");
    CHECK(error("variant { uint8_t a; } v;") == "expected a variant with a tag");
    CHECK(error("uint8_t a; variant <a> { uint8_t b; } v;") ==
          "expected the field \"a\" to be an enumeration");
    CHECK(error("uint8_t a[n];") ==
          "expected \"n\" to name an integer field that is decoded before");
    CHECK(error("uint8_t a[b.n]; struct { uint8_t n; } b;") ==
          "expected \"b.n\" to name an integer field that is decoded before");
    CHECK(error("int n; uint8_t a[n];") == "expected the field \"n\" to be an unsigned integer");
    CHECK(error("uint8_t a[-1];") == "expected a length: a number or the name of a field");
    CHECK(error("uint8_t a[env.x];") ==
          "expected an environment entry that is a number and not negative");
    CHECK(error("uint8_t a, a;") == "expected one field named \"a\" only");
    CHECK(error("uint8_t;") == "expected a type and a name");
    CHECK(error("unknown a;") == "expected the name of a type, found \"unknown\"");
    CHECK(error("uint8_t * a;") == "expected the name of a type, found \"uint8_t *\"");
}

TEST_CASE("types_when_they_are_nested_too_deep_or_too_wide_then_is_an_error")
{
    std::string deep = "uint8_t a;";
    for (int level = 0; level < 1000; ++level) {
        deep = "struct { " + deep + " } a;";
    }
    CHECK(error_of(std::string{head} + "event { fields := struct { " + deep + " }; };")
              .find("expected no more than 64 levels of fields") != std::string::npos);
    std::string wide = "struct s0 { uint8_t a; };";
    for (int level = 1; level < 60; ++level) {
        wide += fmt::format("struct s{} {{ struct s{} a; struct s{} b; }};", level, level - 1,
                            level - 1);
    }
    CHECK(error_of(std::string{head} + wide + "event { fields := struct s59; };") ==
          "expected fewer fields: named types inside named types make too many");
    std::string arrays = "uint8_t a";
    for (int dimension = 0; dimension < 100; ++dimension) {
        arrays += "[1]";
    }
    CHECK(error_of(std::string{head} + "event { fields := struct { " + arrays + "; }; };")
              .find("expected no more than 64 dimensions") != std::string::npos);
}
