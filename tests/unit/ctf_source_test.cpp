// SPDX-License-Identifier: MIT
//
// The reader of LTTng's traces on traces of a few events whose bytes are written
// here: every way of laying out a field, clocks that wrap, counters of losses,
// rotated files, damage, and the range that saves reading.
#include "ctf_writer.hpp"
#include "gpu_trace.hpp"
#include "packet_bytes.hpp"
#include "read_all.hpp"
#include "trace/ctf/source.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fstream>

using namespace lttng_gpu;
using namespace lttng_gpu::test;
using namespace lttng_gpu::trace;
namespace fs = std::filesystem;

namespace {

const std::vector<WantedEvent> everything{{"*", {"$name", "*"}}};

void write_file(const fs::path& path, const std::string& bytes)
{
    fs::create_directories(path.parent_path());
    std::ofstream{path, std::ios::binary} << bytes;
}

struct Reading {
    std::unique_ptr<ctf::CtfSource> source;
    std::unique_ptr<Collector> kept = std::make_unique<Collector>();
    Collector& collector = *kept;
    std::optional<Error> stopped;

    std::vector<std::string> lines() const
    {
        std::vector<std::string> lines;
        for (const Collector::Item& item : collector.items) {
            if (const auto* loss = std::get_if<Loss>(&item)) {
                lines.push_back(fmt::format("{}..{} cpu {} lost {}{}", loss->begin.value(),
                                            loss->end.value(), loss->cpu.value(),
                                            loss->count ? std::to_string(*loss->count) : "?",
                                            loss->unit == LossUnit::Events    ? " events"
                                            : loss->unit == LossUnit::Packets ? " packets"
                                                                              : " late"));
                continue;
            }
            const RawEvent& event = std::get<Collector::Event>(item).raw;
            std::string line = std::to_string(event.time.value());
            for (const FieldValue& field : event.fields) {
                line += ' ' + text_of(field);
            }
            lines.push_back(line);
        }
        return lines;
    }

private:
    static std::string text_of(const FieldValue& value)
    {
        switch (value.kind()) {
        case FieldValue::Kind::Unsigned:
            return std::to_string(*value.as_unsigned());
        case FieldValue::Kind::Signed:
            return fmt::format("{:+}", *value.as_signed());
        case FieldValue::Kind::Real:
            return fmt::format("{}", *value.as_real());
        case FieldValue::Kind::Text:
            return std::string{value.as_text()};
        case FieldValue::Kind::Numbers: {
            std::string text;
            for (std::size_t index = 0; index < value.as_numbers().size(); ++index) {
                text += fmt::format("[{}]", value.as_numbers()[index]);
            }
            return text;
        }
        case FieldValue::Kind::None:
            break;
        }
        return "-";
    }
};

Reading read(const fs::path& directory, const std::vector<WantedEvent>& wanted = everything,
             const ctf::SourceOptions& options = {})
{
    const auto traces = find_traces({directory});
    REQUIRE(traces);
    auto source = ctf::CtfSource::open(*traces, wanted, options);
    REQUIRE_MESSAGE(source, (source ? "" : source.error().message));
    Reading reading;
    reading.source = std::move(*source);
    reading.stopped = read_all(*reading.source, reading.collector);
    return reading;
}

using Lines = std::vector<std::string>;

constexpr const char* clock_text = "clock { name = c; freq = 1000000000; offset = 1000; };\n";

/// A stream without packet header; its context has times, sizes, counters, a CPU.
std::string metadata(const std::string& byte_order, const std::string& event_header,
                     const std::string& events)
{
    return "/* CTF 1.8 */\ntrace { major = 1; minor = 8; byte_order = " + byte_order + "; };\n" +
           clock_text + R"(
typealias integer { size = 8; align = 8; } := u8;
typealias integer { size = 16; align = 8; } := u16;
typealias integer { size = 32; align = 8; } := u32;
typealias integer { size = 64; align = 8; } := u64;
typealias integer { size = 64; align = 8; map = clock.c.value; } := t64;
typealias integer { size = 32; align = 8; map = clock.c.value; } := t32;
stream {
    packet.context := struct { t64 timestamp_begin; t64 timestamp_end; u64 content_size;
        u64 packet_size; u64 packet_seq_num; u64 events_discarded; u32 cpu_id; };
    event.header := )" +
           event_header + ";\n};\n" + events;
}

struct PacketFacts {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t sequence = 0;
    std::uint64_t discarded = 0;
    std::uint32_t cpu = 0;
};

/// Context and events as one packet without padding.
std::string packet(const PacketFacts& facts, const PacketBytes& events, bool is_big = false,
                   std::size_t header_bits = 0)
{
    const std::size_t context_bits = header_bits + 6 * 64 + 32;
    PacketBytes bytes{is_big};
    bytes.put(facts.begin, 64).put(facts.end, 64);
    bytes.put(context_bits + events.bits(), 64);
    bytes.put(context_bits + 8 * events.bytes().size(), 64);
    bytes.put(facts.sequence, 64).put(facts.discarded, 64).put(facts.cpu, 32);
    return bytes.bytes() + events.bytes();
}

constexpr const char* plain_header = "struct { u16 id; t64 timestamp; }";
constexpr const char* compact_header = R"(struct {
        enum : integer { size = 5; align = 1; } { compact = 0 ... 30, extended = 31 } id;
        variant <id> {
            struct { integer { size = 27; align = 1; map = clock.c.value; } timestamp; } compact;
            struct { u32 id; t64 timestamp; } extended; } v; } align(8))";
