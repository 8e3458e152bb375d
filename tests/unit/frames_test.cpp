// SPDX-License-Identifier: MIT
//
// Frames: their intervals, the kernel's jobs that were made for them, which are late and by what.
#include "opencl_program.hpp"
#include "report/frame_row.hpp"
#include "system/actor_origins.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

constexpr Labelled swap_buffers{7, "eglSwapBuffers"};
constexpr std::int64_t ms = 1'000'000;

/// A program that shows frames. The events of all APIs are alike.
class Renderer {
public:
    explicit Renderer(JobFeeder& feeder) : m_feed{feeder}
    {
        feeder.clock_offset(0).in_namespace(model::initial_pid_namespace);
        be(101);
    }
    Renderer& be(std::int64_t tid, const char* comm = "app")
    {
        m_feed.in(100, tid, comm);
        return *this;
    }
    Renderer& job(std::int64_t queued, std::int64_t submitted, std::int64_t completed)
    {
        const std::uint64_t seqno = ++m_seqno;
        return step("queue", queued, seqno)
            .step("run", submitted, seqno)
            .step("done", completed, seqno);
    }
    Renderer& step(const std::string& name, std::int64_t time, std::uint64_t seqno)
    {
        m_feed.at(time)("drm_sched_job_" + name, of(seqno));
        return *this;
    }
    Renderer& frame(std::int64_t begin, std::int64_t end, std::uint64_t number,
                    std::uint64_t surface = 5)
    {
        m_feed.at(end)("lttng_gpu_opencl:frame", {{"begin_ns", begin},
                                                  {"result", 1},
                                                  {"function", swap_buffers},
                                                  {"frame", number},
                                                  {"surface", surface},
                                                  {"context", 9},
                                                  {"draws", 12},
                                                  {"dispatches", 3},
                                                  {"uploads", 2}});
        return *this;
    }
    Renderer& call(std::int64_t begin, std::int64_t end)
    {
        m_feed.at(end)("lttng_gpu_opencl:call", {{"function", flush}, {"begin_ns", begin}});
        return *this;
    }

private:
    static Fields of(std::uint64_t seqno)
    {
        return {{"name", "gfx"},
                {"dev", "0000:01:00.0"},
                {"driver", "amdgpu"},
                {"fence_context", 9},
                {"fence_seqno", seqno}};
    }

    JobFeeder& m_feed;
    std::uint64_t m_seqno = 0;
};

Duration part(const model::Frame& frame, model::FramePart which)
{
    return frame.parts[static_cast<std::size_t>(which)];
}

/// Frames of 16 ms: 4 ms outside of calls, 1 ms in a call that queues a job, whose time in each
/// phase is given, then a swap that waits for it and for the display.
struct Beat {
    std::int64_t cpu = 4 * ms;
    std::int64_t call = 1 * ms;
    std::int64_t host = 1 * ms;
    std::int64_t execution = 5 * ms;
    std::int64_t after = 5 * ms;
};

/// Returns when it ends.
std::int64_t play(Renderer& renderer, std::int64_t begin, std::uint64_t number, const Beat& beat)
{
    const std::int64_t swap = begin + beat.cpu;
    const std::int64_t queued = swap + beat.call;
    const std::int64_t done = queued + beat.host + beat.execution;
    renderer.job(queued, queued + beat.host, done);
    renderer.frame(swap, done + beat.after, number);
    return done + beat.after;
}

model::Frame last_of_rhythm(const Beat& last)
{
    JobFeeder feed;
    Renderer renderer{feed};
    std::int64_t time = 1'000 * ms;
    for (std::uint64_t number = 1; number <= 20; ++number) {
        time = play(renderer, time, number, {});
    }
    play(renderer, time, 21, last);
    return feed.frames().back();
}

} // namespace

