// SPDX-License-Identifier: MIT
//
// What the reader of Perfetto traces tells of losses: of the kernel's buffers, of packets,
// of buffers that were overwritten on purpose; and damaged files.
#include "packed_packets.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

std::string after(std::uint64_t end)
{
    return "previous_bundle_end_timestamp: " + std::to_string(end) + " ";
}

std::string kernel_stats(const char* phase, const std::string& cpus)
{
    return std::string{"packet { trusted_packet_sequence_id: 2 ftrace_stats { phase: "} + phase +
           " " + cpus + " } }";
}

std::string service_stats(const std::string& buffer, const std::string& more = {})
{
    return "packet { trace_stats { buffer_stats { trace_writer_packet_loss: 1000 } "
           "buffer_stats { " +
           buffer + " } writer_stats { sequence_id: 2 buffer: 1 } " + more + " } }";
}

std::string losses(const std::string& text)
{
    const auto read = read_perfetto(text);
    CHECK(!read->error);
    return losses_of(*read);
}

} // namespace

TEST_CASE("perfetto_when_nothing_is_lost_then_nothing_is_told")
{
    CHECK(losses(bundle(0, done(100, 1) + after(0),
                        "previous_packet_dropped: 1 "
                        "first_packet_on_sequence: true") +
                 bundle(1, done(200, 2) + after(0)) + bundle(0, done(300, 3) + after(100)) +
                 kernel_stats("START_OF_TRACE", "cpu_stats { cpu: 0 overrun: 5 }") +
                 kernel_stats("END_OF_TRACE", "cpu_stats { cpu: 0 overrun: 5 }") +
                 service_stats("", "final_flush_outcome: FINAL_FLUSH_SUCCEEDED")) == "");
}

TEST_CASE("perfetto_when_kernel_overwrote_events_then_gap_has_their_number")
{
    const std::string stats =
        kernel_stats("START_OF_TRACE", "cpu_stats { cpu: 0 overrun: 5 dropped_events: 1 }") +
        kernel_stats("END_OF_TRACE",
                     "cpu_stats { cpu: 0 overrun: 12 commit_overrun: 1 dropped_events: 2 }");
    const std::string first = bundle(0, done(100, 1));
    const std::string second = bundle(0, done(200, 2) + "lost_events: true");
    const std::string third = bundle(0, done(300, 3) + "lost_events: true");
    CHECK(losses(first + second + stats) == "events 100 200 0 9\n");
    CHECK(losses(first + second) == "events 100 200 0 ?\n");
    // told together
    CHECK(losses(first + second + third + stats) == "events 100 200 0 9\nevents 200 300 0 0\n");
    // the statistics alone know
    CHECK(losses(first + stats) == "events 100 100 0 9\n");
    // no event of the CPU came through
    CHECK(losses(bundle(1, done(100, 1)) + stats) == "events 100 100 0 9\n");
    CHECK(losses(bundle(1, done(100, 1)) + bundle(0, "lost_events: true") + stats) ==
          "events 100 100 0 9\n");
    CHECK(losses(bundle(1, done(100, 1)) + bundle(0, "lost_events: true")) ==
          "events 100 100 0 ?\n");
    // those of other sequences are of other buffers
    CHECK(losses("packet { trusted_packet_sequence_id: 3 ftrace_events { cpu: 0 " + done(5, 1) +
                 "} }" + stats) == "events 5 5 0 9\n");
}

TEST_CASE("perfetto_when_first_events_were_overwritten_then_gap_begins_the_trace")
{
    const std::string other = bundle(1, done(50, 1));
    const std::string late = bundle(0, done(100, 2) + "lost_events: true");
    CHECK(losses(other + late) == "events 50 100 0 ?\n");
    CHECK(losses(other + late + kernel_stats("START_OF_TRACE", "preserve_ftrace_buffer: true")) ==
          "late 50 100 0 ?\n");
}