constexpr const char* large_header = R"(struct {
        enum : u16 { compact = 0 ... 65534, extended = 65535 } id;
        variant <id> { struct { t32 timestamp; } compact;
            struct { u32 id; t64 timestamp; } extended; } v; } align(8))";
constexpr const char* small_event = "event { name = e; id = 0; fields := struct { u8 n; }; };\n";

void put_small(PacketBytes& bytes, std::uint64_t time, std::uint8_t number)
{
    bytes.put(0, 16).put(time, 64).put(number, 8);
}

std::string small_packet(PacketFacts facts, const std::vector<std::uint64_t>& times)
{
    PacketBytes events;
    for (const std::uint64_t time : times) {
        put_small(events, time, static_cast<std::uint8_t>(time));
    }
    return packet(facts, events);
}

} // namespace

TEST_CASE("ctf_when_fields_have_any_size_and_order_then_reads_each")
{
    for (const bool is_big : {false, true}) {
        const TemporaryDirectory directory;
        write_file(directory.path() / "metadata",
                   metadata(is_big ? "be" : "le", plain_header,
                            "event { name = e; id = 3; fields := struct {"
                            " integer { size = 3; align = 1; } a;"
                            " integer { size = 13; align = 1; signed = true; } b;"
                            " integer { size = 1; align = 1; } c;"
                            " integer { size = 64; align = 1; signed = true; } d;"
                            " integer { size = 16; align = 32; } e;"
                            " integer { size = 24; align = 8; } f;"
                            " floating_point { exp_dig = 8; mant_dig = 24; align = 8; } g;"
                            " floating_point { exp_dig = 11; mant_dig = 53; align = 64; } h;"
                            " integer { size = 16; align = 8; byte_order = le; } i;"
                            " integer { size = 16; align = 8; byte_order = be; } j; }; };\n"));
        PacketBytes events{is_big};
        // Alignment counts from the packet's beginning, the context is 52 bytes.
        PacketBytes all{is_big};
        all.raw(std::string(52, '\0'));
        all.put(3, 16).put(5, 64);
        all.align(64); // the structure's
        all.put(5, 3, 1).put(static_cast<std::uint64_t>(-4000), 13, 1).put(1, 1, 1);
        all.put(static_cast<std::uint64_t>(-6), 64, 1).put(0xabcd, 16, 32).put(0x123456, 24);
        all.put(0x3fc00000, 32).put(0xc000000000000000, 64, 64); // 1.5 and -2
        all.raw(std::string_view{"\x01\x02\x01\x02", 4});
        events.raw(std::string_view{all.bytes()}.substr(52));
        write_file(directory.path() / "stream", packet({1, 9}, events, is_big));
        const Reading reading = read(directory.path());
        CHECK_FALSE(reading.stopped);
        CHECK(reading.lines() == Lines{"1005 e 5 -4000 1 -6 43981 1193046 1.5 -2 513 258"});
    }
}

