// SPDX-License-Identifier: MIT
//
// The reader of trace.dat: fields of all kinds, times, gaps, both versions and byte
// orders, damage. Files are made here; tests/golden has real ones.
#include "ftrace_files.hpp"
#include "trace_dat_writer.hpp"

#include <doctest/doctest.h>

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

const std::string common = "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
                           "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";

const std::string job_format = "name: drm_sched_job\nID: 300\nformat:\n" + common +
                               "\tfield:struct dma_fence * fence;\toffset:8;\tsize:8;\tsigned:0;\n"
                               "\tfield:__data_loc char[] name;\toffset:16;\tsize:4;\tsigned:0;\n"
                               "\tfield:int hw_job_count;\toffset:20;\tsize:4;\tsigned:1;\n"
                               "\tfield:const char * label;\toffset:24;\tsize:8;\tsigned:0;\n"
                               "\tfield:char comm[8];\toffset:32;\tsize:8;\tsigned:0;\n"
                               "\tfield:__rel_loc char[] dev;\toffset:40;\tsize:4;\tsigned:0;\n"
                               "\tfield:u32 numbers[2];\toffset:44;\tsize:8;\tsigned:0;\n"
                               "\nprint fmt: \"fence=%p field:x;\", REC->fence\n";

const std::string switch_format = "name: sched_switch\nID: 301\nformat:\n" + common +
                                  "\tfield:pid_t next_pid;\toffset:8;\tsize:4;\tsigned:1;\n";

const std::string old_fence_format =
    "name: fence_signaled\nID: 302\nformat:\n" + common +
    "\tfield:unsigned int context;\toffset:8;\tsize:4;\tsigned:0;\n"
    "\tfield:unsigned int seqno;\toffset:12;\tsize:4;\tsigned:0;\n";

const std::vector<trace::WantedEvent> wanted{
    {"drm_sched_job", {"fence", "name", "hw_job_count", "label", "comm", "dev", "numbers", "no"}},
    {"sched_switch", {"next_tid", "$name"}},
    {"dma_fence_signaled", {"context", "seqno"}},
};

std::string record(bool is_big_endian, std::uint16_t type, std::int32_t tid,
                   std::initializer_list<std::uint32_t> words)
{
    DatBytesWriter bytes{is_big_endian};
    bytes.number(type, 2).number(0, 2).number(static_cast<std::uint32_t>(tid), 4);
    for (const std::uint32_t word : words) {
        bytes.number(word, 4);
    }
    return bytes.text;
}

std::string job_record(bool is_big_endian)
{
    DatBytesWriter bytes{is_big_endian};
    bytes.number(300, 2).number(0, 2).number(42, 4);
    bytes.number(0xffff888276cc8540, 8).number(52 | 4U << 16U, 4).number(0xffffffff, 4);
    bytes.number(0xffffffffc0ffee00, 8).raw({"abc\0junk", 8}).number(12 | 5U << 16U, 4);
    bytes.number(1, 4).number(2, 4).raw({"gfx\0dev1\0", 9});
    return bytes.text;
}

std::string fence_record(std::uint32_t seqno, bool is_big_endian = false)
{
    return record(is_big_endian, 302, 7, {5, seqno});
}

DatContent make_content(bool is_big_endian)
{
    DatContent content;
    content.is_big_endian = is_big_endian;
    content.formats = {job_format, switch_format, old_fence_format};
    content.comms = "42 my prog\n7 kworker/0:1\n9 <...>\n";
    DatPageWriter first{is_big_endian};
    first.event(5, job_record(is_big_endian));
    first.event(1000, record(is_big_endian, 301, 9, {77}));
    DatPageWriter second{is_big_endian};
    second.event(10, fence_record(8, is_big_endian));
    content.cpus = {first.page(1'000'000), second.page(1'000'500)};
    return content;
}

std::vector<std::string> texts_of(const ReadFile& read)
{
    std::vector<std::string> texts;
    for (const trace::RawEvent& event : read.events()) {
        texts.push_back(to_text(event));
    }
    return texts;
}

