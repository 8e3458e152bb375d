// SPDX-License-Identifier: MIT
//
// The report for people: that its first screen is one screen at every width, that the worst comes
// first, that queues of an API are summed up, and that colours and letters are those of the screen.
#include "report/report_builder.hpp"
#include "report/report_sink.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sstream>

using namespace lttng_gpu;
using namespace lttng_gpu::report;
using model::Job;

namespace {

/// A builder and a window of 100 ms; jobs are given in microseconds.
class Scene {
public:
    Scene() { m_window.start(Timestamp{0}); }

    RingId ring(const std::string& name, const std::string& device = "gpu",
                const std::string& driver = "amdgpu")
    {
        const RingId ring = m_rings.intern(TraceId{}, device, name);
        m_rings.set_driver(ring, driver);
        return ring;
    }
    void add(RingId ring, std::int64_t queued, std::int64_t submitted, std::int64_t completed,
             const std::string& call = {})
    {
        m_builder.on_job(job(ring, queued, submitted, completed, call));
    }
    Job job(RingId ring, std::int64_t queued, std::int64_t submitted, std::int64_t completed,
            const std::string& call = {})
    {
        constexpr std::int64_t micro = 1000;
        Job job;
        job.ring = ring;
        job.fence = {FenceContext{1}, FenceSeqno{++m_number}};
        job.actor = {Pid{42}, Tid{43}, m_strings.intern("app"), {}};
        job.queued = Timestamp{queued * micro};
        job.submitted = job.started = Timestamp{submitted * micro};
        job.completed = Timestamp{completed * micro};
        job.started_basis = model::Basis::Inferred;
        job.completed_basis = model::Basis::Observed;
        if (!call.empty()) {
            job.api_call = m_strings.intern(call);
        }
        return job;
    }
    ReportBuilder& builder() { return m_builder; }
    Report finish()
    {
        m_window.finish(Timestamp{100'000'000});
        Report report = m_builder.finish({});
        report.recording.end = report.end;
        return report;
    }

private:
    StringPool m_strings;
    model::RingTable m_rings{m_strings};
    Window m_window{{}};
    ReportBuilder m_builder{m_rings, m_window};
    std::uint64_t m_number = 0;
};

std::vector<std::string> lines_of(const std::string& text)
{
    std::istringstream stream{text};
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

TextOptions with_width(std::size_t width)
{
    TextOptions options;
    options.screen.width = width;
    return options;
}

/// Nine rings of two devices, with calls and late jobs.
Report nine_rings()
{
    Scene scene;
    std::vector<RingId> rings;
    for (int number = 1; number <= 9; ++number) {
        rings.push_back(scene.ring(fmt::format("compute_{}.0.0", number),
                                   number < 5 ? "0000:03:00.0" : "0000:04:00.0"));
    }
    for (std::int64_t number = 0; number < 90; ++number) {
        const std::int64_t begin = number * 1000;
        scene.add(rings[static_cast<std::size_t>(number % 9)], begin, begin + 100 + 10 * number,
                  begin + 1500 + 10 * number,
                  fmt::format("clEnqueueNDRangeKernel(kernel_with_a_long_name_{})", number % 12));
    }
    return scene.finish();
}

/// Words with one space between them, however lines are broken.
std::string in_one_line(const std::string& text)
{
    std::istringstream words{text};
    std::string line;
    for (std::string word; words >> word;) {
        line += (line.empty() ? "" : " ") + word;
    }
    return line;
}

std::size_t place_of(const std::string& text, const std::string& word)
{
    const auto place = text.find(word);
    REQUIRE_MESSAGE(place != std::string::npos, word << " in\n" << text);
    return place;
}

} // namespace

TEST_CASE("report_text_when_there_are_nine_rings_then_is_one_screen_at_every_width")
{
    Report report = nine_rings();
    ReasonCosts costs;
    for (int number = 0; number < 9; ++number) {
        ReasonCost& cost = costs.reasons.emplace_back();
        cost.words = "ready, driver had not submitted it";
        cost.advice = "record --events all,kernel:sched_switch,kernel:sched_waking";
        cost.is_usual = number == 0;
    }
    report.reasons = costs;
    for (const std::size_t width : {60, 80, 100, 200}) {
        const std::string text = report_text(report, with_width(width));
        const auto lines = lines_of(text);
        INFO(text);
        CHECK(lines.size() <= 40);
        for (const std::string& line : lines) {
            if (!line.starts_with("100 ms recorded")) { // a sentence may be wrapped by the terminal
                CHECK(columns_of(line) <= width);
            }
        }
        for (const char* word : {"host queue", "slowest jobs", "reasons", "OpenCL"}) {
            CHECK((word == std::string_view{"OpenCL"} || text.find(word) != std::string::npos));
        }
    }
}

TEST_CASE("report_text_when_there_is_more_than_fits_then_says_with_which_option_it_is_shown")
{
    const Report report = nine_rings();
    const std::string text = report_text(report);
    CHECK(text.find("… 3 more rings: --top 9") != std::string::npos);
    CHECK(text.find("… 7 more calls: --top 12") != std::string::npos);
    TextOptions all;
    all.top = 12;
    const std::string whole = report_text(report, all);
    CHECK(whole.find(" more ") == std::string::npos);
    for (int number = 1; number <= 9; ++number) {
        CHECK(whole.find(fmt::format("compute_{}.0.0", number)) != std::string::npos);
    }
}

TEST_CASE("report_text_when_jobs_waited_on_a_ring_then_it_comes_before_the_others")
{
    Scene scene;
    const RingId idle = scene.ring("a_idle");
    const RingId late = scene.ring("z_late");
    scene.add(idle, 0, 10, 20);
    scene.add(late, 0, 5000, 5010);
    const std::string text = report_text(scene.finish());
    CHECK(place_of(text, "z_late") < place_of(text, "a_idle"));
    const std::string jobs = text.substr(place_of(text, "slowest jobs"));
    CHECK(place_of(jobs, "z_late") < place_of(jobs, "a_idle"));
    CHECK(jobs.find("5.01ms") != std::string::npos);
}

TEST_CASE("report_text_when_rings_are_numbered_then_ring_2_comes_before_ring_10")
{
    Scene scene;
    for (const char* name : {"ring 10", "ring 2", "ring 1"}) {
        scene.add(scene.ring(name), 0, 10, 20);
    }
    TextOptions options;
    options.has_details = true;
    const std::string text = report_text(scene.finish(), options);
    CHECK(place_of(text, "ring 1 ") < place_of(text, "ring 2"));
    CHECK(place_of(text, "ring 2") < place_of(text, "ring 10"));
    const std::string details = text.substr(place_of(text, "gpu ring 1 (amdgpu)"));
    CHECK(place_of(details, "gpu ring 2 (") < place_of(details, "gpu ring 10 ("));
    CHECK(is_naturally_before("a9", "a10"));
    CHECK(is_naturally_before("a", "a1"));
    CHECK_FALSE(is_naturally_before("a10", "a9"));
    CHECK_FALSE(is_naturally_before("a1", "a1"));
    CHECK(is_naturally_before("gpu 1 ring 2", "gpu 1 ring 12"));
    CHECK(is_naturally_before("99999999999999999998", "99999999999999999999"));
}

TEST_CASE("report_text_when_a_process_made_271_queues_then_they_are_one_line")
{
    Scene scene;
    for (int number = 1; number <= 271; ++number) {
        const std::int64_t begin = number * 100;
        scene.add(scene.ring(fmt::format("queue {}", number), "CPU", "opencl"), begin, begin + 50,
                  begin + 60, "clEnqueueNDRangeKernel(sum)");
    }
    const Report report = scene.finish();
    REQUIRE(report.groups.size() == 1);
    CHECK(report.groups[0].queues.size() == 271);
    CHECK(report.groups[0].jobs == 271);
    CHECK(report.groups[0].host_queue.p50 == 50'000);
    CHECK(report.groups[0].busy_sum == 271 * 10'000);
    const std::string text = report_text(report);
    INFO(text);
    CHECK(lines_of(text).size() <= 40);
    CHECK(text.find("271 queues of 42 app") != std::string::npos);
    CHECK(text.find("queue 17 ") == std::string::npos);
    CHECK(text.find("clEnqueueNDRangeKernel(sum)") != std::string::npos);
    CHECK(text.find("OpenCL commands") != std::string::npos);
    CHECK(text.find("in the OpenCL runtime") != std::string::npos);
    REQUIRE(report.calls.size() == 1);
    CHECK(report.calls[0].count == 271);
    CHECK(report.calls[0].execution.sum == 271 * 10'000);
    CHECK(report.calls[0].waited.p99 == 50'000);
    CHECK(report.calls[0].share == 1.0);
}

TEST_CASE("report_text_when_rings_are_named_then_only_these_are_told")
{
    Scene scene;
    for (const char* name : {"gfx_0", "gfx_1", "sdma0"}) {
        scene.add(scene.ring(name), 0, 10, 20);
    }
    const Report report = scene.finish();
    TextOptions options;
    options.rings = {"gfx_1"};
    CHECK(chosen_rings(report, options).size() == 1);
    const std::string text = report_text(report, options);
    CHECK(text.find("gpu gfx_1 (amdgpu)") != std::string::npos);
    CHECK(text.find("gfx_0") == std::string::npos);
    options.rings = {"gfx*"};
    CHECK(chosen_rings(report, options).size() == 2);
    options.rings = {"gpu sdma0", "gfx_0"};
    CHECK(chosen_rings(report, options).size() == 2);
    options.rings = {"nothing"};
    CHECK(chosen_rings(report, options).empty());
}

TEST_CASE("report_text_when_screen_has_no_colours_then_has_no_codes_and_the_same_letters")
{
    const Report report = nine_rings();
    const std::string plain = report_text(report);
    CHECK(plain.find('\033') == std::string::npos);
    TextOptions options;
    options.screen.has_colour = true;
    std::string coloured = report_text(report, options);
    CHECK(coloured.find("\033[") != std::string::npos);
    for (auto code = coloured.find('\033'); code != std::string::npos;
         code = coloured.find('\033')) {
        coloured.erase(code, coloured.find('m', code) + 1 - code);
    }
    std::erase(coloured, ' ');
    std::string without_spaces = plain;
    std::erase(without_spaces, ' ');
    CHECK(coloured == without_spaces);
}

TEST_CASE("report_text_when_screen_is_ascii_then_has_no_other_letter")
{
    Scene scene;
    scene.add(scene.ring("日本 ring µ"), 0, 10, 20);
    TextOptions options;
    options.has_details = true;
    options.screen.is_ascii = true;
    const std::string text = report_text(scene.finish(), options);
    CHECK(std::ranges::all_of(text, [](char letter) { return letter > 0; }));
    CHECK(text.find("10.0us") != std::string::npos);
    CHECK(as_ascii("日本 µs ≥ 1 → 2") == "???? us >= 1 -> 2");
}

TEST_CASE("columns_when_letters_are_wide_or_combine_then_are_those_of_the_terminal")
{
    CHECK(columns_of("ring") == 4);
    CHECK(columns_of("µs") == 2);
    CHECK(columns_of("日本") == 4);
    CHECK(columns_of("e\u0301") == 1);
    CHECK(columns_of("\xff\xfe") == 2); // no letters at all
    CHECK(cut_end("日本語", 5) == "日本…");
    CHECK(columns_of(cut_end("日本語", 4)) <= 4);
    CHECK(cut_begin("0000:03:00.0 gfx", 8) == "…0.0 gfx");
    CHECK(cut_begin("gfx", 8) == "gfx");
    CHECK(wrapped("one two three", 7) == "one two\n  three");
}

TEST_CASE("longest_jobs_when_there_are_many_then_the_longest_are_kept_with_their_phases")
{
    Scene scene;
    const RingId ring = scene.ring("gfx");
    for (std::int64_t number = 0; number < 50; ++number) {
        scene.add(ring, number * 1000, number * 1000 + 10 + (number * 7) % 50, number * 1000 + 900);
    }
    scene.add(ring, 60'000, 60'500, 65'000);
    Job open = scene.job(ring, 70'000, 71'000, 0);
    open.started = open.completed = {};
    open.is_alive_at_end = true;
    scene.builder().on_job(open);
    const Report report = scene.finish();
    REQUIRE(report.longest_jobs.size() == 20);
    CHECK(report.longest_jobs[0].is_open);
    CHECK(report.longest_jobs[0].total == 30'000'000);
    CHECK_FALSE(report.longest_jobs[0].execution);
    CHECK(report.longest_jobs[1].total == 5'000'000);
    CHECK(report.longest_jobs[1].host_queue == 500'000);
    CHECK(report.longest_jobs[1].execution == 4'500'000);
    CHECK(report.longest_jobs[2].total == 900'000);
    CHECK(report_text(report).find("on the device at the end") != std::string::npos);
}

TEST_CASE("longest_job_when_it_was_preempted_then_counts_from_its_first_interval")
{
    Scene scene;
    const RingId ring = scene.ring("rcs0");
    Job first = scene.job(ring, 0, 10, 20);
    first.ending = model::Ending::Preempted;
    first.is_last = false;
    scene.builder().on_job(first);
    Job second = first;
    second.queued = Timestamp{20'000};
    second.submitted = second.started = Timestamp{50'000};
    second.completed = Timestamp{70'000};
    second.ending = model::Ending::Normal;
    second.interval = 1;
    second.is_last = true;
    scene.builder().on_job(second);
    const Report report = scene.finish();
    REQUIRE(report.longest_jobs.size() == 1);
    CHECK(report.longest_jobs[0].total == 70'000);
    CHECK(report.longest_jobs[0].execution == 30'000);
    CHECK(report.longest_jobs[0].host_queue == 40'000);
    CHECK(report.longest_jobs[0].intervals == 2);
}

TEST_CASE("report_text_when_there_are_frames_then_their_lines_keep_to_the_width_and_lose_nothing")
{
    Report report = nine_rings();
    SurfaceReport& surface = report.frames.emplace_back();
    surface.api = "OpenGL";
    surface.pid = Pid{123456};
    surface.comm = "a_program_of_16c";
    surface.surface = 0x55d0c3a01230;
    surface.frames = surface.judged = 1234567;
    surface.late = 12345;
    surface.late_by[0] = surface.late_by[1] = surface.late_by[2] = 4115;
    surface.jobs = surface.jobs_by_time = 2345678;
    for (LatencySummary* latency : {&surface.interval, &surface.in_calls, &surface.host_queue,
                                    &surface.device_queue, &surface.execution}) {
        *latency = {.count = 9, .p50 = 123'456'789, .p99 = 234'567'890, .max = 345'678'901};
    }
    const std::string whole = report_text(report, with_width(200));
    for (const std::size_t width : {72, 80, 100}) {
        const std::string text = report_text(report, with_width(width));
        INFO(text);
        for (const std::string& line : lines_of(text.substr(place_of(text, "\nframes\n")))) {
            CHECK(columns_of(line) <= width);
        }
        for (const char* piece :
             {"1234567 frames", "12345 late", "interval p50 123 ms", "execution 123 ms",
              "2345678 jobs placed by their time only", "surface 0x55d0c3a01230"}) {
            place_of(in_one_line(whole), piece);
            place_of(in_one_line(text), piece);
        }
    }
}