TEST_CASE("perfetto_when_bundles_are_missing_then_gap_is_exact")
{
    CHECK(losses(bundle(0, done(100, 1) + after(0)) + bundle(0, done(200, 2) + after(150))) ==
          "packets 100 150 0 ?\n");
    // what was dropped was of another CPU
    CHECK(losses(bundle(0, done(100, 1) + after(0)) +
                 bundle(0, done(200, 2) + after(100), "previous_packet_dropped: 64")) == "");
    CHECK(losses(bundle(0, done(100, 1) + after(0)) +
                 bundle(0, done(200, 2) + after(150) + "lost_events: true")) ==
          "packets 100 150 0 ?\nevents 150 200 0 ?\n");
}

TEST_CASE("perfetto_when_bundle_ends_in_wake_ups_then_they_count_as_its_end")
{
    const std::string wake_ups = "compact_sched { waking_timestamp: [110, 20] } ";
    CHECK(losses(bundle(0, done(100, 1) + wake_ups + after(0)) +
                 bundle(0, done(200, 2) + after(130))) == "");
    CHECK(losses(bundle(0, done(100, 1) + after(0)) + bundle(0, wake_ups + after(100)) +
                 bundle(0, done(200, 2) + after(130))) == "");
}

TEST_CASE("perfetto_when_packets_were_dropped_and_no_bundle_tells_then_every_cpu_has_a_gap")
{
    const std::string text = bundle(0, done(100, 1)) + bundle(1, done(110, 2)) +
                             bundle(0, done(200, 3), "previous_packet_dropped: 1") +
                             bundle(0, done(300, 4));
    CHECK(losses(text) == "packets 110 110 1 ?\npackets 100 200 0 ?\n");
}

TEST_CASE("perfetto_when_buffer_is_a_ring_then_cpus_begin_late")
{
    const std::string overwritten = service_stats("chunks_overwritten: 7 patches_failed: 3");
    const std::string exact = bundle(0, done(100, 1) + after(90), "previous_packet_dropped: 1") +
                              bundle(1, done(200, 2) + after(150)) +
                              bundle(2, done(300, 3) + after(0));
    CHECK(losses(exact + overwritten) == "late 100 150 1 ?\n");
    const std::string old =
        bundle(0, done(100, 1), "previous_packet_dropped: 1") + bundle(1, done(200, 2));
    CHECK(losses(old + overwritten) == "late 100 200 1 ?\n");
    CHECK(losses(old) == "late 100 200 1 ?\n");
    CHECK(losses(old + service_stats("chunks_overwritten: 0")) == "");
    const std::string read =
        bundle(0, done(100, 1)) + bundle(1, done(200, 2) + "last_read_event_timestamp: 150");
    CHECK(losses(read) == "late 100 150 1 ?\n");
}

TEST_CASE("perfetto_when_service_lost_packets_then_their_number_is_told")
{
    const std::string events = bundle(0, done(100, 1));
    CHECK(losses(events + service_stats("trace_writer_packet_loss: 2 patches_failed: 4 "
                                        "abi_violations: 5")) == "packets 100 100 0 11\n");
    CHECK(losses(events + service_stats("chunks_discarded: 3 patches_failed: 4")) ==
          "packets 100 100 0 3\n");
    CHECK(losses(events + service_stats("", "chunks_discarded: 6 invalid_packets: 1")) ==
          "packets 100 100 0 7\n");
    CHECK(losses(events + service_stats("", "final_flush_outcome: FINAL_FLUSH_FAILED")) ==
          "packets 100 100 0 ?\n");
    // of which buffer is not told: of any
    CHECK(losses(events + "packet { trace_stats { buffer_stats { chunks_discarded: 8 } } }") ==
          "packets 100 100 0 8\n");
}

TEST_CASE("perfetto_when_a_page_could_not_be_parsed_then_gap_is_told")
{
    CHECK(losses(bundle(0, done(100, 1) + done(200, 2) + "error { timestamp: 150 }")) ==
          "events 150 200 0 ?\n");
    CHECK(losses(bundle(0, done(100, 1) + "error { timestamp: 150 }")) == "events 100 100 0 ?\n");
    CHECK(losses(bundle(0, done(100, 1)) + bundle(0, "error { timestamp: 150 }")) ==
          "events 100 100 0 ?\n");
}