TEST_CASE("ctf_when_sizes_depend_on_values_then_reads_and_skips_them")
{
    const TemporaryDirectory directory;
    const std::string fields =
        "struct { string s; u8 n; u32 q[n]; u8 m;"
        " integer { size = 8; encoding = UTF8; } t[m]; integer { size = 8; encoding = ASCII; } "
        "x[4];"
        " struct { u8 k; string w; } r[2]; enum : u8 { A = 1, B = 2 ... 4 } tag;"
        " variant <tag> { u16 A; struct { string l; } B; } v; u8 z[2][3]; u16 last; }";
    write_file(directory.path() / "metadata",
               metadata("le", plain_header,
                        "event { name = e; id = 0; fields := " + fields + "; };\n" +
                            "event { name = other; id = 1; fields := " + fields + "; };\n"));
    PacketBytes events;
    for (const unsigned id : {1U, 0U}) {
        events.put(id, 16).put(7 + id, 64).text("text").put(3, 8);
        events.put(10, 32).put(20, 32).put(30, 32).put(5, 8).raw("four").put(0, 8);
        events.raw(std::string_view{"ab\0c", 4}).put(1, 8).text("one").put(2, 8).text("");
        events.put(3, 8).text("chosen").raw("\x01\x02\x03\x04\x05\x06").put(99, 16);
    }
    write_file(directory.path() / "stream", packet({1, 9}, events));
    // The times of the two are in the wrong order: the second event is not read.
    const Reading backward = read(directory.path());
    REQUIRE(backward.stopped);
    CHECK(backward.stopped->message.find("earlier") != std::string::npos);
    CHECK(backward.lines() ==
          Lines{"1008 other text 3 10 20 30 5 four ab 1 one 2  3 chosen 1 2 3 4 5 6 99",
                "1008..1009 cpu 0 lost ? events"});
    const Reading named = read(directory.path(), {{"other", {"last", "t", "r", "absent", "s"}}});
    CHECK(named.lines().front() == "1008 99 four - - text");
}

TEST_CASE("ctf_when_events_depend_on_header_and_context_then_reads_both")
{
    const TemporaryDirectory directory;
    // The header is LTTng's, but its fast way would not keep the id.
    write_file(
        directory.path() / "metadata",
        metadata("le", R"(struct {
        enum : u16 { compact = 0 ... 65534, extended = 65535 } id;
        variant <id> { struct { t32 timestamp; } compact;
            struct { u32 id; t64 timestamp; } extended; } v; } align(8))",
                 "event { name = e; id = 2; fields := struct {"
                 " u8 a[stream.event.header.id]; u8 b[stream.packet.context.cpu_id]; }; };\n"));
    PacketBytes events;
    events.put(2, 16).put(5, 32).raw("\x01\x02\x03\x04\x05");
    events.put(2, 16).put(6, 32).raw("\x06\x07\x08\x09\x0a");
    write_file(directory.path() / "stream", packet({1, 9, 0, 0, 3}, events));
    CHECK(read(directory.path()).lines() == Lines{"1005 e 1 2 3 4 5", "1006 e 6 7 8 9 10"});
}

