// SPDX-License-Identifier: MIT
//
// The reader of Perfetto traces: events of all forms, order, packing, clocks, names. What
// it tells of losses and damage is in perfetto_loss_test.cpp; tests/golden has real traces.
#include "packed_packets.hpp"
#include "trace/perfetto/detect.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

std::string bytes_of(const google::protobuf::UnknownFieldSet& fields)
{
    std::string bytes;
    REQUIRE(fields.SerializeToString(&bytes));
    return bytes;
}

/// The fields of one event.
std::string fields_of(const std::string& event, const trace::WantedEvent& wanted)
{
    const auto read = read_ftrace(
        perfetto_bytes(bundle(1, "event { timestamp: 5 pid: 7 " + event + " }")), {wanted});
    REQUIRE(!read->error);
    REQUIRE(read->events().size() == 1);
    return to_text(read->events()[0].fields);
}

} // namespace

TEST_CASE("perfetto_when_event_has_a_number_then_fields_are_read")
{
    const std::string job = "name: 'gfx' job_count: 2 hw_job_count: -1 dev: '0000:04:00.0' "
                            "fence_context: 401 fence_seqno: 18446744073709551615 client_id: 3";
    const std::vector<std::string> names{"name", "dev", "hw_job_count", "fence_seqno", "none"};
    CHECK(fields_of("drm_sched_job_queue { " + job + " }", {"drm_sched_job_queue", names}) ==
          "'gfx' '0000:04:00.0' -1 18446744073709551615 -");
    CHECK(fields_of("drm_sched_job_run { " + job + " }", {"drm_sched_job_run", {"client_id"}}) ==
          "3");
    CHECK(fields_of("drm_sched_job_unschedulable { ctx: 9 seqno: 8 }",
                    {"drm_sched_job_unschedulable", {"ctx", "seqno", "fence_context"}}) == "9 8 -");
    CHECK(fields_of("drm_sched_job_add_dep { ctx: 9 }", {"drm_sched_job_add_dep", {"ctx"}}) == "9");
    CHECK(fields_of("drm_sched_job { fence: 18446743526909918272 name: 'r' }",
                    {"drm_sched_job", {"fence", "name"}}) == "18446743526909918272 'r'");
    CHECK(fields_of("drm_run_job { id: 4 }", {"drm_run_job", {"id"}}) == "4");
    CHECK(fields_of("drm_sched_process_job { fence: 6 }", {"drm_sched_process_job", {"fence"}}) ==
          "6");
    CHECK(fields_of("virtio_gpu_cmd_response { dev: 4 fence_id: 67980 name: 'control' }",
                    {"virtio_gpu_cmd_response", {"dev", "name", "fence_id"}}) ==
          "4 'control' 67980");
    const std::string fence = "context: 1 driver: 'msm' seqno: 16665 timeline: 'ring'";
    for (const char* name : {"dma_fence_init", "dma_fence_emit", "dma_fence_signaled",
                             "dma_fence_wait_start", "dma_fence_wait_end"}) {
        CHECK(fields_of(std::string{name} + " { " + fence + " }",
                        {name, {"driver", "timeline", "context", "seqno"}}) ==
              "'msm' 'ring' 1 16665");
    }
}

TEST_CASE("perfetto_when_event_has_its_old_name_then_is_the_wanted_one")
{
    CHECK(fields_of("fence_signaled { context: 1 }",
                    {"dma_fence_signaled", {"$name", "context"}}) == "'fence_signaled' 1");
}

TEST_CASE("perfetto_when_event_is_generic_then_fields_come_by_name")
{
    const std::string event = "generic { event_name: 'amdgpu_cs_ioctl' "
                              "field { name: 'sched_job_id' uint_value: 3 } "
                              "field { name: 'ring' str_value: 'gfx_0.0.0' } "
                              "field { name: 'seqno' uint_value: 77 } "
                              "field { name: 'num_ibs' int_value: -2 } field { name: 'empty' } }";
    CHECK(fields_of(event, {"amdgpu_cs_ioctl", {"ring_name", "seqno", "num_ibs", "empty"}}) ==
          "'gfx_0.0.0' 77 -2 -");
    CHECK(fields_of(event, {"*", {"$name", "*"}}) == "'amdgpu_cs_ioctl' 3 'gfx_0.0.0' 77 -2");
}

