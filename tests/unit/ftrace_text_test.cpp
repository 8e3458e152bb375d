// SPDX-License-Identifier: MIT
//
// The reader of text traces: columns, gaps, order, damage. Lines are those of real
// kernels and tools, some with other numbers.
#include "ftrace_files.hpp"

#include <doctest/doctest.h>

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

const std::vector<trace::WantedEvent> done_and_switch{
    {"drm_sched_job_done", {"fence_context", "fence_seqno"}},
    {"sched_switch", {"prev_comm", "next_comm", "next_tid"}},
    {"dma_fence_signaled", {"driver", "timeline", "context", "seqno"}},
};

std::string first_event(std::string_view line)
{
    const auto read = read_ftrace("# tracer: nop\n" + std::string{line} + "\n", done_and_switch);
    REQUIRE(!read->error);
    REQUIRE(read->events().size() == 1);
    return to_text(read->events().front());
}

std::string done_line(const std::string& cpu, const std::string& time, int seqno)
{
    return "  kworker/u8:0-12      [00" + cpu + "] d..1.   " + time +
           ": drm_sched_job_done: fence=7:" + std::to_string(seqno) + " signaled\n";
}

} // namespace

TEST_CASE("text_line_when_tracefs_then_columns_are_read")
{
    CHECK(first_event("           <...>-2875    [002] d..2.   240.436123: drm_sched_job_done: "
                      "fence=7:9 signaled") == "240436123000 2 2875 - -: 7 9");
    CHECK(first_event("          <idle>-0       [003] d.h2  88206.981205: drm_sched_job_done: "
                      "fence=7:9 signaled") == "88206981205000 3 0 - -: 7 9");
    CHECK(first_event("  kworker/u8:0-12      (     12) [001] ....    56.178407: "
                      "drm_sched_job_done: fence=7:9 signaled") ==
          "56178407000 1 12 12 'kworker/u8:0': 7 9");
    CHECK(first_event("     my prog [3]-44    (-------) [001] ....    56.178407: "
                      "drm_sched_job_done: fence=7:9 signaled") ==
          "56178407000 1 44 - 'my prog [3]': 7 9");
}

TEST_CASE("text_line_when_trace_cmd_then_columns_are_read")
{
    CHECK(first_event("      umr:cs0-6498  [016]   735.008761: drm_sched_job_done:   fence=7:9 "
                      "signaled") == "735008761000 16 6498 - 'umr:cs0': 7 9");
    CHECK(first_event("      umr:cs0-6498  [016] d..1.   735.008761234: drm_sched_job_done: "
                      "fence=7:9 signaled") == "735008761234 16 6498 - 'umr:cs0': 7 9");
    CHECK(first_event("gpu:          umr:cs0-6498  [016]   735.008761: drm_sched_job_done: "
                      "fence=7:9 signaled") == "735008761000 16 6498 - 'umr:cs0': 7 9");
    CHECK(first_event(" gputest-286     3d..2.   56.138572: drm_sched_job_done: fence=7:9 "
                      "signaled") == "56138572000 3 286 - 'gputest': 7 9");
}

TEST_CASE("text_line_when_perf_script_then_columns_are_read")
{
    CHECK(first_event("gputest-load   286 [000]    56.123290119:    gpu_scheduler:"
                      "drm_sched_job_done: fence=7:9 signaled") ==
          "56123290119 0 286 - 'gputest-load': 7 9");
    CHECK(first_event("Web Content 50034/50040 [002]  2541.601278:          1 gpu_scheduler:"
                      "drm_sched_job_done: fence=7:9 signaled") ==
          "2541601278000 2 50040 50034 'Web Content': 7 9");
    CHECK(first_event("          :-1    -1 [002]  2541.601278: drm_sched_job_done: fence=7:9 "
                      "signaled") == "2541601278000 2 - - -: 7 9");
}

TEST_CASE("text_line_when_latency_format_then_columns_are_read")
{
    CHECK(first_event("gem_conc-1059    1..s1 79203443us : drm_sched_job_done: fence=7:9 "
                      "signaled") == "79203443000 1 1059 - 'gem_conc': 7 9");
    CHECK(first_event("  <idle>-0       7d.h2 481827326us+: drm_sched_job_done: fence=7:9 "
                      "signaled") == "481827326000 7 0 - -: 7 9");
}

TEST_CASE("call_chain_when_perf_script_then_lines_are_not_events")
{
    const auto read = read_ftrace("a 1 [000] 5.000000: dma_fence:dma_fence_signaled: driver=a "
                                  "timeline=b c context=3 seqno=4\n"
                                  "\tffffffffc0598373 drm_syncobj_create+0x93 ([drm])\n"
                                  "\t          13621b __ioctl+0x3b (/share/gputest-load)\n"
                                  "\n",
                                  done_and_switch);
    REQUIRE(read->events().size() == 1);
    CHECK(to_text(read->events()[0].fields) == "'a' 'b c' 3 4");
    CHECK(read->totals.events == 1);
    CHECK(read->totals.lines_unread == 0);
}