TEST_CASE("ctf_when_header_is_compact_then_time_wraps_at_27_bits")
{
    const TemporaryDirectory directory;
    for (const bool is_big : {false, true}) { // little endian has a way of its own
        write_file(directory.path() / "metadata",
                   metadata(is_big ? "be" : "le", compact_header,
                            "event { name = e; id = 4; fields := struct { u8 n; }; };\n"
                            "event { name = far; id = 70000; };\n"));
        PacketBytes events{is_big};
        const std::uint64_t wrap = 1U << 27U;
        events.put(4, 5).put(wrap - 1, 27, 1).put(1, 8);
        events.put(4, 5).put(3, 27, 1).put(2, 8);
        events.put(31, 5).put(70000, 32).put(2 * wrap + 2, 64);
        events.put(4, 5).put(1, 27, 1).put(3, 8);
        write_file(directory.path() / "stream", packet({wrap - 5, 9 * wrap}, events, is_big));
        const Reading reading = read(directory.path());
        CHECK_FALSE(reading.stopped);
        CHECK(reading.lines() == Lines{fmt::format("{} e 1", 1000 + wrap - 1),
                                       fmt::format("{} e 2", 1000 + wrap + 3),
                                       fmt::format("{} far", 1000 + 2 * wrap + 2),
                                       fmt::format("{} e 3", 1000 + 3 * wrap + 1)});
        CHECK(reading.source->totals().events == 4);
    }
}

TEST_CASE("ctf_when_header_is_large_then_time_wraps_at_32_bits")
{
    const TemporaryDirectory directory;
    write_file(directory.path() / "metadata", metadata("le", large_header, small_event));
    PacketBytes events;
    const std::uint64_t wrap = std::uint64_t{1} << 32U;
    events.put(0, 16).put(wrap - 2, 32).put(1, 8);
    events.put(0, 16).put(2, 32).put(2, 8);
    events.put(65535, 16).put(0, 32).put(5 * wrap, 64).put(3, 8);
    write_file(directory.path() / "stream", packet({wrap - 5, 9 * wrap}, events));
    const Reading reading = read(directory.path());
    CHECK(reading.lines() == Lines{fmt::format("{} e 1", 1000 + wrap - 2),
                                   fmt::format("{} e 2", 1000 + wrap + 2),
                                   fmt::format("{} e 3", 1000 + 5 * wrap)});
}

TEST_CASE("ctf_when_id_of_a_class_is_the_mark_of_long_headers_then_is_that_class_in_them_only")
{
    for (const bool is_compact : {true, false}) {
        const TemporaryDirectory directory;
        const std::uint64_t mark = is_compact ? 31 : 65535;
        std::string classes = small_event;
        classes += fmt::format(
            "event {{ name = marked; id = {}; fields := struct {{ u8 n; }}; }};\n", mark);
        for (int id = 100; id < 4300; ++id) { // with few of them, ids that large have no table
            classes += fmt::format("event {{ name = other; id = {}; }};\n", id);
        }
        write_file(directory.path() / "metadata",
                   metadata("le", is_compact ? compact_header : large_header, classes));
        PacketBytes events;
        Lines lines;
        for (std::uint64_t index = 1; index < 20; ++index) {
            events.put(mark, is_compact ? 5 : 16).put(mark, 32).put(10 * index, 64).put(index, 8);
            events.put(0, is_compact ? 5 : 16);
            events.put(10 * index + 1, is_compact ? 27 : 32, is_compact ? 1 : 8).put(index, 8);
            lines.push_back(fmt::format("{} {}", 1000 + 10 * index, index));
            lines.push_back(fmt::format("{} {}", 1001 + 10 * index, index));
        }
        write_file(directory.path() / "stream", packet({1, 999}, events));
        const Reading reading = read(directory.path(), {{"e", {"n"}}, {"marked", {"n"}}});
        CHECK_FALSE(reading.stopped);
        CHECK(reading.lines() == lines);
    }
}

TEST_CASE("ctf_when_a_packet_begins_near_the_end_of_the_clock_then_its_times_do_not_wrap")
{
    for (const bool is_compact : {true, false}) {
        const TemporaryDirectory directory;
        write_file(directory.path() / "metadata",
                   metadata("le", is_compact ? compact_header : large_header, small_event));
        PacketBytes events;
        for (std::uint64_t index = 0; index < 20; ++index) {
            events.put(0, is_compact ? 5 : 16);
            events.put(index, is_compact ? 27 : 32, is_compact ? 1 : 8).put(index, 8);
        }
        write_file(directory.path() / "stream", packet({UINT64_MAX - 4, UINT64_MAX}, events));
        const Reading reading = read(directory.path(), {{"e", {"n"}}});
        REQUIRE(reading.stopped);
        CHECK(reading.stopped->message.find("earlier than the one before") != std::string::npos);
        CHECK(reading.lines() == Lines{fmt::format("{0}..{0} cpu 0 lost ? events", INT64_MAX)});
        CHECK(reading.source->totals().events == 0);
    }
}

