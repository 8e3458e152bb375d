// SPDX-License-Identifier: MIT
//
// What the fuzz target `packet` reads its bytes with: metadata of the shapes that
// the decoder has ways of its own for, and of those that take every kind of step.
#pragma once

#include <array>
#include <string_view>

namespace lttng_gpu::test {

/// LTTng's kernel tracer: compact header, times bound by the packet's end. One class
/// has the id that marks long headers.
inline constexpr std::string_view compact_metadata = R"(/* CTF 1.8 */
trace { major = 1; minor = 8; byte_order = le; };
env { tracer_name = "lttng-modules"; tracer_major = 2; tracer_minor = 13; };
clock { name = c; freq = 1000000000; offset = 1000; };
typealias integer { size = 8; align = 8; } := u8;
typealias integer { size = 32; align = 8; } := u32;
typealias integer { size = 32; align = 8; signed = true; } := s32;
typealias integer { size = 64; align = 8; } := u64;
typealias integer { size = 64; align = 8; map = clock.c.value; } := t64;
stream {
    packet.context := struct { t64 timestamp_begin; t64 timestamp_end; u64 content_size;
        u64 packet_size; u64 packet_seq_num; u64 events_discarded; u32 cpu_id; };
    event.header := struct {
        enum : integer { size = 5; align = 1; } { compact = 0 ... 30, extended = 31 } id;
        variant <id> {
            struct { integer { size = 27; align = 1; map = clock.c.value; } timestamp; } compact;
            struct { u32 id; t64 timestamp; } extended; } v; } align(8);
    event.context := struct { s32 _pid; integer { size = 8; align = 8; encoding = UTF8; } _procname[4]; };
};
event { name = e; id = 0; fields := struct { u8 n; s32 s; string t; u64 w; }; };
event { name = f; id = 1; fields := struct { string a; string b; u8 n; u32 q[n]; }; };
event { name = g; id = 2; fields := struct { u8 m; integer { size = 8; encoding = UTF8; } t[m]; u8 z[2][3]; }; };
event { name = h; id = 70000; fields := struct { }; };
event { name = k; id = 31; fields := struct { u8 n; }; };
)";

/// LTTng's large header; two stream classes with clocks that have nothing in common.
inline constexpr std::string_view large_metadata = R"(/* CTF 1.8 */
typealias integer { size = 8; align = 8; } := u8;
typealias integer { size = 16; align = 8; } := u16;
typealias integer { size = 32; align = 8; } := u32;
typealias integer { size = 64; align = 8; } := u64;
trace { major = 1; minor = 8; byte_order = le;
    packet.header := struct { u8 stream_id; u8 stream_instance_id; }; };
clock { name = c; freq = 1000000000; offset = 5; };
clock { name = d; freq = 1000; offset_s = 9000000000; };
typealias integer { size = 64; align = 8; map = clock.c.value; } := t64;
typealias integer { size = 32; align = 8; map = clock.c.value; } := t32;
stream { id = 0;
    packet.context := struct { t64 timestamp_begin; t64 timestamp_end; u16 content_size;
        u16 packet_size; u8 packet_seq_num; u8 events_discarded; u8 cpu_id; };
    event.header := struct {
        enum : u16 { compact = 0 ... 65534, extended = 65535 } id;
        variant <id> { struct { t32 timestamp; } compact;
            struct { u32 id; t64 timestamp; } extended; } v; } align(8);
};
stream { id = 1;
    packet.context := struct { u8 packet_seq_num; u16 content_size; };
    event.header := struct { u8 id; integer { size = 40; align = 8; map = clock.d.value; } timestamp; };
};
event { name = e; id = 0; stream_id = 0; fields := struct { u8 n; u16 s; string t; u64 w; }; };
event { name = f; id = 300; stream_id = 0; fields := struct { u32 n; }; };
event { name = e; id = 0; stream_id = 1; fields := struct { string t; u8 n; }; };
)";

/// Big endian, natural alignment, bit fields, and structures inside structures.
inline constexpr std::string_view natural_metadata = R"(/* CTF 1.8 */
trace { major = 1; minor = 8; byte_order = be; };
clock { name = c; freq = 1000000000; offset = 0; };
typealias integer { size = 8; align = 8; } := u8;
typealias integer { size = 16; align = 16; } := u16;
typealias integer { size = 32; align = 32; } := u32;
typealias integer { size = 64; align = 64; map = clock.c.value; } := t64;
stream {
    packet.context := struct { u16 content_size; u16 packet_size; t64 timestamp_begin; };
    event.header := struct { integer { size = 3; align = 1; } id;
        integer { size = 21; align = 1; map = clock.c.value; } timestamp; };
};
event { name = e; id = 0; fields := struct { integer { size = 3; align = 1; } n;
    integer { size = 13; align = 1; signed = true; } s; u32 w;
    integer { size = 64; align = 1; signed = true; } d; u16 t; }; };
