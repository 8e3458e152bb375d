// SPDX-License-Identifier: MIT
//
// Rings that old kernels tell by a number only: which other events name them, how rings of one
// name are told apart where they are shown, and that nothing is shown that events do not agree on.
#include "command_line.hpp"
#include "ctf_writer.hpp"
#include "job_feeder.hpp"
#include "rings/ring_names.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

using namespace lttng_gpu;
using namespace lttng_gpu::test;
using model::NameSource;
using model::RingNames;
using model::RingTable;

namespace {

constexpr std::uint64_t first_number = 0xffff91cb1ab1bdd0;
constexpr std::uint64_t second_number = 0xffff91cb1ab1d170;

Fields amdgpu(const char* timeline, std::uint64_t context, std::uint64_t seqno, const Value& ring)
{
    return {
        {"timeline", timeline}, {"context", u(context)}, {"seqno", u(seqno)}, {"ring_name", ring}};
}

Fields pointer_job(std::uint64_t fence, std::uint64_t id, const Value& ring)
{
    return {{"fence", u(fence)}, {"id", u(id)}, {"entity", 0x70}, {"name", ring}};
}

std::string written(const TemporaryDirectory& directory, const std::string& text)
{
    const std::string path = directory.path() / "trace.txt";
    std::ofstream{path} << text;
    return path;
}

std::string output_of(const TemporaryDirectory& directory, std::vector<std::string> words)
{
    const std::string file = directory.path() / "output";
    words.insert(words.end(), {"-o", file});
    CHECK(test::run(words).code == 0);
    std::ifstream stream{file};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

} // namespace

TEST_CASE("ring_name_when_an_address_in_any_form_then_is_a_number")
{
    StringPool strings;
    RingTable rings{strings};
    const auto is_number = [&](std::string_view name) {
        return rings.at(rings.intern(TraceId{}, "", name)).is_number;
    };
    CHECK(!rings.has_numbers_and_names());
    for (const char* name :
         {"0xffff91cb1ab1bdd0", "ffff91cb1ab1bdd0", "000000007296c5a4", "c0a1b2c4", "0x1f"}) {
        CHECK_MESSAGE(is_number(name), name);
    }
    for (const char* name : {"gfx", "sdma0", "comp_1.0.0", "130000.gpu", "f00000a0.gpu", "vce0",
                             "0x", "0xgfx", "fade", "ffff91cb1ab1bdd", "FFFF91CB1AB1BDD0", ""}) {
        CHECK_MESSAGE(!is_number(name), name);
    }
}

TEST_CASE("rings_when_told_one_name_then_are_numbered_in_that_order_and_stay_two")
{
    StringPool strings;
    RingTable rings{strings};
    const auto shown = [&](RingId ring) { return rings.text(rings.at(ring).shown); };
    std::vector<RingId> all;
    for (const char* name : {"0x30", "0x10", "0x20"}) {
        all.push_back(rings.intern(TraceId{}, "", name));
        CHECK(shown(all.back()) == name);
    }
    const RingId of_other_trace = rings.intern(TraceId{1}, "", "0x10");
    for (int time = 0; time < 2; ++time) {
        for (const RingId ring : all) {
            CHECK(rings.tell_name(ring, "sdma", NameSource::OwnEvent));
        }
    }
    rings.tell_name(of_other_trace, "sdma", NameSource::OwnEvent);
    CHECK(shown(all[0]) == "sdma");
    CHECK(shown(all[1]) == "sdma #2");
    CHECK(shown(all[2]) == "sdma #3");
    CHECK(shown(of_other_trace) == "sdma");
    CHECK(rings.intern(TraceId{}, "", "0x10") == all[1]);
    CHECK(!rings.is_same_name(all[0], all[1]));
    const RingId named = rings.intern(TraceId{}, "", "gfx");
    CHECK(rings.tell_name(named, "comp", NameSource::OwnEvent));
    CHECK(shown(named) == "gfx");
}

TEST_CASE("ring_when_one_of_jobs_has_the_name_itself_then_that_is_the_first")
{
    for (const bool is_named_first : {true, false}) {
        StringPool strings;
        RingTable rings{strings};
        const RingId timeline = rings.intern(TraceId{}, "", "gfx");
        const RingId number = rings.intern(TraceId{}, "", "0x10");
        if (is_named_first) {
            rings.set_driver(timeline, "amdgpu");
        }
        rings.tell_name(number, "gfx", NameSource::OtherEvent);
        CHECK(rings.text(rings.at(number).shown) == (is_named_first ? "gfx #2" : "gfx"));
        rings.set_driver(timeline, "amdgpu");
        CHECK(rings.text(rings.at(number).shown) == "gfx #2");
        CHECK(rings.text(rings.at(timeline).shown) == "gfx");
        CHECK(rings.is_same_name(number, timeline));
    }
}

TEST_CASE("ring_when_told_several_names_then_shows_its_number_and_that_counts_once")
{
    StringPool strings;
    RingTable rings{strings};
    const RingId ring = rings.intern(TraceId{}, "", "0x10");
    const auto shown = [&] { return rings.text(rings.at(ring).shown); };
    CHECK(rings.tell_name(ring, "gfx", NameSource::OtherEvent));
    CHECK(!rings.tell_name(ring, "sdma", NameSource::OtherEvent));
    CHECK(shown() == "0x10");
    CHECK(rings.tell_name(ring, "gfx", NameSource::OtherEvent));
    CHECK(rings.tell_name(ring, "comp", NameSource::OtherEvent));
    CHECK(shown() == "0x10");
    // what has the number in the same event knows better
    CHECK(rings.tell_name(ring, "sdma", NameSource::OwnEvent));
    CHECK(shown() == "sdma");
    CHECK(rings.tell_name(ring, "gfx", NameSource::OtherEvent));
    CHECK(rings.tell_name(ring, "", NameSource::OwnEvent));
    CHECK(rings.tell_name(ring, "0x20", NameSource::OwnEvent));
    CHECK(shown() == "sdma");
    CHECK(!rings.tell_name(ring, "gfx", NameSource::OwnEvent));
    CHECK(rings.tell_name(ring, "sdma", NameSource::OwnEvent));
    CHECK(shown() == "0x10");
}

TEST_CASE("rows_when_name_comes_late_then_keep_the_number_and_when_it_is_wrong_lose_it")
{
    StringPool strings;
    RingTable rings{strings};
    RingNames names{rings};
    const RingId late = rings.intern(TraceId{}, "", "0x10");
    const RingId early = rings.intern(TraceId{}, "", "0x20");
    rings.tell_name(early, "gfx", NameSource::OtherEvent);
    CHECK(names.of(late) == "0x10");
    CHECK(names.of(early) == "gfx");
    CHECK(!names.is_late(late));
    rings.tell_name(late, "sdma", NameSource::OtherEvent);
    rings.tell_name(early, "comp", NameSource::OtherEvent);
    CHECK(names.of(late) == "0x10");
    CHECK(names.is_late(late));
    CHECK(names.of(early) == "0x20");
    CHECK(!names.is_late(early));
    CHECK(names.of(rings.intern(TraceId{}, "", "vce0")) == "vce0");
}

TEST_CASE("amdgpu_when_ring_is_a_pointer_then_timeline_is_shown")
{
    JobFeeder feed;
    for (const std::uint64_t number : {first_number, second_number}) {
        const Fields job = amdgpu("gfx", number & 0xffff, 1, u(number));
        feed.at(10).in(5, 6, "app")("amdgpu_cs_ioctl", job);
        feed.at(20).in(7, 7, "gfx")("amdgpu_sched_run_job", job);
    }
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(feed.shown(jobs[0]) == "gfx");
    CHECK(feed.shown(jobs[1]) == "gfx #2");
    CHECK(feed.ring(jobs[1]) == "0xffff91cb1ab1d170");
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("amdgpu_when_timeline_is_another_for_each_job_then_number_is_shown")
{
    JobFeeder feed;
    std::uint64_t seqno = 0;
    for (const char* timeline : {"app-1", "app-2", "app-3"}) {
        feed.at(10)("amdgpu_cs_ioctl", amdgpu(timeline, 9, ++seqno, u(first_number)));
    }
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 3);
    CHECK(feed.shown(jobs[0]) == "0xffff91cb1ab1bdd0");
    CHECK(feed.count(Anomaly::RingNamesDiffer) == 1);
    CHECK(feed.anomalies() == 1);
}

TEST_CASE("drm_sched_when_ring_is_a_pointer_then_armed_fence_names_it")
{
    JobFeeder feed;
    for (const char* text : {"", "ffff91cb1ab1bdd0"}) { // as a number, and as printed
        const Value ring = *text == '\0' ? u(second_number) : Value{text};
        const std::uint64_t base = *text == '\0' ? 100 : 200;
        feed.at(static_cast<std::int64_t>(base)).in(5, 6, "app");
        feed("dma_fence_init", fence("drm_sched", "v3d_bin", base, 1));
        feed("dma_fence_init", fence("drm_sched", "v3d_bin", base + 1, 1));
        feed("drm_sched_job", pointer_job(base, 1, ring));
        feed.at(static_cast<std::int64_t>(base + 9)).in(2, 2, "w");
        feed("drm_run_job", pointer_job(base, 1, ring));
        feed.at(static_cast<std::int64_t>(base + 20));
        feed("dma_fence_signaled", fence("drm_sched", "v3d_bin", base + 1, 1));
    }
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(feed.shown(jobs[0]) == "v3d_bin");
    CHECK(feed.shown(jobs[1]) == "v3d_bin #2");
    CHECK(jobs[1].fence.context == FenceContext{201});
    CHECK(ns(jobs[1].completed) == 220);
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("drm_sched_when_only_the_run_was_seen_then_hardware_fence_names_the_ring")
{
    JobFeeder feed;
    feed.at(10).in(2, 2, "gfx")("drm_run_job", pointer_job(1, 1, u(first_number)));
    feed.at(11)("dma_fence_init", fence("amdgpu", "gfx", 3, 77));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(feed.shown(jobs[0]) == "gfx");
}

TEST_CASE("amdgpu_when_it_names_the_ring_that_drm_sched_numbers_then_is_one_job_on_one_ring")
{
    JobFeeder feed; // v5.5 to v5.18
    const Fields named = amdgpu("gfx", 249, 1, "gfx");
    const Fields numbered = pointer_job(0x1000, 7, u(first_number));
    feed.at(10).in(5, 6, "app")("amdgpu_cs_ioctl", named).at(11)("drm_sched_job", numbered);
    feed.at(20).in(2, 2, "gfx")("drm_run_job", numbered).at(21)("amdgpu_sched_run_job", named);
    feed.at(30).in_nobody()("drm_sched_process_job", {{"fence", 0x1000}});
    // queued before the trace began
    const Fields other = pointer_job(0x2000, 8, u(second_number));
    feed.at(40).in(3, 3, "sdma0")("drm_run_job", other);
    feed.at(41)("amdgpu_sched_run_job", amdgpu("sdma0", 251, 1, "sdma0"));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(status_of(jobs[0]) == model::JobStatus::Complete);
    CHECK(ns(jobs[0].submitted) == 20);
    CHECK(jobs[0].actor.pid == Pid{5});
    CHECK(feed.shown(jobs[0]) == "gfx");
    CHECK(feed.shown(jobs[1]) == "sdma0");
    CHECK(feed.count(Anomaly::RingChanged) == 0);
    CHECK(feed.count(Anomaly::FencePointerReused) == 0);
}

TEST_CASE("name_when_lines_are_of_trace_cmd_then_is_in_every_format")
{
    const TemporaryDirectory directory;
    const std::string line = " app-100   [000]  10.00";
    const std::string ring = "timeline=sdma0, context=249, seqno=1, ring_name=ffff91cb1ab1bdd0";
    const std::string trace = written(
        directory,
        line + "1000: amdgpu_cs_ioctl:      sched_job=7, " + ring + ", num_ibs=3\n" + line +
            "2000: amdgpu_sched_run_job: sched_job=7, " + ring + ", num_ibs=3\n" + line +
            "3000: dma_fence_signaled: driver=drm_sched timeline=sdma0 context=249 seqno=1\n" +
            line +
            "4000: amdgpu_cs_ioctl:      sched_job=8, timeline=sdma0, context=251, seqno=1, "
            "ring_name=000000007296c5a4, num_ibs=3\n");
    for (const char* format : {"csv", "json", "text"}) {
        for (const char* command : {"jobs", "report"}) {
            const std::string out = output_of(directory, {command, trace, "--format", format});
            CHECK_MESSAGE(out.find("sdma0 #2") != std::string::npos, out);
            CHECK_MESSAGE(out.find("ffff91cb") == std::string::npos, out);
            CHECK_MESSAGE(out.find("7296c5a4") == std::string::npos, out);
        }
    }
    const auto report =
        nlohmann::json::parse(output_of(directory, {"report", trace, "--format", "json"}));
    REQUIRE(report.at("queues").size() == 2);
    CHECK(report.at("queues")[0].at("ring") == "sdma0");
    CHECK(report.at("queues")[1].at("ring") == "sdma0 #2");
}

TEST_CASE("jobs_when_name_comes_after_the_first_row_then_says_so")
{
    const TemporaryDirectory directory;
    const std::string ring = "ring=ffff91cb1ab1bdd0, job count:0, hw job count:0\n";
    const std::string trace = written(
        directory,
        " app-100 [000]  10.000100: drm_sched_job: entity=0x70, id=1, fence=0x90, " + ring +
            " gfx-50  [001]  10.000200: drm_run_job: entity=0x70, id=1, fence=0x90, " + ring +
            " app-100 [000]  10.000300: drm_sched_process_job: fence=0x90 signaled\n"
            " app-100 [000]  10.000400: drm_sched_job: entity=0x70, id=2, fence=0x91, " +
            ring + " gfx-50  [001]  10.000500: drm_run_job: entity=0x70, id=2, fence=0x91, " +
            ring +
            " gfx-50  [001]  10.000501: dma_fence_init: driver=amdgpu timeline=gfx context=3 "
            "seqno=7\n");
    const std::string file = directory.path() / "rows";
    const Result result = test::run({"jobs", trace, "--format", "csv", "-o", file});
    CHECK(result.errors.find("ffff91cb1ab1bdd0 is called gfx") != std::string::npos);
    std::ifstream stream{file};
    const std::string rows{std::istreambuf_iterator<char>{stream}, {}};
    CHECK_MESSAGE(rows.find(",gfx,") == std::string::npos, rows);
    const std::string report = output_of(directory, {"report", trace});
    CHECK_MESSAGE(report.find("ffff91cb1ab1bdd0") == std::string::npos, report);
}