TEST_CASE("perfetto_when_generic_events_of_one_name_differ_then_each_is_read_as_it_is")
{
    const auto event = [](int time, const char* fields) {
        return "event { timestamp: " + std::to_string(time) + " generic { event_name: 'xe_hw' " +
               fields + " } } ";
    };
    const auto read =
        read_ftrace(perfetto_bytes(bundle(0, event(1, "field { name: 'a' int_value: 1 }") +
                                                 event(2, "field { name: 'b' int_value: 2 } "
                                                          "field { name: 'a' str_value: 'x' }"))),
                    {{"xe_hw", {"a"}}});
    CHECK(lines_of(*read) == "1 0 - - -: 1\n2 0 - - -: 'x'\n");
}

TEST_CASE("perfetto_when_texts_are_no_utf8_then_no_field_complains")
{
    // libprotobuf writes to standard error, in its own words, of strings that are no UTF-8.
    const auto check = [](const auto& self, const google::protobuf::Descriptor* message) -> void {
        for (int place = 0; place < message->field_count(); ++place) {
            const auto* field = message->field(place);
            CAPTURE(field->full_name());
            const bool is_text = field->type() == google::protobuf::FieldDescriptor::TYPE_STRING;
            CHECK(!is_text);
            if (field->type() == field->TYPE_MESSAGE) {
                self(self, field->message_type());
            }
        }
    };
    check(check, perfetto::Trace::descriptor());
}

TEST_CASE("perfetto_when_bundle_describes_events_then_they_are_read")
{
    const std::string description =
        "generic_event_descriptors { field_id: 65540 event_descriptor { name: 'i915_request_in' "
        "field { name: 'ctx' number: 1 type: TYPE_UINT64 } "
        "field { name: 'port' number: 2 type: TYPE_INT64 } "
        "field { name: 'label' number: 3 type: TYPE_STRING } "
        "field { name: 'raw' number: 4 type: TYPE_BYTES } } }";
    perfetto::Trace trace =
        parse_trace(bundle(0, "event { timestamp: 5 pid: 7 }") + bundle(1, description));
    auto* event = trace.mutable_packet(0)->mutable_ftrace_events()->mutable_event(0);
    google::protobuf::UnknownFieldSet values;
    values.AddVarint(1, 9);
    values.AddVarint(2, static_cast<std::uint64_t>(-3));
    values.AddLengthDelimited(3, "text");
    values.AddLengthDelimited(4, "raw");
    event->mutable_unknown_fields()->AddLengthDelimited(65540, bytes_of(values));
    const auto read = read_ftrace(trace.SerializeAsString(),
                                  {{"i915_request_in", {"port", "ctx", "label", "raw"}}});
    CHECK(!read->error);
    CHECK(lines_of(*read) == "5 0 7 - -: -3 9 'text' -\n");

    trace.mutable_packet()->RemoveLast();
    const auto without = read_ftrace(trace.SerializeAsString(), {{"i915_request_in", {"port"}}});
    CHECK(without->events().empty());
    CHECK(without->totals.events == 1);
    REQUIRE(without->error);
    CHECK(without->error->kind == ErrorKind::DamagedTrace);
    CHECK(without->error->message.find("describes 1 of its events") != std::string::npos);
}

TEST_CASE("perfetto_when_field_has_another_type_then_it_is_left_out_and_others_are_read")
{
    perfetto::Trace trace = parse_trace(bundle(0, "event { timestamp: 5 pid: 7 }"));
    google::protobuf::UnknownFieldSet values;
    values.AddLengthDelimited(1, "a text");
    values.AddVarint(2, 9);
    values.AddFixed32(99, 1);
    values.AddFixed64(98, 1);
    auto* event = trace.mutable_packet(0)->mutable_ftrace_events()->mutable_event(0);
    event->mutable_unknown_fields()->AddLengthDelimited(
        perfetto::FtraceEvent::kDrmSchedJobDoneFieldNumber, bytes_of(values));
    event->mutable_unknown_fields()->AddVarint(700, 1);
    trace.mutable_packet(0)->mutable_unknown_fields()->AddLengthDelimited(500, "later");
    const auto read = read_ftrace(trace.SerializeAsString(),
                                  {{"drm_sched_job_done", {"fence_context", "fence_seqno"}}});
    CHECK(!read->error);
    CHECK(lines_of(*read) == "5 0 7 - -: - 9\n");
}

