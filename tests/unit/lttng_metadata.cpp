// SPDX-License-Identifier: MIT
#include "lttng_metadata.hpp"

#include <fmt/format.h>

namespace lttng_gpu::trace::ctf {
namespace {

std::string integer(int bits, const std::string& role = "", const std::string& more = "")
{
    return fmt::format(R"({{"type": "fixed-length-unsigned-integer", "length": {}, "alignment": {},
        "preferred-display-base": 10, "byte-order": "little-endian"{}{}}})",
                       bits, bits % 8 == 0 ? 8 : 1,
                       role.empty() ? "" : fmt::format(", \"roles\": [\"{}\"]", role), more);
}

std::string member(const std::string& name, const std::string& type)
{
    return fmt::format(R"({{"name": "{}", "field-class": {}}})", name, type);
}

std::string structure(const std::vector<std::string>& members, const std::string& more = "")
{
    return fmt::format(R"({{"type": "structure", "member-classes": [{}]{}}})",
                       fmt::join(members, ", "), more);
}

std::string trace_class()
{
    return R"({"type": "trace-class", "name": "", "namespace": "lttng.org,2009",
        "uid": "7f5e824f-6baf-8c42-9e58-675b5e598eb5",
        "environment": {"domain": "kernel", "tracer_name": "lttng-modules", "tracer_major": 2},
        "packet-header-field-class": )" +
           structure({
               member("magic", integer(32, "packet-magic-number")),
               member("uuid", R"({"type": "static-length-blob", "length": 16,
                   "roles": ["metadata-stream-uuid"]})"),
               member("stream_id", integer(32, "data-stream-class-id")),
               member("stream_instance_id", integer(64, "data-stream-id")),
           }) +
           "}";
}

std::string event_header()
{
    const std::string option = R"({{"name": "{}", "selector-field-ranges": [[{}, {}]],
        "field-class": {}}})";
    const std::string options =
        fmt::format(fmt::runtime(option), "compact", 0, 30,
                    structure({member("timestamp", integer(27, "default-clock-timestamp"))})) +
        ", " +
        fmt::format(fmt::runtime(option), "extended", 31, 31,
                    structure({
                        member("id", integer(32, "event-record-class-id")),
                        member("timestamp", integer(64, "default-clock-timestamp")),
                    }));
    return structure(
        {
            member("id",
                   integer(5, "event-record-class-id",
                           R"(, "mappings": {"compact": [[0, 30]], "extended": [[31, 31]]})")),
            member("v", R"({"type": "variant", "selector-field-location":
                {"origin": "event-record-header", "path": ["id"]}, "options": [)" +
                            options + "]}"),
        },
        R"(, "minimum-alignment": 8)");
}

std::string stream_class()
{
    return R"({"type": "data-stream-class", "id": 0, "default-clock-class-id": "monotonic",
        "packet-context-field-class": )" +
           structure({
               member("timestamp_begin", integer(64, "default-clock-timestamp")),
               member("timestamp_end", integer(64, "packet-end-default-clock-timestamp")),
               member("content_size", integer(64, "packet-content-length")),
               member("packet_size", integer(64, "packet-total-length")),
               member("packet_seq_num", integer(64, "packet-sequence-number")),
               member("events_discarded", integer(64, "discarded-event-record-counter-snapshot")),
               member("cpu_id", integer(32)),
           }) +
           R"(, "event-record-header-field-class": )" + event_header() +
           R"(, "event-record-common-context-field-class": )" +
           structure({
               member("pid", R"({"type": "fixed-length-signed-integer", "length": 32,
                   "alignment": 8, "byte-order": "little-endian"})"),
               member("procname", R"({"type": "static-length-string", "length": 16})"),
           }) +
           "}";
}

} // namespace

std::string fragments(const std::vector<std::string>& texts)
{
    std::string all;
    for (const std::string& text : texts) {
        all += "\x1e" + text + "\n";
    }
    return all;
}

std::string lttng_tsdl_metadata()
{
    return R"(/* CTF 1.8 */
typealias integer { size = 5; align = 1; signed = false; } := uint5_t;
typealias integer { size = 64; align = 8; signed = false; } := unsigned long;
trace { major = 1; minor = 8; byte_order = le; uuid = "7f5e824f-6baf-8c42-9e58-675b5e598eb5";
    packet.header := struct { integer { size = 32; } magic; integer { size = 8; } uuid[16];
        integer { size = 32; } stream_id; integer { size = 64; } stream_instance_id; }; };
env { tracer_name = "lttng-modules"; tracer_major = 2; };
clock { name = "monotonic"; uuid = "ac9aa300-40a4-4f4b-9898-6c319e3bd5eb"; freq = 1000000000; offset = 1795224846237226201; };
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
    packet.context := struct packet_context; };
event { name = "drm_sched_job_run"; id = 1; stream_id = 0;
    fields := struct { string _name; integer { size = 16; base = 10; } __ids_length;
        integer { size = 64; } _ids[ __ids_length ]; }; };
event { name = "empty"; id = 7; stream_id = 0; fields := struct { }; };
)";
}

std::string lttng_ctf2_metadata()
{
    return fragments({
        R"({"type": "preamble", "version": 2,
            "uuid": [127, 94, 130, 79, 107, 175, 140, 66, 158, 88, 103, 91, 94, 89, 142, 181]})",
        trace_class(),
        R"({"type": "clock-class", "id": "monotonic", "name": "monotonic",
            "description": "Monotonic Clock", "frequency": 1000000000, "origin": "unix-epoch",
            "offset-from-origin": {"seconds": 1795224846, "cycles": 237226201},
            "uid": "ac9aa300-40a4-4f4b-9898-6c319e3bd5eb"})",
        stream_class(),
        R"({"type": "event-record-class", "id": 1, "data-stream-class-id": 0,
            "name": "drm_sched_job_run", "attributes": {"lttng.org,2009": {"log-level": "info"}},
            "payload-field-class": )" +
            structure({
                member("name", R"({"type": "null-terminated-string"})"),
                member("_ids_length", integer(16)),
                member("ids", R"({"type": "dynamic-length-array", "length-field-location":
                    {"origin": "event-record-payload", "path": ["_ids_length"]},
                    "element-field-class": )" +
                                  integer(64) + "}"),
            }) +
            "}",
        R"({"type": "event-record-class", "id": 7, "data-stream-class-id": 0, "name": "empty"})",
    });
}

} // namespace lttng_gpu::trace::ctf