/// The events of one CPU with these pages.
std::unique_ptr<ReadFile> read_pages(const std::vector<std::string>& pages,
                                     std::vector<DatOption> options = {})
{
    DatContent content;
    content.formats = {old_fence_format};
    content.options = std::move(options);
    content.cpus = {""};
    for (const std::string& page : pages) {
        content.cpus[0] += page;
    }
    return read_ftrace(make_dat_v6(content), wanted);
}

} // namespace

TEST_CASE("trace_dat_when_any_version_and_byte_order_then_fields_are_read")
{
    for (const bool is_big_endian : {false, true}) {
        const DatContent content = make_content(is_big_endian);
        for (const std::string& file : {make_dat_v6(content), make_dat_v7(content)}) {
            const auto read = read_ftrace(file, wanted);
            CHECK(!read->error);
            const std::vector<std::string> texts = texts_of(*read);
            REQUIRE(texts.size() == 3);
            CHECK(texts[0] == "1000005 0 42 - 'my prog': 18446612692653081920 'gfx' -1 "
                              "'ffffffffc0ffee00' 'abc' 'dev1' - -");
            CHECK(texts[1] == "1000510 1 7 - 'kworker/0:1': 5 8");
            CHECK(texts[2] == "1001005 0 9 - -: 77 'sched_switch'");
            CHECK(read->totals.events == 3);
            CHECK(read->losses().empty());
        }
    }
}

TEST_CASE("pointer_to_text_when_text_was_saved_then_is_the_text")
{
    DatContent content = make_content(false);
    content.printk = "0xffffffffc0ffee00 : \"sdma0\"\n";
    const auto read = read_ftrace(make_dat_v7(content), {{"drm_sched_job", {"label"}}});
    REQUIRE(read->events().size() == 1);
    CHECK(to_text(read->events()[0].fields) == "'sdma0'");
}

TEST_CASE("wanted_when_patterns_then_every_field_comes_in_order")
{
    const auto read = read_ftrace(make_dat_v6(make_content(false)), {{"*", {"$name", "*"}}});
    REQUIRE(read->events().size() == 3);
    CHECK(to_text(read->events()[0].fields) ==
          "'drm_sched_job' 18446612692653081920 'gfx' -1 'ffffffffc0ffee00' 'abc' 'dev1'");
    CHECK(to_text(read->events()[1].fields) == "'fence_signaled' 5 8");
}

TEST_CASE("ring_buffer_times_when_extended_then_are_exact")
{
    DatPageWriter page{false};
    page.event(1, fence_record(1)).time_extend(1ULL << 40U).event(2, fence_record(2));
    page.discarded(7, 12).event(3, fence_record(3)).time_stamp(1ULL << 50U);
    page.event(4, fence_record(4)).header(29, 0);
    const auto read = read_pages({page.page(100)});
    std::vector<std::int64_t> times;
    for (const trace::RawEvent& event : read->events()) {
        times.push_back(event.time.value());
    }
    const std::int64_t far = 1LL << 40U;
    CHECK(times == std::vector<std::int64_t>{101, far + 103, far + 113, (1LL << 50U) + 4});
}

TEST_CASE("record_when_longer_than_a_short_one_then_is_read")
{
    DatPageWriter page{false};
    page.event(1, fence_record(1) + std::string(120, 'x')).event(1, fence_record(2));
    CHECK(read_pages({page.page(100)})->events().size() == 2);
}

TEST_CASE("missed_events_when_in_a_page_then_gap_is_told")
{
    DatPageWriter one{false};
    one.event(0, fence_record(1)).event(5, fence_record(2));
    const auto counted =
        read_pages({one.page(100), one.page(200, DatPageWriter::missed | DatPageWriter::stored, 9),
                    one.page(300, DatPageWriter::missed)});
    REQUIRE(counted->losses().size() == 2);
    CHECK(counted->losses()[0].begin == Timestamp{105});
    CHECK(counted->losses()[0].end == Timestamp{200});
    CHECK(counted->losses()[0].count == 9);
    CHECK(counted->losses()[0].unit == trace::LossUnit::Events);
    CHECK(!counted->losses()[1].count);
}