TEST_CASE("perfetto_when_scheduling_is_compact_then_switches_are_among_the_events")
{
    const auto read = read_perfetto(
        bundle(3, done(100, 1) + done(130, 2, 9) +
                      "compact_sched { intern_table: 'one' intern_table: 'two' "
                      "switch_timestamp: [90, 20, 10] switch_prev_state: [0, 1, 0] "
                      "switch_next_pid: [9, 8, 9] switch_next_prio: [120, 120, 120] "
                      "switch_next_comm_index: [0, 0, 1] waking_timestamp: [95, 400] }"));
    CHECK(!read->error);
    CHECK(lines_of(*read) == "90 3 - - -: 9 'one'\n100 3 7 - -: 1\n110 3 - - -: 8 'one'\n"
                             "120 3 - - -: 9 'two'\n130 3 9 - 'two': 2\n");
    CHECK(read->totals.events == 7);
}

TEST_CASE("perfetto_when_compact_lists_do_not_fit_then_what_fits_is_read")
{
    const auto compact = [](const char* comms) {
        return read_perfetto(bundle(0, std::string{"compact_sched { intern_table: 'one' "
                                                   "switch_timestamp: [90, 20] "
                                                   "switch_prev_state: [0, 1] "
                                                   "switch_next_pid: [9, 8] "
                                                   "switch_next_prio: [1, 1] "
                                                   "switch_next_comm_index: "} +
                                           comms + " }"));
    };
    for (const char* comms : {"[0]", "[0, 1]"}) {
        const auto read = compact(comms);
        CHECK(lines_of(*read) == "90 0 - - -: 9 'one'\n");
        REQUIRE(read->error);
        CHECK(read->error->kind == ErrorKind::DamagedTrace);
    }
}

TEST_CASE("perfetto_when_bundles_are_in_any_order_then_events_are_sorted")
{
    const auto read =
        read_perfetto(bundle(1, done(500, 5)) + bundle(0, done(300, 3) + done(400, 4)) +
                      bundle(1, done(100, 1) + done(350, 9)) + bundle(0, done(200, 2)));
    CHECK(!read->error);
    CHECK(lines_of(*read) == "100 1 7 - -: 1\n200 0 7 - -: 2\n300 0 7 - -: 3\n350 1 7 - -: 9\n"
                             "400 0 7 - -: 4\n500 1 7 - -: 5\n");
    CHECK(read->totals.events == 6);
    CHECK(read->totals.first == Timestamp{100});
    CHECK(read->totals.last == Timestamp{500});
}

TEST_CASE("perfetto_when_clock_goes_back_within_a_bundle_then_events_are_counted")
{
    const auto read = read_perfetto(bundle(0, done(300, 3) + done(200, 2) + done(400, 4)));
    CHECK(read->events().size() == 2);
    CHECK(read->totals.events_out_of_order == 1);
}

TEST_CASE("perfetto_when_packets_are_packed_then_are_read")
{
    const std::string plain =
        perfetto_bytes(bundle(0, done(100, 1)) + bundle(1, done(150, 2)) + bundle(0, done(200, 3)));
    const std::string more = perfetto_bytes(bundle(0, done(300, 4)));
    const std::string expected = "100 0 7 - -: 1\n150 1 7 - -: 2\n200 0 7 - -: 3\n300 0 7 - -: 4\n";
    for (const std::string& packed : {in_packet(deflated(plain, 0)), in_packet(deflated(plain, 16)),
                                      in_packet(zstd_packed(plain), true)}) {
        const auto read = read_ftrace(packed + more, wanted_done());
        CHECK(!read->error);
        CHECK(lines_of(*read) == expected);
    }
}

