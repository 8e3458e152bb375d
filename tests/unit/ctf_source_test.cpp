// SPDX-License-Identifier: MIT
//
// The reader of LTTng's traces on traces of a few events: counters of losses, damage, rotated
// files, reading ahead, and the range that saves reading.
#include "ctf_writer.hpp"
#include "gpu_trace.hpp"
#include "small_ctf.hpp"

#include <fmt/ranges.h>

using namespace lttng_gpu;
using namespace lttng_gpu::test;
using namespace lttng_gpu::trace;
namespace fs = std::filesystem;

/// Events of one class of which only integers are wanted are read by loops of their own.
TEST_CASE("ctf_when_only_integers_are_wanted_then_each_is_its_own_field")
{
    const TemporaryDirectory directory;
    const std::string event =
        "typealias integer { size = 16; align = 8; signed = 1; } := s16;\n"
        "event { name = e; id = 0; fields := struct { u32 a; u16 b; u8 c; s16 d; }; };\n";
    write_file(directory.path() / "metadata", metadata("le", large_header, event));
    constexpr std::uint64_t count = 20; // the last ones, near the end, are read by steps
    PacketBytes events;
    for (std::uint64_t n = 0; n < count; ++n) {
        events.put(0, 16).put(10 + n, 32);
        events.put(70000 + n, 32).put(600 + n, 16).put(50 + n, 8).put(0xfff0 - n, 16);
    }
    write_file(directory.path() / "stream", packet({10, 90}, events));
    const auto lines_of = [&](const std::vector<std::string>& fields, const auto& line_of) {
        Lines expected;
        for (std::uint64_t n = 0; n < count; ++n) {
            expected.push_back(fmt::format("{} {}", 1010 + n, line_of(n)));
        }
        CHECK(read(directory.path(), {{"e", fields}}).lines() == expected);
    };
    lines_of({"a", "b", "c"},
             [](std::uint64_t n) { return fmt::format("{} {} {}", 70000 + n, 600 + n, 50 + n); });
    lines_of({"b", "c"}, [](std::uint64_t n) { return fmt::format("{} {}", 600 + n, 50 + n); });
    lines_of({"a", "c", "d"}, [](std::uint64_t n) {
        return fmt::format("{} {} {:+}", 70000 + n, 50 + n, -16 - static_cast<std::int64_t>(n));
    });
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

TEST_CASE("ctf_when_file_is_not_a_stream_then_the_rest_is_read")
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

/// LTTng makes streams for a program before it has said what it writes there; killed then, it
/// leaves these.
TEST_CASE("ctf_when_packets_of_no_stream_class_are_empty_then_nothing_is_lost")
{
    const TemporaryDirectory directory;
    write_file(directory.path() / "metadata",
               "trace { major = 1; minor = 8; byte_order = le; packet.header := struct {"
               " integer { size = 32; align = 8; } magic; integer { size = 32; align = 8; }"
               " stream_id; }; }; clock { name = c; };"
               "stream { id = 0; event.header := struct { integer { size = 64; align = 8;"
               " map = clock.c.value; } timestamp; }; }; event { name = e; stream_id = 0; };");
    write_file(directory.path() / "stream",
               PacketBytes{}.put(0xc1fc1fc1, 32).put(0, 32).put(7, 64).bytes());
    const auto unused = [&](std::uint64_t content_bits, std::uint64_t discarded) {
        constexpr std::uint64_t total_bits = 512;
        PacketBytes bytes;
        bytes.put(0xc1fc1fc1, 32).put(5, 32).put(10, 64).put(20, 64).put(content_bits, 64);
        bytes.put(total_bits, 64).put(0, 64).put(discarded, 64).put(0, 32).put(0, 32);
        return bytes.bytes();
    };
    constexpr std::uint64_t empty_bits = 480;
    write_file(directory.path() / "unused", unused(empty_bits, 0) + unused(empty_bits, 0));
    const Reading reading = read(directory.path());
    CHECK_FALSE(reading.stopped);
    CHECK(reading.lines() == Lines{"7 e"});
    const auto is_told = [&](const std::string& bytes) {
        write_file(directory.path() / "unused", bytes);
        const Reading other = read(directory.path());
        return other.stopped &&
               other.stopped->message.find("has no stream class 5") != std::string::npos;
    };
    CHECK(is_told(unused(empty_bits + 8, 0)));
    CHECK(is_told(unused(empty_bits, 1)));
    CHECK(is_told(unused(empty_bits, 0) + unused(empty_bits + 8, 0)));
    CHECK(is_told(unused(empty_bits, 0).substr(0, 20)));
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

TEST_CASE("ctf_when_traces_have_one_clock_then_have_one_offset_of_it")
{
    const TemporaryDirectory directory;
    const auto write = [&](const std::string& name, const std::string& clock) {
        std::string text = metadata("le", plain_header, small_event);
        const std::string_view written = "freq = 1000000000; offset = 1000";
        text.replace(text.find(written), written.size(), clock);
        write_file(directory.path() / name / "metadata", text);
        write_file(directory.path() / name / "stream", small_packet({1, 99}, {10}));
    };
    const std::string boot = "uuid = \"db0f2449-5408-4f7e-bd0e-03117b89e69e\"; ";
    write("kernel", boot + "freq = 1000000000; offset = 1000");
    write("other",
          "uuid = \"00000000-5408-4f7e-bd0e-03117b89e69e\"; freq = 1000000000; offset = 7000");
    write("ust", boot + "freq = 1000000000; offset = 5000");
    const Lines lines = read(directory.path()).lines();
    CAPTURE(fmt::format("{}", fmt::join(lines, "; ")));
    CHECK(lines == Lines{"1010 e 10", "1010 e 10", "7010 e 10"});
    trace::ctf::SourceOptions as_written;
    as_written.aligns_clocks = false;
    CHECK(read(directory.path(), everything, as_written).lines() ==
          Lines{"1010 e 10", "5010 e 10", "7010 e 10"});
}