TEST_CASE("missed_events_when_in_the_first_page_then_the_cpu_begins_late")
{
    DatContent content = make_content(false);
    DatPageWriter page{false};
    page.event(0, fence_record(1));
    content.cpus[1] = page.page(1'000'500, DatPageWriter::missed);
    const auto read = read_ftrace(make_dat_v6(content), wanted);
    REQUIRE(read->losses().size() == 1);
    CHECK(read->losses()[0].unit == trace::LossUnit::LateBegin);
    CHECK(read->losses()[0].begin == Timestamp{1'000'005});
    CHECK(read->losses()[0].end == Timestamp{1'000'500});
    CHECK(read->losses()[0].cpu == Cpu{1});
}

TEST_CASE("statistics_when_they_know_of_more_losses_then_rest_is_told")
{
    DatPageWriter one{false};
    one.event(0, fence_record(1));
    const DatOption stat{2, "CPU: 0\nentries: 2\noverrun: 9\ncommit overrun: 0\ndropped events: "
                            "4\nread events: 2\n"};
    const auto read = read_pages(
        {one.page(100), one.page(200, DatPageWriter::missed | DatPageWriter::stored, 9)}, {stat});
    REQUIRE(read->losses().size() == 2);
    CHECK(read->losses()[1].count == 4);
}

TEST_CASE("times_when_offset_or_tsc_then_are_nanoseconds")
{
    DatPageWriter one{false};
    one.event(0, fence_record(1));
    CHECK(read_pages({one.page(100)}, {{7, std::string{"-40\0", 4}}})->events()[0].time ==
          Timestamp{60});
    CHECK(read_pages({one.page(100)}, {{7, "0x10"}})->events()[0].time == Timestamp{116});
    const std::string clock{"local mono [x86-tsc]\n"};
    const std::string scale = DatBytesWriter{false}.number(3, 4).number(1, 4).number(0, 8).text;
    CHECK(read_pages({one.page(100)}, {{4, clock}, {14, scale}})->events()[0].time ==
          Timestamp{150});
    const auto unscaled = read_pages({one.page(100)}, {{4, clock}});
    CHECK(unscaled->events().empty());
    CHECK(unscaled->totals.events_without_clock == 1);
}

TEST_CASE("processes_when_saved_then_threads_have_one")
{
    DatPageWriter one{false};
    one.event(0, fence_record(1));
    for (const std::uint16_t option : {std::uint16_t{8}, std::uint16_t{32}}) {
        const auto read = read_pages({one.page(100)}, {{option, "7 4\n9 4\n123456 7\n"}});
        REQUIRE(read->events().size() == 1);
        CHECK(read->events()[0].context.pid.as_signed() == 4);
    }
}

TEST_CASE("page_when_damaged_then_others_are_read_and_error_comes_last")
{
    DatPageWriter one{false};
    one.event(0, fence_record(1));
    DatPageWriter bad{false};
    bad.header(0, 1).number(1U << 30U);
    std::string long_commit = one.page(150);
    long_commit[9] = '\x7f';
    for (const std::string& page : {bad.page(150), long_commit}) {
        const auto read = read_pages({one.page(100), page, one.page(200)});
        CHECK(read->events().size() == 2);
        REQUIRE(read->losses().size() == 1);
        CHECK(!read->losses()[0].count);
        REQUIRE(read->error);
        CHECK(read->error->kind == ErrorKind::DamagedTrace);
    }
}

TEST_CASE("clock_when_it_goes_back_then_events_are_counted_and_left_out")
{
    DatPageWriter one{false};
    one.event(0, fence_record(1));
    const auto read = read_pages({one.page(200), one.page(100), one.page(300)});
    CHECK(read->events().size() == 2);
    CHECK(read->totals.events_out_of_order == 1);
}

