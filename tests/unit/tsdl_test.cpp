// SPDX-License-Identifier: MIT
//
// TSDL metadata (CTF 1.8): what becomes of each construct, and the message for
// each thing that is wrong. What LTTng writes is in tests/golden.
#include "schema_text.hpp"
#include "trace/ctf/metadata.hpp"

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
    const Schema schema = read(R"(/* CTF 1.8 */
        typealias integer { size = 5; align = 1; signed = false; } := uint5_t;
        typealias integer { size = 64; align = 8; signed = false; } := unsigned long;
        trace { byte_order = le; uuid = "7f5e824f-6baf-8c42-9e58-675b5e598eb5";
            packet.header := struct { integer { size = 32; } magic; integer { size = 8; } uuid[16];
                integer { size = 32; } stream_id; integer { size = 64; } stream_instance_id; }; };
        env { tracer_name = "lttng-modules"; tracer_major = 2; };
        clock { name = "monotonic"; uuid = "ac9a"; freq = 1000000000; offset = 1795224846237226201; };
        typealias integer { size = 27; align = 1; map = clock.monotonic.value; } := uint27_clock;
        typealias integer { size = 64; align = 8; map = clock.monotonic.value; } := uint64_clock;
        struct packet_context { uint64_clock timestamp_begin; uint64_clock timestamp_end;
            unsigned long content_size; unsigned long packet_size; unsigned long packet_seq_num;
            unsigned long events_discarded; integer { size = 32; } cpu_id; };
        struct event_header_compact {
            enum : uint5_t { compact = 0 ... 30, extended = 31 } id;
            variant <id> {
                struct { uint27_clock timestamp; } compact;
                struct { integer { size = 32; } id; uint64_clock timestamp; } extended;
            } v;
        } align(8);
        stream { id = 0; event.header := struct event_header_compact;
            packet.context := struct packet_context; };)");
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
    CHECK(schema.environment.at("tracer_major") == "2");
    REQUIRE(stream.clock == 0);
    const ClockClass& clock = schema.clocks.at(0);
    CHECK(clock.uid == "ac9a");
    CHECK(clock.offset_seconds == 1795224846);
    CHECK(clock.offset_cycles == 237226201);
    CHECK(clock.is_origin_unix_epoch);
}