TEST_CASE("ctf_when_texts_end_with_the_content_then_all_are_read")
{
    // Values of the last events are read another way than those far from the end.
    for (std::size_t length = 0; length < 20; ++length) {
        const TemporaryDirectory directory;
        write_file(directory.path() / "metadata",
                   metadata("le", compact_header,
                            "event { name = e; id = 0; fields := struct { u8 n; string a; u16 m;"
                            " integer { size = 8; align = 8; encoding = UTF8; } c[12];"
                            " string b; string d; }; };\n"));
        PacketBytes events;
        Lines lines;
        for (std::uint64_t index = 0; index < 12; ++index) {
            const std::string text(length, static_cast<char>('a' + index));
            const std::string fixed(std::min<std::size_t>(length, 12), 'x');
            events.put(0, 5).put(index, 27, 1).put(index, 8).text(text).put(7 * index, 16);
            events.raw(fixed + std::string(12 - fixed.size(), '\0')).text(text + "b").text(text);
            lines.push_back(fmt::format("{} {} {} {} {} {}", 1000 + index, text, 7 * index, fixed,
                                        text, text + "b"));
        }
        write_file(directory.path() / "stream", packet({0, 99}, events));
        const Reading reading = read(directory.path(), {{"e", {"a", "m", "c", "d", "b"}}});
        CHECK_FALSE(reading.stopped);
        CHECK(reading.lines() == lines);
    }
}

TEST_CASE("ctf_when_counters_jump_then_gives_the_losses_in_place")
{
    const TemporaryDirectory directory;
    write_file(directory.path() / "metadata", metadata("le", plain_header, small_event));
    write_file(directory.path() / "stream", small_packet({10, 20, 0, 0, 2}, {12}) +
                                                small_packet({30, 40, 1, 5, 2}, {31}) +
                                                small_packet({60, 70, 4, 5, 2}, {61}));
    write_file(directory.path() / "overwritten", small_packet({35, 70, 6, 0, 1}, {65}));
    const Reading reading = read(directory.path());
    CHECK(reading.lines() == Lines{"1010..1035 cpu 1 lost ? late", "1012 e 12",
                                   "1020..1040 cpu 2 lost 5 events", "1031 e 31",
                                   "1040..1060 cpu 2 lost 2 packets", "1061 e 61", "1065 e 65"});
}

TEST_CASE("ctf_when_first_packets_are_missing_then_the_counter_is_not_of_here")
{
    const TemporaryDirectory directory;
    write_file(directory.path() / "metadata", metadata("le", plain_header, small_event));
    write_file(directory.path() / "stream",
               small_packet({30, 40, 6, 9}, {31}) + small_packet({50, 60, 7, 11}, {51}));
    const Reading reading = read(directory.path());
    CHECK_FALSE(reading.stopped);
    CHECK(reading.lines() == Lines{"1030..1040 cpu 0 lost ? events", "1031 e 31",
                                   "1040..1060 cpu 0 lost 2 events", "1051 e 51"});
}

TEST_CASE("ctf_when_a_packet_begins_before_the_last_event_then_nothing_of_it_is_read")
{
    const TemporaryDirectory directory;
    write_file(directory.path() / "metadata", metadata("le", large_header, small_event));
    const auto large_packet = [](PacketFacts facts, std::uint64_t time) {
        PacketBytes events;
        return packet(facts, events.put(0, 16).put(time, 32).put(time, 8));
    };
    write_file(directory.path() / "stream", large_packet({10, 60}, 50) +
                                                large_packet({30, 70, 1}, 40) +
                                                large_packet({80, 90, 3}, 85));
    const Reading reading = read(directory.path());
    REQUIRE(reading.stopped);
    CHECK(reading.stopped->message.find("earlier than the one before") != std::string::npos);
    CHECK(reading.lines() == Lines{"1050 e 50", "1050..1070 cpu 0 lost ? events",
                                   "1070..1080 cpu 0 lost 1 packets", "1085 e 85"});
}