TEST_CASE("frame_when_shown_then_has_its_interval_and_what_its_event_says")
{
    JobFeeder feed;
    Renderer renderer{feed};
    renderer.frame(1'000, 1'100, 1).call(1'200, 1'250).frame(1'500, 1'700, 2);
    const auto& frames = feed.frames();
    REQUIRE(frames.size() == 2);
    CHECK(!frames[0].begin);
    CHECK(!frames[0].in_calls);
    CHECK(frames[1].begin == Timestamp{1'100});
    CHECK(frames[1].end == Timestamp{1'700});
    CHECK(frames[1].in_calls == Duration{250});
    CHECK(frames[1].draws == 12);
    CHECK(frames[1].dispatches == 3);
    CHECK(frames[1].uploads == 2);
    CHECK(frames[1].surface == 5);
    CHECK(feed.text(frames[1].function) == "eglSwapBuffers");
    CHECK(frames[1].jobs == 0);
    CHECK(!frames[1].execution);
    CHECK(part(frames[1], model::FramePart::Cpu) == Duration{350});
    CHECK(part(frames[1], model::FramePart::Call) == Duration{250});
    CHECK(frames[1].lateness == model::Lateness::Unknown);
}

TEST_CASE("frame_when_numbers_do_not_follow_each_other_then_its_begin_is_unknown")
{
    JobFeeder feed;
    Renderer{feed}.frame(1'000, 1'100, 1).frame(1'500, 1'700, 3).frame(1'800, 1'900, 1);
    const auto& frames = feed.frames();
    REQUIRE(frames.size() == 3);
    CHECK(!frames[1].begin);
    CHECK(!frames[2].begin);
}

TEST_CASE("frame_when_jobs_were_made_for_it_then_has_their_times")
{
    JobFeeder feed;
    Renderer renderer{feed};
    renderer.frame(1'000, 1'100, 1);
    renderer.job(1'150, 1'160, 1'200); // outside of any call, by the thread that ends the frame
    renderer.job(1'310, 1'350, 1'400).call(1'300, 1'500); // in a call
    renderer.job(1'650, 1'700, 1'800);
    renderer.frame(1'600, 1'900, 2);
    renderer.job(1'950, 1'960, 1'970).frame(1'940, 2'000, 3);
    const auto& frames = feed.frames();
    REQUIRE(frames.size() == 3);
    const model::Frame& frame = frames[1];
    CHECK(frame.jobs == 3);
    CHECK(frame.jobs_by_time == 0);
    CHECK(frame.first_queued == Timestamp{1'150});
    CHECK(frame.host_queue == Duration{10 + 40 + 50});
    CHECK(frame.device_queue == Duration{0});
    CHECK(frame.execution == Duration{40 + 50 + 100});
    CHECK(frame.execution_wall == Duration{190});
    CHECK(frame.completed == Timestamp{1'800});
    CHECK(!frame.observed);
    CHECK(frames[2].jobs == 1);
    Duration sum{};
    for (const Duration each : frame.parts) {
        sum = sum + each;
    }
    CHECK(sum == *frame.interval());
}

TEST_CASE("frame_when_an_unknown_thread_queues_its_job_then_it_is_placed_by_time")
{
    JobFeeder feed;
    Renderer renderer{feed};
    renderer.frame(1'000, 1'100, 1).be(103, "worker").job(1'150, 1'160, 1'200).be(101);
    renderer.frame(1'500, 1'700, 2).be(103, "worker").job(1'850, 1'860, 1'900);
    const auto& frames = feed.frames();
    REQUIRE(frames.size() == 2);
    CHECK(frames[1].jobs == 1);
    CHECK(frames[1].jobs_by_time == 1);
}

TEST_CASE("frames_when_two_threads_show_them_then_each_has_its_own_jobs")
{
    JobFeeder feed;
    Renderer renderer{feed};
    renderer.frame(1'000, 1'100, 1, 5).be(102).frame(1'010, 1'120, 1, 6);
    renderer.job(1'205, 1'206, 1'207).be(101).job(1'210, 1'212, 1'230);
    renderer.frame(1'200, 1'300, 2, 5).be(102).frame(1'200, 1'320, 2, 6);
    renderer.be(103, "worker").job(1'325, 1'326, 1'327); // of which surface?
    renderer.be(101).frame(1'400, 1'500, 3, 5).be(102).frame(1'400, 1'520, 3, 6);
    const auto& frames = feed.frames();
    REQUIRE(frames.size() == 6);
    CHECK(frames[2].jobs == 1);
    CHECK(frames[2].first_queued == Timestamp{1'210});
    CHECK(frames[3].jobs == 1);
    CHECK(frames[3].first_queued == Timestamp{1'205});
    CHECK(frames[4].jobs + frames[5].jobs == 0);
    CHECK(feed.count(Anomaly::FrameJobUnplaced) == 1);
}

TEST_CASE("frame_when_a_helper_submits_after_the_swap_then_the_job_is_of_the_swaps_frame")
{
    JobFeeder feed{estimated_calls};
    Renderer renderer{feed};
    for (std::uint64_t number = 1; number <= 10; ++number) {
        const std::int64_t end = static_cast<std::int64_t>(number) * 16 * ms;
        renderer.frame(end - ms / 10, end, number).be(103, "app:cs0");
        renderer.job(end + ms / 5, end + ms, end + 2 * ms).be(101);
    }
    for (const model::Frame& frame : feed.frames()) {
        CHECK(frame.jobs == 1);
        CHECK(frame.jobs_by_time == 0);
        CHECK(frame.first_queued == frame.end + Duration{ms / 5});
    }
    for (const model::Job& job : feed.jobs()) {
        CHECK(feed.api_call(job) == "eglSwapBuffers");
        CHECK(job.api_call_basis == model::CallBasis::Estimated);
        CHECK(job.api_calls == 1);
    }
    CHECK(feed.jobs().size() == 10);
}

TEST_CASE("helper_jobs_when_only_wakeups_are_recorded_then_a_lock_may_be_their_reason")
{
    const auto second_job_names = [](bool has_wakes) {
        JobFeeder feed{estimated_calls};
        Renderer renderer{feed};
        const auto wake = [&](std::int64_t time) {
            if (has_wakes) {
                feed.at(time)("sched_waking", {{"tid", std::int64_t{103}}});
            }
        };
        // Two swaps, of which the first was split; its second job comes while the next one has
        // begun, but has given nothing to the helper, which sleeps.
        wake(1'050);
        renderer.frame(1'000, 1'100, 1).be(103, "app:cs0");
        renderer.job(1'150, 1'151, 1'152).job(1'220, 1'221, 1'222).be(101);
        wake(1'250);
        renderer.frame(1'200, 1'300, 2).be(103, "app:cs0").job(1'310, 1'311, 1'312).be(101);
        return feed.jobs()[1].api_calls;
    };
    CHECK(second_job_names(true) == 0); // it may be of either
    CHECK(second_job_names(false) == 0);
}

TEST_CASE("frame_when_it_keeps_its_cadence_then_is_not_late")
{
    const model::Frame frame = last_of_rhythm({});
    CHECK(frame.cadence == Duration{16 * ms});
    CHECK(frame.lateness == model::Lateness::OnTime);
    CHECK(last_of_rhythm({.cpu = 12 * ms}).lateness == model::Lateness::OnTime); // 1.5 times
}

TEST_CASE("frame_when_late_then_the_part_that_grew_is_named")
{
    const auto late_by = [](const Beat& beat) {
        const model::Frame frame = last_of_rhythm(beat);
        CHECK(frame.lateness == model::Lateness::Late);
        return frame.late_by;
    };
    CHECK(late_by({.cpu = 20 * ms}) == model::FramePart::Cpu);
    CHECK(late_by({.call = 20 * ms}) == model::FramePart::Call);
    CHECK(late_by({.host = 20 * ms}) == model::FramePart::HostQueue);
    CHECK(late_by({.execution = 20 * ms}) == model::FramePart::Execution);
    CHECK(late_by({.after = 20 * ms}) == model::FramePart::After);
}

TEST_CASE("frame_when_the_device_queue_is_long_then_it_is_named")
{
    JobFeeder feed;
    Renderer renderer{feed};
    std::int64_t time = 1'000 * ms;
    for (std::uint64_t number = 1; number <= 20; ++number) {
        time = play(renderer, time, number, {});
    }
    // Another process keeps the ring busy.
    feed.in(200, 201, "other");
    renderer.step("queue", time, 21).step("run", time + 1 * ms, 21).be(101);
    renderer.step("queue", time + 5 * ms, 22).step("run", time + 6 * ms, 22);
    renderer.step("done", time + 30 * ms, 21).step("done", time + 35 * ms, 22);
    renderer.frame(time + 4 * ms, time + 36 * ms, 21);
    const model::Frame frame = feed.frames().back();
    CHECK(frame.jobs == 1);
    CHECK(frame.late_by == model::FramePart::DeviceQueue);
    CHECK(frame.device_queue == Duration{24 * ms});
    CHECK(frame.execution == Duration{5 * ms});
}

TEST_CASE("frames_when_there_are_many_then_they_come_while_the_trace_is_read")
{
    JobFeeder feed;
    Renderer renderer{feed};
    std::int64_t time = 1'000 * ms;
    for (std::uint64_t number = 1; number <= 1'000; ++number) {
        time = play(renderer, time, number, {});
    }
    CHECK(feed.frames_so_far() > 900);
    CHECK(feed.frames().size() == 1'000);
}

TEST_CASE("api_calls_when_they_return_then_each_is_told_once")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).enqueue(1'000, 1'100, 1);
    feed.at(1'110)("lttng_gpu_opencl:call", {{"function", flush}, {"begin_ns", 1'000}});
    feed.at(1'300)("lttng_gpu_opencl:call", {{"function", flush}, {"begin_ns", 1'200}});
    const auto& calls = feed.calls();
    REQUIRE(calls.size() == 2);
    CHECK(feed.text(calls[0].name) == "clEnqueueNDRangeKernel(sum)");
    CHECK(calls[0].end == Timestamp{1'110});
    CHECK(feed.text(calls[1].name) == "clFlush");
}

TEST_CASE("frame_columns_when_documented_then_as_in_the_table")
{
    std::string table = "| column | meaning | empty when |\n|---|---|---|\n";
    for (const report::ColumnFacts& column : report::frame_column_facts) {
        CHECK(std::string_view{column.name}.ends_with("_ns") ==
              (column.unit != report::Unit::None));
        table += fmt::format("| `{}` | {} | {} |\n", column.name, column.meaning,
                             column.can_be_empty() ? column.empty_when : "never");
    }
    INFO("docs/reading-the-report.md should have:\n" << table);
    const auto top = std::filesystem::path{__FILE__}.parent_path() / "../..";
    std::ifstream file{top / "docs/reading-the-report.md"};
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    CHECK(text.find("\n" + table + "\n") != std::string::npos);
}