TEST_CASE("perfetto_when_many_packed_packets_are_read_at_once_then_each_is")
{
    std::string bytes;
    for (int packet = 0; packet < 6; ++packet) {
        std::string text;
        for (int cpu = 0; cpu < 8; ++cpu) { // of each CPU a bundle in each packet, in its own order
            const int time = 1000 * ((packet + cpu) % 6) + 10 * cpu;
            text += bundle(cpu, done(static_cast<std::uint64_t>(time), 1));
        }
        bytes += in_packet(deflated(perfetto_bytes(text), 0));
    }
    const auto read = read_ftrace(bytes, wanted_done());
    CHECK(!read->error);
    CHECK(read->events().size() == 48);
    CHECK(read->totals.events_out_of_order == 0);
}

TEST_CASE("perfetto_when_there_is_a_snapshot_then_times_are_since_1970")
{
    const std::string snapshot = "packet { clock_snapshot { clocks { clock_id: 6 timestamp: 50 } "
                                 "clocks { clock_id: 1 timestamp: 1050 } } }";
    const std::string later = "packet { clock_snapshot { clocks { clock_id: 6 timestamp: 90 } "
                              "clocks { clock_id: 1 timestamp: 9999 } } }";
    CHECK(lines_of(*read_perfetto(bundle(0, done(100, 1)) + snapshot + later)) ==
          "1100 0 7 - -: 1\n");
}

TEST_CASE("perfetto_when_clock_is_another_one_then_it_is_mapped_once")
{
    const auto in_clock = [](std::uint64_t own, std::uint64_t boot) {
        return "ftrace_clock: 4 ftrace_timestamp: " + std::to_string(own) +
               " boot_timestamp: " + std::to_string(boot);
    };
    const auto read = read_perfetto(bundle(0, done(100, 1) + in_clock(200, 1200)) +
                                    bundle(0, done(300, 2) + in_clock(400, 1407)));
    CHECK(lines_of(*read) == "1100 0 7 - -: 1\n1300 0 7 - -: 2\n");

    const auto cycles =
        read_perfetto(bundle(0, done(100, 1) + in_clock(0, 0)) +
                      bundle(0, done(300, 2) + in_clock(6'000'000'000, 2'000'000'000)));
    CHECK(cycles->events().empty());
    CHECK(cycles->totals.events == 2);
    CHECK(cycles->totals.events_without_clock == 2);
    CHECK(read_perfetto(bundle(0, done(100, 1) + "ftrace_clock: 1"))->totals.events_without_clock ==
          1);
}

TEST_CASE("perfetto_when_event_has_no_time_then_is_counted")
{
    const auto read =
        read_perfetto(bundle(0, "event { pid: 7 drm_sched_job_done {} } " + done(5, 1) +
                                    "event { timestamp: 18446744073709551615 }"));
    CHECK(read->events().size() == 1);
    CHECK(read->totals.events_without_clock == 2);
}

TEST_CASE("perfetto_when_processes_are_told_then_threads_have_them")
{
    const std::string who =
        "packet { timestamp: 10 process_tree { "
        "processes { pid: 4 cmdline: '/usr/bin/a-very-long-program' cmdline: '-x' } "
        "processes { pid: 2 cmdline: 'kworker/u8:0-events' cmdline_is_comm: true } "
        "threads { tid: 7 tgid: 4 name: 'helper' } } }"
        "packet { timestamp: 10 process_stats { processes { pid: 4 threads { tid: 8 } } } }"
        "packet { timestamp: 10 thread_descriptor { pid: 4 tid: 9 thread_name: 'nine' } }"
        "packet { track_descriptor { thread { pid: 4 tid: 10 thread_name: 'ten' } } }"
        "packet { timestamp: 1000 process_tree { threads { tid: 7 tgid: 5 name: 'new' } } }"
        "packet { system_info { utsname { release: '7.2-test' } } }";
    const auto read = read_perfetto(
        bundle(0, done(100, 1, 4) + done(101, 2, 2) + done(102, 3, 7) + done(103, 4, 8) +
                      done(104, 5, 9) + done(105, 6, 10) + done(106, 7, 0) + done(2000, 8, 7)) +
        who);
    CHECK(lines_of(*read) ==
          "100 0 4 4 'a-very-long-pro': 1\n101 0 2 2 'kworker/u8:0-events': 2\n"
          "102 0 7 4 'helper': 3\n103 0 8 4 -: 4\n104 0 9 4 'nine': 5\n105 0 10 4 'ten': 6\n"
          "106 0 0 - -: 7\n2000 0 7 5 'new': 8\n");
    const TemporaryFile file{perfetto_bytes(who)};
    auto source = trace::open_ftrace(file.path(), wanted_done(), {});
    REQUIRE(source);
    REQUIRE((*source)->trace_facts().size() == 1);
    CHECK((*source)->trace_facts()[0].second.kernel_release == "7.2-test");
}