event { name = f; id = 1; fields := struct { enum : u8 { A = 1, B = 2 ... 4, C = 5 } n;
    variant <n> { u16 A; struct { string l; u8 k; u32 x[k]; } B; u8 C[3]; } v; string t;
    struct { u8 k; struct { integer { size = 1; align = 1; } b; string w; } r[k]; } s[2]; }; };
event { name = g; id = 2; fields := struct { floating_point { exp_dig = 8; mant_dig = 24; align = 8; } n;
    floating_point { exp_dig = 11; mant_dig = 53; align = 64; } s; integer { size = 16; align = 8; byte_order = le; } w; }; };
event { name = h; id = 3; };
)";

/// No clock, no packet context, and an event of no size.
inline constexpr std::string_view bare_metadata = R"(/* CTF 1.8 */
trace { major = 1; minor = 8; byte_order = le; };
stream { };
event { name = e; fields := struct {
    enum : integer { size = 2; align = 1; } { a, t = 1 ... 2 } n;
    variant <n> { struct { } a; string t; } v; }; };
)";

/// CTF 2's own kinds of fields; texts and numbers of any length.
inline constexpr std::string_view ctf2_metadata =
    "\x1e"
    R"({"type":"preamble","version":2})"
    "\x1e"
    R"({"type":"field-class-alias","name":"u8","field-class":{"type":"fixed-length-unsigned-integer","length":8,"byte-order":"little-endian"}})"
    "\x1e"
    R"({"type":"field-class-alias","name":"v","field-class":{"type":"variable-length-unsigned-integer"}})"
    "\x1e"
    R"({"type":"clock-class","id":"c","frequency":3,"offset-from-origin":{"seconds":-1,"cycles":2}})"
    "\x1e"
    R"({"type":"data-stream-class","default-clock-class-id":"c","packet-context-field-class":{"type":"structure","member-classes":[
{"name":"total","field-class":{"type":"variable-length-unsigned-integer","roles":["packet-total-length"]}},
{"name":"content","field-class":{"type":"variable-length-unsigned-integer","roles":["packet-content-length"]}},
{"name":"begin","field-class":{"type":"variable-length-unsigned-integer","roles":["default-clock-timestamp"]}},
{"name":"end","field-class":{"type":"variable-length-unsigned-integer","roles":["packet-end-default-clock-timestamp"]}},
{"name":"seq","field-class":{"type":"variable-length-unsigned-integer","roles":["packet-sequence-number"]}},
{"name":"lost","field-class":{"type":"variable-length-unsigned-integer","roles":["discarded-event-record-counter-snapshot"]}}]},
"event-record-header-field-class":{"type":"structure","member-classes":[
{"name":"id","field-class":{"type":"variable-length-unsigned-integer","roles":["event-record-class-id"]}},
{"name":"time","field-class":{"type":"variable-length-unsigned-integer","roles":["default-clock-timestamp"]}}]}})"
    "\x1e"
    R"({"type":"event-record-class","id":0,"name":"e","payload-field-class":{"type":"structure","member-classes":[
{"name":"n","field-class":"v"},{"name":"s","field-class":{"type":"variable-length-signed-integer"}},
{"name":"t","field-class":{"type":"dynamic-length-string","length-field-location":{"path":["n"]}}},
{"name":"w","field-class":{"type":"dynamic-length-blob","length-field-location":{"path":["n"]}}}]}})"
    "\x1e"
    R"({"type":"event-record-class","id":1,"name":"f","payload-field-class":{"type":"structure","member-classes":[
{"name":"b","field-class":{"type":"fixed-length-boolean","length":8,"byte-order":"big-endian"}},
{"name":"o","field-class":{"type":"optional","selector-field-location":{"path":["b"]},"field-class":{"type":"static-length-array","length":4,"element-field-class":"u8"}}},
{"name":"n","field-class":"v"},
{"name":"a","field-class":{"type":"dynamic-length-array","length-field-location":{"path":["n"]},"element-field-class":{"type":"structure","member-classes":[
{"name":"k","field-class":"u8"},{"name":"q","field-class":{"type":"dynamic-length-array","length-field-location":{"path":["k"]},"element-field-class":{"type":"null-terminated-string","encoding":"utf-16le"}}}]}}},
{"name":"t","field-class":{"type":"static-length-string","length":3}},{"name":"w","field-class":{"type":"static-length-blob","length":2}}]}})"
    "\x1e"
    R"({"type":"event-record-class","id":70000,"name":"g","payload-field-class":{"type":"structure","member-classes":[
{"name":"e","field-class":{"type":"dynamic-length-array","length-field-location":{"origin":"event-record-header","path":["time"]},"element-field-class":{"type":"structure"}}}]}})";

inline constexpr std::array packet_metadata{compact_metadata, large_metadata, natural_metadata,
                                            bare_metadata, ctf2_metadata};

} // namespace lttng_gpu::test
