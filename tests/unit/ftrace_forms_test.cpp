// SPDX-License-Identifier: MIT
//
// The reader of text traces on what people send: lines with something before them, in pages, of
// other tracers, damaged.
#include "ftrace_files.hpp"
#include "trace/ftrace/line_decoder.hpp"
#include "trace/ftrace/line_prefix.hpp"
#include "trace/ftrace/text_line.hpp"

#include <doctest/doctest.h>

using namespace lttng_gpu;
using namespace lttng_gpu::test;
using trace::ftrace::LineKind;
using trace::ftrace::parse_line;

namespace {

const std::vector<trace::WantedEvent> done{
    {"drm_sched_job_done", {"fence_context", "fence_seqno"}}};

std::string line_of(const std::string& time, int seqno)
{
    return "  kworker/u8:0-12      [000] d..1.   " + time +
           ": drm_sched_job_done: fence=7:" + std::to_string(seqno) + " signaled";
}

/// `time cpu tid comm event: text`
std::string read_line(std::string_view text)
{
    const auto line = parse_line(text);
    if (line.kind != LineKind::Event) {
        return line.kind == LineKind::Note ? "note" : "none";
    }
    return (line.time ? std::to_string(*line.time) : "-") + ' ' +
           (line.has_cpu ? std::to_string(line.cpu) : "-") + ' ' + to_text(line.tid) + ' ' +
           std::string{line.comm} + ' ' + std::string{line.event} + ": " + std::string{line.text};
}

std::string value_of(const std::string& text, const std::string& field)
{
    const auto read =
        read_ftrace(" a-1 [000] 1.000000: probe: " + text + "\n", {{"probe", {field}}});
    REQUIRE(read->events().size() == 1);
    return to_text(read->events()[0].fields[0]);
}

} // namespace

TEST_CASE("prefix_when_of_a_log_or_mail_then_is_taken_away")
{
    for (const char* prefix :
         {"> ", ">>> ", "<0>[  167.302811] ", "[  167.302811][   C3] ",
          "kern  :info  : [ 1.000000] ", "[Fri Nov 27 15:40:01 2026] ",
          "Nov  7 15:40:01 host kernel: ",
          "2026-11-27T15:40:01.123456+00:00 host kernel: [    1.000000] ",
          "2026-11-27T15:40:01,123456+00:00 ", "[    1.000000] host kernel: "}) {
        CAPTURE(prefix);
        const std::string line = "a-1 [000] 1.5: b: c";
        const std::string whole = prefix + line;
        const std::string_view bare = trace::ftrace::without_prefix(whole);
        CHECK(bare.substr(bare.find_first_not_of(' ')) == line);
    }
    for (const char* line : {"<idle>-0 [000]", "[gfx]-3 [000]", "Xorg-1 [000]", "kern-1 [000]",
                             "Mar 3-1 [000]", "<...>-1 [000]", ""}) {
        CHECK(trace::ftrace::without_prefix(line) == line);
    }
}

TEST_CASE("line_when_in_the_kernel_s_log_then_name_is_without_the_log_s_time")
{
    CHECK(read_line("[   28.199013]  systemd-1       2..s. 26062228us : execlists_tasklet: rcs0") ==
          "26062228000 2 1 systemd execlists_tasklet: rcs0");
    CHECK(read_line("<0>[  167.303167] kworker/-89       11..... 165741139us : retire: x") ==
          "165741139000 11 89 kworker/ retire: x");
    CHECK(read_line("<0>[  166.210795] ---------------------------------") == "note");
    CHECK(read_line("<4>[  167.304957] Call Trace:") == "note");
    CHECK(read_line("[  167.304957] a [002] 16574113") == "none"); // cut, and not the log's own
}

TEST_CASE("line_when_of_function_graph_then_events_are_read_and_functions_are_not")
{
    CHECK(
        read_line("  735.008763 |   3)   Xorg-2504   |     |    /* drm_sched_job: id=5, a=b */") ==
        "735008763000 3 2504 Xorg drm_sched_job: id=5, a=b");
    CHECK(read_line("  735.008763 |   3)               |    /* drm_sched_job: id=5 */") ==
          "735008763000 3 -  drm_sched_job: id=5");
    CHECK(read_line(" 3)   <idle>-0    |               |    /* x: ==> y */") == "- 3 0  x: ==> y");
    for (const char* line :
         {"  735.008761 |   3)   Xorg-2504   |               |  drm_sched_job() {",
          " 3) + 13.310 us   |  } /* drm_sched_job */", " 3)   0.310 us    |  kfree();",
          " 3)   0.310 us    |  kfree(); /* = 0x0 */", " 3)   Xorg-2504    =>   kworker-88   ",
          " ------------------------------------------"}) {
        CAPTURE(line);
        CHECK(read_line(line) == "note");
    }
    CHECK(read_line("  735.008763 |   3)   Xorg-2504   |     |    /* drm_sched_job: id=5") ==
          "none");
}

TEST_CASE("line_when_perf_script_without_cpu_then_thread_and_time_are_read")
{
    CHECK(read_line("Web Content 50034/50040  2541.601278: gpu_scheduler:drm_run_job: id=5") ==
          "2541601278000 - 50040 Web Content drm_run_job: id=5");
    CHECK(read_line("gputest   291   112.030261560:          1 dma_fence:dma_fence_init: a") ==
          "112030261560 - 291 gputest dma_fence_init: a");
    CHECK(read_line("  291 [000]   112.030261560: dma_fence:dma_fence_init: a") ==
          "112030261560 0 291  dma_fence_init: a");
    CHECK(read_line("gputest 291 [002] dma_fence:dma_fence_init: a").starts_with("- 0 291"));
    CHECK(read_line("35.008761: drm_run_job: id=5") == "none"); // cut
}