TEST_CASE("sched_switch_when_names_hold_spaces_and_equals_then_they_are_whole")
{
    CHECK(first_event(" a-1 [000] d..2. 1.000000: sched_switch: prev_comm= prev_pid=3 prev_pid=4 "
                      "prev_prio=120 prev_state=S ==> next_comm=a=b c next_pid=7 next_prio=5") ==
          "1000000000 0 1 - 'a': ' prev_pid=3' 'a=b c' 7");
    CHECK(first_event(" a-1 [000] 1.000000: sched_switch:   x y:206 [120] R+ ==> kworker/1:0:592 "
                      "[120]") == "1000000000 0 1 - 'a': 'x y' 'kworker/1:0' 592");
}

TEST_CASE("line_when_unknown_then_is_counted")
{
    const auto read = read_ftrace("# tracer: nop\nwhat is this\n" + done_line("0", "1.000001", 1),
                                  done_and_switch);
    CHECK(read->totals.lines_unread == 1);
    CHECK(read->events().size() == 1);
    CHECK(!read->error);
}

TEST_CASE("time_when_clock_is_a_counter_then_trace_is_refused")
{
    const auto read = read_ftrace("# tracer: nop\n a-1 [000] .... 12345: drm_sched_job_done: "
                                  "fence=7:9 signaled\n",
                                  done_and_switch);
    REQUIRE(read->error);
    CHECK(read->error->kind == ErrorKind::UnreadableTrace);
    CHECK(read->error->message.find("mono") != std::string::npos);
}

TEST_CASE("time_when_missing_in_one_line_then_line_is_counted")
{
    const auto read =
        read_ftrace(done_line("0", "1.000001", 1) + done_line("0", "12345", 2), done_and_switch);
    CHECK(!read->error);
    CHECK(read->events().size() == 1);
    CHECK(read->totals.events_without_clock == 1);
    CHECK(read->totals.lines_unread == 1);
}

TEST_CASE("time_when_missing_from_all_lines_behind_the_head_then_is_an_error")
{
    std::string text = "# tracer: nop\n";
    for (int line = 0; line < 2000; ++line) {
        text += "# a long header\n";
    }
    const auto read = read_ftrace(text + done_line("0", "12345", 2), done_and_switch);
    REQUIRE(read->error);
    CHECK(read->error->message.find("no seconds") != std::string::npos);
}