TEST_CASE("ctf_when_content_ends_inside_a_byte_then_reading_ends")
{
    const TemporaryDirectory directory;
    write_file(directory.path() / "metadata", metadata("le", large_header, small_event));
    PacketBytes events;
    std::string bytes = packet({10, 20}, events.put(0, 16).put(15, 32).put(1, 8));
    bytes[16] = static_cast<char>(bytes[16] + 3); // content_size
    bytes[24] = static_cast<char>(bytes[24] + 8); // packet_size
    write_file(directory.path() / "stream", bytes + '\0');
    const Reading reading = read(directory.path());
    REQUIRE(reading.stopped);
    CHECK(reading.lines() == Lines{"1015 e 1", "1015..1020 cpu 0 lost ? events"});
}

TEST_CASE("ctf_when_file_ends_in_padding_then_says_so_and_nothing_is_lost")
{
    const TemporaryDirectory directory;
    write_file(directory.path() / "metadata", metadata("le", plain_header, small_event));
    std::string bytes = small_packet({10, 20}, {12});
    bytes.replace(24, 2, "\x08\x02"); // packet_size: 65 bytes
    write_file(directory.path() / "stream", bytes + '\0');
    const Reading reading = read(directory.path());
    REQUIRE(reading.stopped);
    CHECK(reading.stopped->message.find("the file ends inside it (64 of 65 bytes") !=
          std::string::npos);
    CHECK(reading.lines() == Lines{"1012 e 12"});
}

TEST_CASE("ctf_when_packets_of_two_stream_classes_share_a_file_then_those_of_the_first_are_read")
{
    const TemporaryDirectory directory;
    const auto stream = [](int id, const char* clock) {
        return fmt::format("stream {{ id = {0}; packet.context := struct {{ u8 content_size; }};"
                           " event.header := struct {{ integer {{ size = 8; align = 8;"
                           " map = clock.{1}.value; }} timestamp; }}; }};\n"
                           "event {{ name = e{0}; stream_id = {0}; }};\n",
                           id, clock);
    };
    write_file(directory.path() / "metadata",
               "trace { major = 1; minor = 8; byte_order = le; packet.header := struct {"
               " integer { size = 8; align = 8; } stream_id; }; };"
               "clock { name = a; offset = 1000; }; clock { name = b; };"
               "typealias integer { size = 8; align = 8; } := u8;" +
                   stream(0, "a") + stream(1, "b"));
    write_file(directory.path() / "mixed",
               PacketBytes{}.put(0, 8).put(24, 8).put(7, 8).put(1, 8).put(24, 8).put(9, 8).bytes());
    const Reading reading = read(directory.path());
    REQUIRE(reading.stopped);
    CHECK(reading.stopped->message.find("it is of stream class 1") != std::string::npos);
    CHECK(reading.lines().front() == "1007 e0");
    CHECK(reading.source->totals().events == 1);
}

TEST_CASE("ctf_when_offset_of_the_clock_does_not_fit_then_is_unreadable")
{
    const TemporaryDirectory directory;
    std::string text = metadata("le", plain_header, small_event);
    text.replace(text.find("offset = 1000"), 13, "offset_s = 10000000000");
    write_file(directory.path() / "metadata", text);
    const auto traces = find_traces({directory.path()});
    REQUIRE(traces);
    const auto source = ctf::CtfSource::open(*traces, everything, {});
    REQUIRE_FALSE(source);
    CHECK(source.error().kind == ErrorKind::UnreadableTrace);
}