TEST_CASE("perfetto_when_file_is_cut_then_what_is_there_is_read")
{
    const std::string whole = perfetto_bytes(bundle(0, done(100, 1) + done(200, 2) + after(0)) +
                                             bundle(1, done(250, 3) + after(0)) +
                                             bundle(0, done(300, 4) + done(400, 5) + after(200)));
    const std::string expected = lines_of(*read_ftrace(whole, wanted_done()));
    const std::size_t first =
        perfetto_bytes(bundle(0, done(100, 1) + done(200, 2) + after(0))).size();
    const std::size_t second = first + perfetto_bytes(bundle(1, done(250, 3) + after(0))).size();
    std::size_t most = 0;
    for (std::size_t size = 4; size < whole.size(); ++size) {
        const auto read = read_ftrace(whole.substr(0, size), wanted_done());
        const std::string lines = lines_of(*read);
        CHECK(expected.starts_with(lines));
        CHECK(read->events().size() >= most);
        most = read->events().size();
        CHECK(read->error.has_value() == (size != first && size != second));
        if (read->error) {
            CHECK(read->error->kind == ErrorKind::DamagedTrace);
            CHECK((read->events().empty() || !read->losses().empty()));
        }
    }
    CHECK(most == 5); // cut behind its last event
}

TEST_CASE("perfetto_when_packed_packet_is_cut_then_what_is_there_is_read")
{
    std::string text;
    for (std::uint64_t index = 1; index <= 40; ++index) {
        text += bundle(0, done(index, index));
    }
    const std::string stored = in_packet(deflated(perfetto_bytes(text), 0, 0));
    const auto half = read_ftrace(stored.substr(0, stored.size() / 2), wanted_done());
    CHECK(half->events().size() > 10);
    CHECK(half->events().size() < 30);
    REQUIRE(half->error);
    CHECK(half->error->kind == ErrorKind::DamagedTrace);
    CHECK(read_ftrace(stored, wanted_done())->events().size() == 40);

    // A packet that is whole and does not fit its sum is of no use.
    std::string wrong = stored;
    wrong[stored.size() / 2] ^= 1;
    const auto damaged =
        read_ftrace(wrong + perfetto_bytes(bundle(0, done(99, 99))), wanted_done());
    CHECK(lines_of(*damaged) == "99 0 7 - -: 99\n");
    REQUIRE(damaged->error);
    CHECK(damaged->error->kind == ErrorKind::DamagedTrace);
}

TEST_CASE("perfetto_when_packet_is_damaged_then_others_are_read_and_error_comes_last")
{
    perfetto::Trace trace =
        parse_trace(bundle(0, done(100, 1)) + bundle(0, done(200, 2)) + bundle(0, done(300, 3)));
    const std::string first = parse_trace(bundle(0, done(100, 1))).SerializeAsString();
    const std::string last = parse_trace(bundle(0, done(300, 3))).SerializeAsString();
    for (const std::string& packet :
         {std::string{"\x0a\x03\x92\x03\x7f", 5},                // packed, but not there
          std::string{"\x0a\x05\x92\x03\x02xx", 7},              // packed, but no such bytes
          std::string{"\x0a\x04\x0a\x02\x12\x05", 6},            // a bundle of no CPU
          std::string{"\x0a\x06\x0a\x04\x08\x00\x12\x05", 8}}) { // an event that is cut off
        const auto read = read_ftrace(first + packet + last, wanted_done());
        CHECK(lines_of(*read) == "100 0 7 - -: 1\n300 0 7 - -: 3\n");
        CHECK(losses_of(*read) == "packets 100 300 0 ?\n");
        REQUIRE(read->error);
        CHECK(read->error->kind == ErrorKind::DamagedTrace);
    }
    const auto garbage = read_ftrace(first + "garbage" + last, wanted_done());
    CHECK(lines_of(*garbage) == "100 0 7 - -: 1\n");
    REQUIRE(garbage->error);
    CHECK(garbage->error->kind == ErrorKind::DamagedTrace);
}