TEST_CASE("line_when_time_is_followed_by_a_difference_then_event_is_read")
{
    for (const char* difference : {"(+12)  ", "(+-12) ", "+12 ", "+0.000012 ", "       "}) {
        CAPTURE(difference);
        CHECK(read_line(std::string{" a-7 [001] 1.500000: "} + difference + " drm_run_job: x") ==
              "1500000000 1 7 a drm_run_job: x");
    }
}

TEST_CASE("decoder_when_page_then_only_its_text_is_given")
{
    trace::ftrace::LineDecoder page;
    CHECK(page.decode("<!DOCTYPE html>").empty());
    CHECK(page.decode("<pre>  &lt;idle&gt;-0 [000]</pre>") == "  <idle>-0 [000]");
    CHECK(page.is_around());
    page.decode("<script class=\"trace-data\" type=\"application/text\">");
    CHECK(page.decode("USER PID") == "USER PID");
    CHECK(page.is_around());
    page.decode("# tracer: nop");
    CHECK(page.decode("  <idle>-0 &lt; [000]") == "  <idle>-0 &lt; [000]");
    CHECK(!page.is_around());
    page.decode("</script>");
    CHECK(page.is_around());

    trace::ftrace::LineDecoder plain;
    CHECK(plain.decode("\xef\xbb\xbf# tracer: nop") == "# tracer: nop");
    CHECK(plain.decode("a-1 [000] 1.5: mark: &lt;b&gt;") == "a-1 [000] 1.5: mark: &lt;b&gt;");
    CHECK(plain.decode("x ==&gt; &lt;b&gt; &amp;") == "x ==> <b> &");
}

TEST_CASE("text_when_of_a_probe_event_then_comes_without_quotes")
{
    CHECK(value_of("(drm_sched_job+0x0/0x40) name=\"gfx\" id=5", "name") == "'gfx'");
    CHECK(value_of("(drm_sched_job+0x0/0x40) name=\"gfx\" id=5", "id") == "5");
    CHECK(value_of("(a+0x0/0x4) name=\"Web Content\" id=5", "name") == "'Web Content'");
    CHECK(value_of("(a+0x0/0x4) name=\"a \\\"b\\\" id=6 c\" id=5", "id") == "5");
    CHECK(value_of("(a+0x0/0x4) name=\"\"", "name") == "''");
    CHECK(value_of("(a+0x0/0x4) name=(fault) id=5", "name") == "-");
    CHECK(value_of("(a+0x0/0x4 <- b+0x1/0x9) arg1=0x10", "arg1") == "16");
}

TEST_CASE("event_when_its_text_is_cut_then_is_counted_and_has_no_values")
{
    const auto read = read_ftrace(line_of("1.000001", 1) +
                                      "\n a-1 [000] 1.000002: "
                                      "drm_sched_job_done: fence=7\n a-1 [000] 1.000003: drm_sch\n",
                                  done);
    CHECK(!read->error);
    CHECK(read->totals.lines_unread == 2);
    REQUIRE(read->events().size() == 2);
    CHECK(to_text(read->events()[1].fields) == "- -");
}

TEST_CASE("event_when_format_is_newer_then_is_read_by_keys")
{
    const auto read =
        read_ftrace(" a-1 [000] 1.0: drm_sched_process_job: reason=3 fence=00000000a1b2c3d4 x\n",
                    {{"drm_sched_process_job", {"fence"}}});
    CHECK(read->totals.lines_unread == 0);
    REQUIRE(read->events().size() == 1);
    CHECK(to_text(read->events()[0].fields) == "2712847316");
}

TEST_CASE("line_when_it_holds_another_then_neither_is_read")
{
    const auto read = read_ftrace(line_of("1.000001", 1) + "\n" + line_of("1.000002", 2) +
                                      line_of("1.000003", 3) + "\n" + line_of("1.000004", 4) + "\n",
                                  done);
    CHECK(read->events().size() == 2);
    CHECK(read->totals.lines_unread == 1);
}

TEST_CASE("line_when_longer_than_the_buffer_then_its_end_is_no_line")
{
    const auto read = read_ftrace(line_of("1.000001", 1) + "\n" + std::string(70000, ' ') +
                                      line_of("1.000002", 2) + "\n" + line_of("1.000003", 3) + "\n",
                                  done);
    CHECK(read->events().size() == 2);
    CHECK(read->totals.lines_unread == 1);
    CHECK(!read->error);
}

TEST_CASE("line_when_it_has_zeros_then_is_counted_only")
{
    const auto read = read_ftrace(line_of("1.000001", 1) + "\n" + std::string(100, '\0') +
                                      line_of("1.000002", 2) + "\n",
                                  done);
    CHECK(read->events().size() == 1);
    CHECK(read->totals.lines_unread == 1);
}

TEST_CASE("capture_when_twice_in_a_file_then_is_read_once")
{
    std::string text;
    for (int line = 0; line < 700; ++line) {
        text += line_of("1." + std::to_string(100000 + line), line) + "\n";
    }
    const auto read = read_ftrace(text + "# tracer: nop\n" + text, done);
    CHECK(read->events().size() == 700);
    CHECK(read->totals.events == 700);
    CHECK(read->totals.events_out_of_order == 700);
}