TEST_CASE("header_when_unusable_then_one_clear_line_says_why")
{
    const auto error_of = [](std::string file) {
        const auto read = read_ftrace(file, wanted);
        REQUIRE(read->error);
        CHECK(read->error->kind == ErrorKind::UnreadableTrace);
        CHECK(read->error->message.find('\n') == std::string::npos);
        return read->error->message;
    };
    const std::string good = make_dat_v6(make_content(false));
    std::string other = good;
    other[10] = '9';
    CHECK(error_of(other).find("version '9'") != std::string::npos);
    other = good;
    other[other.find("header_page")] = 'x';
    CHECK(error_of(other).find("no header_page") != std::string::npos);
    other = good;
    other.replace(other.find("flyrecord"), 9, "latency  ");
    CHECK(error_of(other).find("latency trace") != std::string::npos);
    CHECK(error_of(good.substr(0, 14)).find("ends in its header") != std::string::npos);
    // a size of 2^62 bytes
    other = good;
    other[other.find("header_page") + 12 + 7] = '\x40';
    CHECK(!error_of(other).empty());
}

TEST_CASE("options_when_unknown_then_are_passed_over")
{
    DatContent content = make_content(false);
    content.options = {{11, "12345678"}, {99, "what"}, {13, "guest"}};
    for (const std::string& file : {make_dat_v6(content), make_dat_v7(content)}) {
        const auto read = read_ftrace(file, wanted);
        CHECK(!read->error);
        CHECK(read->events().size() == 3);
    }
}

TEST_CASE("trace_dat_when_real_then_equals_what_libtracecmd_reads")
{
    const std::filesystem::path golden = "tests/golden/linux-6.12-ftrace";
    const std::vector<std::string> job{"fence", "name", "id", "job_count", "hw_job_count"};
    const std::vector<std::string> fence{"driver", "timeline", "context", "seqno", "$name"};
    const std::vector<std::string> command{"dev",      "vq",     "name",     "type", "flags",
                                           "fence_id", "ctx_id", "num_free", "seqno"};
    const std::vector<trace::WantedEvent> all{
        {"drm_sched_job", job},
        {"drm_run_job", job},
        {"drm_sched_process_job", {"fence"}},
        {"drm_sched_job_wait_dep", {"name", "id", "fence", "ctx", "seqno"}},
        {"virtio_gpu_cmd_queue", command},
        {"virtio_gpu_cmd_response", command},
        {"*", fence}};
    const auto binary = read_file(golden / "v7-zstd.dat", all);
    const auto printed = read_file(golden / "report.txt", all);
    REQUIRE(binary->events().size() == 336);
    REQUIRE(printed->events().size() == 336);
    for (std::size_t index = 0; index < 336; ++index) {
        trace::RawEvent event = binary->events()[index];
        const trace::RawEvent expected = printed->events()[index];
        CHECK(std::abs((event.time - expected.time).value()) <= 500); // printed in us
        event.time = expected.time;
        CHECK(to_text(event) == to_text(expected));
        CHECK(event.wanted == expected.wanted);
    }
}

TEST_CASE("trace_dat_when_any_byte_is_damaged_or_missing_then_reading_ends")
{
    const DatContent content = make_content(false);
    for (const std::string& file : {make_dat_v6(content), make_dat_v7(content)}) {
        for (std::size_t size = 0; size < file.size(); ++size) {
            const auto read = read_ftrace(file.substr(0, size), wanted);
            REQUIRE(read->error);
        }
        for (std::size_t at = 0; at < file.size(); ++at) {
            for (const char damage : {'\0', '\xff', '\x7f', static_cast<char>(file[at] ^ 1)}) {
                std::string damaged = file;
                damaged[at] = damage;
                const auto read = read_ftrace(damaged, wanted);
                CHECK(read->events().size() <= 20);
            }
        }
    }
}