TEST_CASE("ctf_when_a_packet_is_damaged_then_the_others_are_read")
{
    const TemporaryDirectory directory;
    write_file(directory.path() / "metadata", metadata("le", plain_header, small_event));
    std::string damaged = small_packet({30, 40, 1}, {31, 32, 33});
    damaged[52 + 11] = 9; // an event class that does not exist
    write_file(directory.path() / "a",
               small_packet({10, 20}, {12}) + damaged + small_packet({50, 60, 2}, {51}));
    write_file(directory.path() / "b",
               small_packet({10, 20}, {15}) + small_packet({35, 40, 1}, {36, 37}).substr(0, 70));
    const Reading reading = read(directory.path());
    REQUIRE(reading.stopped);
    CHECK(reading.stopped->kind == ErrorKind::DamagedTrace);
    CHECK(reading.stopped->message.find("/a: the packet at byte 63") != std::string::npos);
    CHECK(reading.stopped->message.find("and 1 more") != std::string::npos);
    CHECK(reading.lines() == Lines{"1012 e 12", "1015 e 15", "1031 e 31",
                                   "1031..1040 cpu 0 lost ? events", "1036 e 36",
                                   "1036..1040 cpu 0 lost ? events", "1051 e 51"});
}

TEST_CASE("ctf_when_file_is_no_stream_then_the_rest_is_read")
{
    const TemporaryDirectory directory;
    write_file(directory.path() / "metadata",
               "trace { major = 1; minor = 8; byte_order = le; packet.header := struct {"
               " integer { size = 32; align = 8; } magic; }; }; clock { name = c; };"
               "stream { event.header := struct { integer { size = 64; align = 8;"
               " map = clock.c.value; } timestamp; }; }; event { name = e; };");
    write_file(directory.path() / "notes.txt", "no stream");
    write_file(directory.path() / "stream", PacketBytes{}.put(0xc1fc1fc1, 32).put(7, 64).bytes());
    const Reading reading = read(directory.path());
    REQUIRE(reading.stopped);
    CHECK(reading.stopped->message.find("notes.txt: the packet at byte 0: its magic number") !=
          std::string::npos);
    CHECK(reading.lines().back() == "7 e");
    write_file(directory.path() / "notes.txt", "");
    CHECK_FALSE(read(directory.path()).stopped);
}

TEST_CASE("ctf_when_stream_continues_in_another_file_then_is_one_stream")
{
    const TemporaryDirectory directory;
    std::string text = metadata("le", plain_header, small_event);
    text.insert(
        text.find("byte_order"),
        "packet.header := struct { integer { size = 32; align = 8; } stream_instance_id; }; ");
    write_file(directory.path() / "metadata", text);
    const std::string instance = PacketBytes{}.put(4, 32).bytes();
    const auto with_header = [&](PacketFacts facts, std::uint64_t time) {
        PacketBytes events;
        put_small(events, time, static_cast<std::uint8_t>(time));
        const std::string bytes = packet(facts, events, false, 32);
        return instance + bytes;
    };
    write_file(directory.path() / "c_0_1", with_header({30, 40, 1, 3}, 35));
    write_file(directory.path() / "c_0_2", with_header({10, 20, 0, 1}, 15));
    const Reading reading = read(directory.path());
    CHECK_FALSE(reading.stopped);
    CHECK(reading.lines() == Lines{"1010..1020 cpu 0 lost 1 events", "1015 e 15",
                                   "1020..1040 cpu 0 lost 2 events", "1035 e 35"});
}