TEST_CASE("lost_events_when_marked_then_gap_spans_the_cpu_s_events")
{
    for (const char* words : {"CPU:1 [LOST 12 EVENTS]\n", "CPU:1 [12 EVENTS DROPPED]\n",
                              "perf 9 [001] 1.5: PERF_RECORD_LOST lost 12\n"}) {
        CAPTURE(words);
        const auto read =
            read_ftrace(done_line("1", "1.000001", 1) + done_line("0", "1.000002", 2) + words +
                            done_line("1", "2.000003", 3),
                        done_and_switch);
        REQUIRE(read->losses().size() == 1);
        const trace::Loss loss = read->losses()[0];
        CHECK(loss.begin == Timestamp{1'000'001'000});
        CHECK(loss.end == Timestamp{2'000'003'000});
        CHECK(loss.cpu == Cpu{1});
        CHECK(loss.unit == trace::LossUnit::Events);
        CHECK(loss.count == 12);
    }
}

TEST_CASE("lost_events_when_uncounted_then_count_is_unknown")
{
    const auto read = read_ftrace(done_line("1", "1.000001", 1) + "CPU:1 [LOST EVENTS]\n" +
                                      done_line("1", "2.000003", 3),
                                  done_and_switch);
    REQUIRE(read->losses().size() == 1);
    CHECK(!read->losses()[0].count);
}

TEST_CASE("lost_events_when_nothing_follows_then_gap_ends_with_the_trace")
{
    const auto read = read_ftrace(done_line("1", "1.000001", 1) + "CPU:0 [LOST 3 EVENTS]\n" +
                                      done_line("1", "2.000003", 3),
                                  done_and_switch);
    REQUIRE(read->losses().size() == 1);
    CHECK(read->losses()[0].end == Timestamp{2'000'003'000});
}

TEST_CASE("buffers_when_overwritten_then_later_cpus_begin_late")
{
    const std::string marked = "# tracer: nop\n" + done_line("0", "1.000001", 1) +
                               "##### CPU 1 buffer started ####\n" + done_line("1", "3.000000", 2);
    const std::string counted = "# entries-in-buffer/entries-written: 2/90   #P:2\n" +
                                done_line("0", "1.000001", 1) + done_line("1", "3.000000", 2);
    for (const std::string& text : {marked, counted}) {
        const auto read = read_ftrace(text, done_and_switch);
        REQUIRE(read->losses().size() == 1);
        CHECK(read->losses()[0].unit == trace::LossUnit::LateBegin);
        CHECK(read->losses()[0].cpu == Cpu{1});
        CHECK(read->losses()[0].begin == Timestamp{1'000'001'000});
        CHECK(read->losses()[0].end == Timestamp{3'000'000'000});
    }
    const auto whole = read_ftrace("# entries-in-buffer/entries-written: 2/2   #P:2\n" +
                                       done_line("0", "1.000001", 1) + done_line("1", "3.0", 2),
                                   done_and_switch);
    CHECK(whole->losses().empty());
}

TEST_CASE("events_when_printed_in_wrong_order_then_come_in_order")
{
    const auto read = read_ftrace(done_line("0", "1.000005", 1) + done_line("1", "1.000002", 2) +
                                      done_line("1", "1.000002", 3) + done_line("0", "1.000004", 4),
                                  done_and_switch);
    std::string order;
    for (const trace::RawEvent& event : read->events()) {
        order += to_text(event.fields[1]) + ' ';
    }
    CHECK(order == "2 3 4 1 ");
    CHECK(read->totals.first == Timestamp{1'000'002'000});
}

TEST_CASE("buffers_when_printed_one_after_the_other_then_events_come_in_order")
{
    std::string text;
    for (int index = 0; index < 2000; ++index) {
        text += done_line("0", std::to_string(index + 10) + ".000000", index);
    }
    const auto read = read_ftrace(text + done_line("1", "5.000000", 1), done_and_switch);
    CHECK(read->events().size() == 2001);
    CHECK(read->events().front().time == Timestamp{5'000'000'000});
    CHECK(read->totals.events_out_of_order == 0);
    CHECK(read->totals.events == 2001);
}

TEST_CASE("last_line_when_cut_then_is_damage_and_not_an_event")
{
    std::string text = done_line("0", "1.000001", 1) + done_line("0", "1.000002", 23);
    text.resize(text.size() - 12); // fence=7:23 signaled -> fence=7:2
    const auto read = read_ftrace(text, done_and_switch);
    CHECK(read->events().size() == 1);
    REQUIRE(read->error);
    CHECK(read->error->kind == ErrorKind::DamagedTrace);
}

TEST_CASE("file_when_not_a_trace_then_is_unreadable")
{
    for (const char* text : {"", "hello\n", "a-1 b c\n1,2,3\n", "{\"a\": [1]}\n"}) {
        const auto read = read_ftrace(text, done_and_switch);
        REQUIRE(read->error);
        CHECK(read->error->kind == ErrorKind::UnreadableTrace);
        CHECK(read->error->message.find('\n') == std::string::npos);
    }
    CHECK(!trace::open_ftrace("/nonexistent", {}, {}));
    CHECK(!trace::open_ftrace("/tmp", {}, {}));
}

TEST_CASE("wanted_when_patterns_then_any_event_and_its_name_are_given")
{
    const auto read = read_ftrace(
        done_line("0", "1.000001", 1) + " a-1 [000] 1.000002: tracing_mark_write: B|5|draw\n",
        {{"drm_sched_job_done", {"$name", "fence_seqno"}}, {"*", {"$name", "*"}}});
    REQUIRE(read->events().size() == 2);
    CHECK(to_text(read->events()[0].fields) == "'drm_sched_job_done' 1");
    CHECK(to_text(read->events()[1].fields) == "'tracing_mark_write' 'B|5|draw'");
    CHECK(read->events()[1].wanted == 1);
}

TEST_CASE("text_when_any_byte_is_damaged_or_missing_then_reading_ends")
{
    const std::string text =
        "# tracer: nop\n#\n# entries-in-buffer/entries-written: 4/9   #P:2\n#\n" +
        done_line("0", "1.000001", 1) + "CPU:1 [LOST 12 EVENTS]\n" +
        " a-1 ( 1) [001] d..2. 1.000002: sched_switch: prev_comm=a prev_pid=4 prev_prio=120 "
        "prev_state=S ==> next_comm=b next_pid=7 next_prio=5\n"
        " a 1/1 [001] 1.000003: 1 x:dma_fence_signaled: driver=a timeline=b context=3 seqno=4\n";
    for (std::size_t size = 0; size <= text.size(); ++size) {
        const auto read = read_ftrace(text.substr(0, size), done_and_switch);
        CHECK(read->events().size() <= 3);
        CHECK(read->error.has_value() == !text.substr(0, size).ends_with('\n'));
    }
    for (std::size_t at = 0; at < text.size(); ++at) {
        for (const char damage : {'\0', '\n', '[', '9', '\xff', '-', ' '}) {
            std::string damaged = text;
            damaged[at] = damage;
            const auto read = read_ftrace(damaged, done_and_switch);
            CHECK(read->events().size() <= 3);
        }
    }
}