TEST_CASE("perfetto_when_events_name_threads_then_these_names_are_used")
{
    const auto named = [](int time, const char* what) {
        return "event { timestamp: " + std::to_string(time) + " pid: 7 " + what + " } ";
    };
    const auto read = read_ftrace(
        perfetto_bytes(bundle(
            0, named(1, "sched_switch { prev_comm: 'a' prev_pid: 7 next_comm: 'b' next_pid: 8 }") +
                   done(2, 1, 7) + done(3, 2, 8) + named(4, "task_rename { pid: 7 newcomm: 'c' }") +
                   done(5, 3, 7) + named(6, "task_newtask { pid: 9 comm: 'd' }") + done(7, 4, 9) +
                   named(8, "sched_process_fork { child_comm: 'e' child_pid: 10 }") +
                   done(9, 5, 10))),
        {{"drm_sched_job_done", {"fence_seqno"}}});
    CHECK(lines_of(*read) == "2 0 7 - 'a': 1\n3 0 8 - 'b': 2\n5 0 7 - 'c': 3\n7 0 9 - 'd': 4\n"
                             "9 0 10 - 'e': 5\n");
}

TEST_CASE("perfetto_when_bundle_is_of_another_machine_then_its_events_are_counted")
{
    const auto read = read_perfetto(
        bundle(0, done(1, 1)) +
        bundle(0, done(2, 2) + done(3, 3) + "compact_sched { waking_timestamp: [1, 400] }",
               "machine_id: 9"));
    CHECK(read->events().size() == 1);
    CHECK(read->totals.events == 5);
    CHECK(read->totals.events_without_clock == 4);
}

TEST_CASE("perfetto_when_file_is_another_format_then_is_refused")
{
    for (const std::string& content :
         {std::string{}, std::string{"\n"}, std::string{"\n# a text\n"}, std::string{"\n\x02hi"},
          std::string{"\n\0", 2}, std::string{"{\"traceEvents\": []}"}, std::string(100, '\n'),
          std::string{"\x0a\x04\x08\x01\x0a\x7f\x01"}}) {
        const auto read = read_ftrace(content, wanted_done());
        REQUIRE(read->error);
        CHECK(read->error->kind == ErrorKind::UnreadableTrace);
    }
}

TEST_CASE("perfetto_when_a_packet_has_one_known_field_then_is_a_trace")
{
    using google::protobuf::FieldDescriptor;
    const auto* packet = lttng_gpu::perfetto::TracePacket::descriptor();
    for (int i = 0; i < packet->field_count(); ++i) {
        const FieldDescriptor& field = *packet->field(i);
        CAPTURE(field.name());
        const bool has_bytes = field.type() == FieldDescriptor::TYPE_MESSAGE ||
                               field.type() == FieldDescriptor::TYPE_BYTES;
        google::protobuf::UnknownFieldSet with_bytes;
        with_bytes.AddLengthDelimited(field.number(), "");
        google::protobuf::UnknownFieldSet with_number;
        with_number.AddVarint(field.number(), 1);
        google::protobuf::UnknownFieldSet traces[2];
        traces[0].AddLengthDelimited(1, bytes_of(with_number));
        traces[1].AddLengthDelimited(1, bytes_of(with_bytes));
        CHECK(trace::perfetto::is_trace(bytes_of(traces[0])) == !has_bytes);
        CHECK(trace::perfetto::is_trace(bytes_of(traces[1])) == has_bytes);
    }
}
