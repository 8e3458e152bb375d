// SPDX-License-Identifier: MIT
//
// The reader of LTTng's traces on traces of a few events: every way of laying out a field, clocks
// that wrap, and where contents end.
#include "small_ctf.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;
using namespace lttng_gpu::trace;

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