TEST_CASE("ctf_when_decoded_ahead_then_gives_the_same")
{
    const TemporaryDirectory directory;
    std::vector<std::vector<CtfPacket>> cpus(5);
    for (std::uint64_t index = 0; index < 40'000; ++index) {
        auto& packets = cpus[index % cpus.size()];
        if (index % 997 == index % cpus.size() || packets.empty()) {
            packets.emplace_back();
        }
        packets.back().events.push_back(index % 3 == 0 ? queue_event(index / 2, index)
                                                       : other_event(index / 2));
    }
    write_ctf(directory.path(), cpus);
    const Reading alone = read(directory.path());
    REQUIRE(alone.collector.items.size() == 40'000);
    for (const unsigned threads : {2U, 4U}) {
        Workers workers{threads};
        const Reading ahead = read(directory.path(), everything, {&workers, 1, {}, {}});
        CHECK(ahead.lines() == alone.lines());
        CHECK(ahead.source->totals().first == alone.source->totals().first);
        CHECK(ahead.source->totals().last == alone.source->totals().last);
    }
    CHECK(alone.source->progress() == 1.0);
}

TEST_CASE("ctf_when_source_is_left_early_then_nothing_waits")
{
    const TemporaryDirectory directory;
    std::vector<CtfEvent> events;
    for (std::uint64_t index = 0; index < 60'000; ++index) {
        events.push_back(queue_event(index, index));
    }
    write_ctf(directory.path(), {{{events}}, {{events}}});
    Workers workers{3};
    const auto traces = find_traces({directory.path()});
    auto source = ctf::CtfSource::open(*traces, everything, {&workers, 1, {}, {}});
    REQUIRE(source);
    Collector collector;
    CHECK((*source)->read_some(collector));
    source->reset();
    CHECK(collector.items.size() < 60'000);
}

TEST_CASE("ctf_when_a_range_is_asked_for_then_passes_over_far_packets")
{
    const TemporaryDirectory directory;
    write_file(directory.path() / "metadata", metadata("le", plain_header, small_event));
    constexpr std::uint64_t second = 1'000'000'000;
    std::string bytes;
    for (std::uint64_t index = 0; index < 100; ++index) {
        bytes += small_packet({index * second, index * second + 9, index}, {index * second + 5});
    }
    write_file(directory.path() / "stream", bytes);
    const auto times = [&](std::optional<ReadBound> begin, std::optional<ReadBound> end,
                           const std::vector<WantedEvent>& wanted) {
        const Reading reading = read(directory.path(), wanted, {nullptr, 1, begin, end});
        CHECK_FALSE(reading.stopped);
        return std::pair{reading.source->totals().first, reading.source->totals().events};
    };
    const std::vector<WantedEvent> nothing{};
    const ReadBound fifty{true, 50 * second};
    const Timestamp first{1005};
    // Ten seconds around are read, too; nothing wanted lacks a context.
    CHECK(times({}, fifty, everything) == std::pair{std::optional{first}, std::uint64_t{61}});
    CHECK(times(fifty, fifty, nothing) == std::pair{std::optional{first}, std::uint64_t{21}});
    CHECK(times(fifty, {}, nothing) == std::pair{std::optional{first}, std::uint64_t{60}});
    // Events without contexts need the state dump at the beginning.
    CHECK(times(fifty, {}, everything).second == 100);
}

TEST_CASE("ctf_when_trace_has_no_times_then_events_are_counted")
{
    const TemporaryDirectory directory;
    write_file(directory.path() / "metadata",
               "trace { major = 1; minor = 8; byte_order = le; };"
               "stream { }; event { name = e; fields := struct { string s; }; };");
    write_file(directory.path() / "stream", std::string{"ab\0c\0", 5});
    const Reading reading = read(directory.path());
    CHECK_FALSE(reading.stopped);
    CHECK(reading.source->totals().events == 2);
    CHECK(reading.source->totals().events_without_clock == 2);
    CHECK_FALSE(reading.source->totals().first);
}

TEST_CASE("ctf_when_clocks_have_offsets_then_traces_merge_by_absolute_time")
{
    const TemporaryDirectory directory;
    const std::string text = metadata("le", plain_header, small_event);
    write_file(directory.path() / "one/metadata", text);
    write_file(directory.path() / "one/stream", small_packet({1, 99}, {10, 30}));
    std::string other = text;
    other.replace(other.find("freq = 1000000000; offset = 1000"), 32,
                  "freq = 500000000; offset_s = -1; offset = 500000500");
    write_file(directory.path() / "two/metadata", other);
    write_file(directory.path() / "two/stream", small_packet({1, 99}, {10, 11}));
    const Reading reading = read(directory.path());
    CHECK(reading.lines() == Lines{"1010 e 10", "1020 e 10", "1022 e 11", "1030 e 30"});
    CHECK(std::get<Collector::Event>(reading.collector.items[0]).raw.trace !=
          std::get<Collector::Event>(reading.collector.items[1]).raw.trace);
}
